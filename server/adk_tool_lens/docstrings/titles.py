"""The section titles that people write, in the languages they write them in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from adk_tool_lens.docstrings.model import Kind

Titles = Mapping[str, Kind]
"""From a casefolded title, without colon and marks, to what its section is about."""

_WORDS = {
    Kind.PARAMETERS: (
        "args|arg|arguments|argument|parameters|parameter|params|param|keyword args|"
        "keyword arguments|keyword parameters|kwargs|other parameters|other arguments|"
        "other args|other params|input|inputs|input parameters|input args|input arguments|"
        "function parameters|function arguments|tool parameters|tool arguments|required|"
        "optional|required parameters|optional parameters|required args|optional args|"
        "required arguments|optional arguments|argumente|eingabe|eingaben|übergabeparameter|"
        "parametry|argumenty|paramètres|paramètre|arguments d'entrée|entrées|parámetros|"
        "parámetro|argumentos|argumento|entradas|entrada|parâmetros|parâmetro|parametri|"
        "parametro|argomenti|argomento|参数|輸入參數|参数说明|输入参数|参数列表|入参|參數|"
        "引数|パラメータ|パラメーター|入力|매개변수|인자|인수|파라미터|параметры|аргументы|"
        "параметр|входные параметры"
    ),
    Kind.RETURNS: (
        "returns|return|return value|return values|returned value|output|outputs|result|"
        "results|rückgabe|rückgabewert|rückgabewerte|ergebnis|zwraca|zwracane|wynik|"
        "wartość zwracana|renvoie|retourne|retour|retours|valeur de retour|sortie|devuelve|"
        "retorna|retorno|valor de retorno|salida|saída|resultado|resultados|restituisce|"
        "ritorna|ritorno|valore restituito|返回|返回值|返回结果|输出|返り値|戻り値|返却値|"
        "出力|반환|반환값|리턴|возвращает|возвращаемое значение|возврат"
    ),
    Kind.YIELDS: ("yields|yield|liefert|génère|genera|produz|生成|产出|生成値|генерирует"),
    Kind.RAISES: (
        "raises|raise|raised|throws|exceptions|except|errors|ausnahmen|wirft|fehler|wyjątki|"
        "rzuca|błędy|lève|exceptions levées|exceptions possibles|lanza|excepciones|errores|"
        "lança|levanta|exceções|erros|solleva|eccezioni|异常|抛出|抛出异常|例外|예외|"
        "исключения|вызывает|ошибки"
    ),
    Kind.EXAMPLES: (
        "example|examples|example usage|usage|usage example|usage examples|example output|"
        "example response|beispiel|beispiele|przykład|przykłady|exemple|exemples|ejemplo|"
        "ejemplos|exemplo|exemplos|esempio|esempi|示例|例子|例|使用例|예|예시|예제|пример|"
        "примеры"
    ),
    Kind.OTHER: (
        "note|notes|warning|warnings|warns|see also|references|reference|todo|todos|"
        "attributes|methods|side effects|important|caution|tip|hint|attention|danger|"
        "deprecated|hinweis|hinweise|achtung|siehe auch|uwaga|uwagi|remarque|remarques|nota|"
        "notas|note bene|注意|备注|备考|備考|참고|примечание|примечания"
    ),
}

DEFAULT: Titles = MappingProxyType(
    {word: kind for kind, words in _WORDS.items() for word in words.casefold().split("|")}
)
"""Titles of the sections in English, German, Polish, French, Spanish, Portuguese, Italian, Chinese,
Japanese, Korean and Russian."""
