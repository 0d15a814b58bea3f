'''The result holds a value that cannot be sent to the model.

## What it does
Reports a returned value, or one in a returned dict or list, that has no form in JSON: a set, a caught
exception, a generator, a function, `uuid.uuid4()`, `Decimal(...)`, `Path(...)`, a date inside of a dict, a
response of `requests`, a table of pandas, an object of a plain class.

## Why it matters
The next request to the model carries the result as JSON. The google-genai client raises TypeError ("Object
of type set is not JSON serializable"), and the run ends (seen with google-adk 1.39.1, 2.9.0 and 2.13.0). A
date that is the whole result is sent as text; inside of a dict or list it raises. `str(...)` of the value
is enough.

## What it ignores
Values whose type the text does not tell, pydantic models and dataclasses, which are sent as objects, agents
whose model is not Gemini (LiteLLM sends the value's text instead), and agents with an
`after_tool_callback`, which may change the result.

## Example
```python
def find_tags(article: str) -> dict:
    """Find the tags of an article.

    Args:
        article: Number of the article.

    Returns:
        A dict with `status` and `tags`.
    """
    return {"status": "success", "tags": {"new", "sale"}}
```

## Use instead
```python
def find_tags(article: str) -> dict:
    """Find the tags of an article.

    Args:
        article: Number of the article.

    Returns:
        A dict with `status` and `tags`.
    """
    return {"status": "success", "tags": ["new", "sale"]}
```

## Fix
Wraps the value in `str(...)`, or in `sorted(...)` for a set. Not safe: callers may use the value itself.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Returned, TypeKind
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "result"
_KINDS = {"set": "a set", "generator": "a generator", "lambda": "a function", "exception": "an exception"}
_HTTP = [
    f"{library}.{verb}" for library in ("requests", "httpx") for verb in ("get", "post", "put", "request")
]
_CALLS = {
    **dict.fromkeys(("builtins.set", "builtins.frozenset"), "a set"),
    **dict.fromkeys(
        (f"builtins.{name}" for name in ("map", "filter", "zip", "range", "enumerate")), "an iterator"
    ),
    **dict.fromkeys(("builtins.complex",), "a complex number"),
    **dict.fromkeys((f"uuid.uuid{number}" for number in (1, 3, 4, 5)), "a UUID"),
    **dict.fromkeys(("decimal.Decimal",), "a Decimal"),
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "pathlib.Path.cwd"), "a path"),
    **dict.fromkeys(("datetime.timedelta",), "a time span"),
    **dict.fromkeys(_HTTP, "a response object"),
    **dict.fromkeys(
        ("pandas.DataFrame", "pandas.read_csv", "pandas.read_sql", "pandas.read_excel"), "a table of pandas"
    ),
    **dict.fromkeys(("numpy.array", "numpy.zeros", "numpy.asarray"), "an array of numpy"),
}
_DATES = {
    f"datetime.{name}"
    for name in ("datetime", "datetime.now", "datetime.utcnow", "datetime.today", "datetime.strptime", "date")
} | {"datetime.date.today", "datetime.datetime.fromisoformat", "datetime.date.fromisoformat", "datetime.time"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.is_generator or not _sent_as_json(view):
        return
    found = [hit for each in view.tool.body.returns for hit in _faults(each, inside=False)]
    for value, what in found:
        yield _finding(view, value, what)
    if not found and view.tool.result is not None and view.tool.returns is not None:
        result = view.tool.result
        made = any(each.callee == result.name for each in view.tool.body.returns)
        if result.kind is TypeKind.CLASS and made:
            yield Finding(
                "result-not-serialisable",
                SEVERITY,
                f"`{view.tool.name}` returns an object of `{result.name.rpartition('.')[2]}`, which cannot "
                "be sent to the model: the run ends with a TypeError. Return a dict, or make it a pydantic "
                "model or dataclass.",
                view.tool.returns.place,
                view.tool.name,
            )


def _sent_as_json(view: ToolView) -> bool:
    """Whether some agent that holds the tool sends results to Gemini as they are."""
    if not view.agents:
        return True
    return any(
        agent.provider in {None, "gemini"}
        and not any(each.kind == "after_tool_callback" for each in agent.callbacks)
        for agent in view.agents
    )


def _faults(value: Returned, *, inside: bool) -> Iterator[tuple[Returned, str]]:
    if value.kind in {"dict", "list", "tuple"}:
        for part in value.values:
            yield from _faults(part, inside=True)
    elif value.kind in _KINDS:
        yield value, _KINDS[value.kind]
    elif value.kind == "call" and value.callee in _CALLS:
        yield value, _CALLS[value.callee]
    elif value.kind == "call" and inside and value.callee in _DATES:
        yield value, "a date"


def _finding(view: ToolView, value: Returned, what: str) -> Finding:
    convert = "sorted" if what == "a set" else "list" if what in {"a generator", "an iterator"} else "str"
    return Finding(
        "result-not-serialisable",
        SEVERITY,
        f"This result of `{view.tool.name}` holds {what}, which cannot be sent to the model: the run ends "
        f"with a TypeError. Return a value that JSON has, e.g. with `{convert}(...)`.",
        value.place,
        view.tool.name,
        (Fix("convert-result", (convert,)),),
    )
