'''A description written beside the type does not reach the model.

## What it does
Reports a description in `Field(description=...)`, a bare string in `Annotated[...]` or a `Doc(...)` that is
neither in the parameter's schema nor in the tool's description.

## Why it matters
google-adk 2.0 to 2.9.2 builds its schema without the metadata of `Annotated`: the text and bounds of
`Field` are lost; 1.19 to 1.39 and 2.10 or later send them. A bare string and `Doc(...)` are dropped by
every version. The finding follows from the declaration that the project's own google-adk built.

## What it ignores
Texts that are no literals, parameters the model is not told of, and descriptions that the docstring
repeats.

## Example
```python
from typing import Annotated


def get_stock(sku: Annotated[str, "Eight digit article number"]) -> dict:
    """Get the stock of an article. Returns a dict with the count."""
    return {}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article. Returns a dict with the count.

    Args:
        sku: Eight digit article number.
    """
    return {}
```

## Fix
Moves the text into the docstring's `Args:`. Safe: types, defaults and bounds stay.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Metadata, MetadataKind, Parameter
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"
DIFFERS = (Versions("2.0", "2.10"),)
_HOW = {
    MetadataKind.FIELD: "`Field(description=...)`",
    MetadataKind.STRING: "a bare string in `Annotated`",
    MetadataKind.DOC: "`Doc(...)`",
    MetadataKind.DEFAULT: "`= Field(description=...)`",
}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None:
        return
    for parameter in view.parameters:
        for metadata in parameter.metadata:
            if metadata.description and not _arrives(view, parameter.name, metadata.description):
                yield _finding(view, parameter, metadata)


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """What is sent now, and is in the docstring only when somebody writes it there."""
    for parameter in view.parameters:
        for metadata in parameter.metadata:
            text = metadata.description if metadata.kind is MetadataKind.FIELD else None
            if text and " ".join(text.split()) not in " ".join(view.description.split()):
                yield _finding(view, parameter, metadata)


def _arrives(view: ToolView, name: str, description: str) -> bool:
    wanted = " ".join(description.split())
    sent = " ".join(view.sent_description(name).split())
    return wanted in sent or wanted in " ".join(view.description.split())


def _finding(view: ToolView, parameter: Parameter, metadata: Metadata) -> Finding:
    fixable = view.tool.layout is not None
    return Finding(
        "field-description-lost",
        SEVERITY,
        f"The model never sees this description of `{parameter.name}` of `{view.tool.name}`: "
        f"{view.facts.judged_by} does not send the text of {_HOW[metadata.kind]}. Move it to the docstring's "
        "`Args:`.",
        metadata.place,
        view.tool.name,
        (Fix("move-description", (parameter.name,)),) if fixable else (),
    )
