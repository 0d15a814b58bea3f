'''The declaration costs more tokens than the budget allows.

## What it does
Reports a tool whose whole declaration (name, description and schemas) takes more tokens than the setting
`token-budget`, 1000 unless set otherwise.

## Why it matters
google-adk sends the declarations of all tools of an agent with every request of every turn. What stands in
a docstring for people (changelogs, long examples) is paid for each time and draws the model's attention
away.

## What it ignores
Nothing. The count is an estimate, four characters a token, because providers do not publish their
tokenizers.

## Example
```python
from typing import Literal

Country = Literal[
    "Albania", "Argentina", "Australia", "Austria", "Belgium", "Bolivia", "Brazil", "Bulgaria",
    "Canada", "Chile", "China", "Colombia", "Croatia", "Cyprus", "Czechia", "Denmark", "Ecuador",
    "Egypt", "Estonia", "Finland", "France", "Germany", "Ghana", "Greece", "Hungary", "Iceland",
    "India", "Indonesia", "Ireland", "Israel", "Italy", "Japan", "Kenya", "Latvia", "Lithuania",
    "Luxembourg", "Malaysia", "Malta", "Mexico", "Morocco", "Netherlands", "New Zealand", "Nigeria",
    "Norway", "Peru", "Philippines", "Poland", "Portugal", "Romania", "Serbia", "Singapore",
    "Slovakia", "Slovenia", "South Africa", "South Korea", "Spain", "Sweden", "Switzerland",
    "Tanzania", "Thailand", "Tunisia", "Turkey", "Uganda", "Ukraine", "Uruguay", "Vietnam",
]


def shipping_cost(
    sender: Country, receiver: Country, transit: Country, payer: Country, insurer: Country, customs: Country
) -> dict:
    """Get the cost of shipping one kilogram from `sender` to `receiver` by way of `transit`.

    The `payer`, the `insurer` and the office of `customs` may be in other countries.

    Returns:
        A dict with `status` and `cost` in euros.
    """
    return {"status": "success", "cost": 9}
```

## Use instead
```python
def shipping_cost(sender: str, receiver: str) -> dict:
    """Get the cost of shipping one kilogram.

    Args:
        sender: Country code of two letters, after ISO 3166.
        receiver: Country code of two letters, after ISO 3166.

    Returns:
        A dict with `status` and `cost` in euros.
    """
    return {"status": "success", "cost": 9}
```

## Fix
None: what the model can do without only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.tokens import estimate
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None:
        return
    whole = estimate(view.declaration)
    budget = view.settings.token_budget
    if whole <= budget:
        return
    text = estimate({"description": view.description})
    part = "its description" if text * 2 > whole else "its schemas"
    yield Finding(
        "description-over-budget",
        SEVERITY,
        f"The declaration of `{view.tool.name}` takes about {whole} tokens of every request, more than the "
        f"budget of {budget}; most of it is {part}. Leave out what the model need not know.",
        view.tool.place,
        view.tool.name,
    )
