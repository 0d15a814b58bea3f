'''An annotation that cannot be resolved removes every parameter from the declaration.

## What it does
Reports a tool that has parameters while its declaration has none.

## Why it matters
From google-adk 2.10 on, an annotation that does not exist at run time (imported under `TYPE_CHECKING`, a
class local to a function, a typo) no longer raises: a warning goes to the log, and the tool is sent with
no parameters at all. The model then calls it without arguments. Earlier versions raise NameError.

## What it ignores
Tools whose only parameters are the context, `self`, `*args` or `**kwargs`; declarations that are only
approximate.

## Example
```python adk=2.13.0
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal


def charge(customer: str, amount: Decimal) -> dict:
    """Charge a customer. Returns a dict with the receipt.

    Args:
        customer: Customer number.
        amount: Amount in euros.
    """
    return {}
```

## Use instead
```python
from decimal import Decimal


def charge(customer: str, amount: Decimal) -> dict:
    """Charge a customer. Returns a dict with the receipt.

    Args:
        customer: Customer number.
        amount: Amount in euros.
    """
    return {"charged": str(Decimal(amount))}
```

## Fix
Moves the import out of `TYPE_CHECKING` where it is safe.
'''

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.discovery.model import Expression
from adk_tool_lens.rules._parameters import word_place
from adk_tool_lens.rules.model import CALLABLE_KINDS, Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


_LOGGED = re.compile(r"Parameter '(\w+)' of .*? has unresolvable type annotation (.*?); dropping")
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not isinstance(view.answer, Declared) or view.sent or view.approximations:
        return
    if not any(p.kind in CALLABLE_KINDS and not p.receiver for p in view.tool.parameters):
        return
    blamed = _blamed(view, " ".join(view.answer.logs))
    if blamed is None:
        return
    yield Finding(
        "parameters-dropped",
        SEVERITY,
        f"`{blamed.text}` cannot be resolved when the code runs, so {view.facts.judged_by} sends "
        f"`{view.tool.name}` without any of its parameters. Import or define it at run time.",
        blamed.place,
        view.tool.name,
    )


def _blamed(view: ToolView, logged: str) -> Expression | None:
    """The annotation that google-adk's log names."""
    by_name = {p.name: p.annotation for p in view.tool.parameters}
    if match := _LOGGED.search(logged):
        annotation = by_name.get(match.group(1))
        return None if annotation is None else _narrowed(annotation, _WORD.findall(match.group(2)))
    if match := _UNDEFINED.search(logged):
        annotations = [*by_name.values(), view.tool.returns]
        word = re.compile(rf"\b{re.escape(match.group(1))}\b")
        found = next((a for a in annotations if a is not None and word.search(a.text)), None)
        return None if found is None else _narrowed(found, [match.group(1)])
    return None


def _narrowed(annotation: Expression, words: list[str]) -> Expression:
    """The name in an annotation that is not known, when the log leaves just one."""
    known = set(dir(builtins)) | {"Annotated", "Literal", "Optional", "Union", "ForwardRef"}
    unknown = [word for word in dict.fromkeys(words) if word not in known]
    if len(unknown) != 1:
        return annotation
    return Expression(unknown[0], word_place(annotation.place, unknown[0]))
