"""Finds the rules and reads their pages.

A rule is a module of this package that defines `SEVERITY`, `GROUP` and one of

* `check_tool(view: ToolView) -> Iterator[Finding]`
* `check_agent(view: AgentView) -> Iterator[Finding]`
* `check_callbacks(view: CallbacksView) -> Iterator[Finding]`
* `check_file(view: FileView) -> Iterator[Finding]`

It may define `DIFFERS` and `elsewhere` for projects that allow several versions of google-adk (`_elsewhere`).
Its name is the module's in kebab case; its docstring is its page.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from adk_tool_lens import rules
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import AgentView, CallbacksView, FileView, Finding, Severity, ToolView

_NOT_RULES = {"catalogue", "generate", "model", "pages"}
"""Modules of the package that are no rules, beside those whose name begins with an underscore."""

CheckTool = Callable[[ToolView], Iterator[Finding]]
CheckAgent = Callable[[AgentView], Iterator[Finding]]
CheckCallbacks = Callable[[CallbacksView], Iterator[Finding]]
CheckFile = Callable[[FileView], Iterator[Finding]]


@dataclass(frozen=True)
class Rule:
    """One rule of the catalogue."""

    name: str
    group: str
    severity: Severity
    page: str
    check_tool: CheckTool | None
    check_agent: CheckAgent | None
    on_by_default: bool = True
    check_file: CheckFile | None = None
    check_callbacks: CheckCallbacks | None = None
    differs: tuple[Versions, ...] = ()
    """The google-adk versions in which it answers otherwise, for projects that allow several."""
    elsewhere: CheckTool | None = None
    """What it finds under another version, told from the text alone; its check, when there is none."""


@cache
def catalogue() -> dict[str, Rule]:
    """All rules by name."""
    found = (
        _rule(info.name, importlib.import_module(f"{rules.__name__}.{info.name}"))
        for info in pkgutil.iter_modules(rules.__path__)
        if info.name not in _NOT_RULES and not info.name.startswith("_")
    )
    return {rule.name: rule for rule in found}


def _rule(module_name: str, module: ModuleType) -> Rule:
    return Rule(
        name=module_name.replace("_", "-"),
        group=module.GROUP,
        severity=module.SEVERITY,
        page=(module.__doc__ or "").strip() + "\n",
        check_tool=getattr(module, "check_tool", None),
        check_agent=getattr(module, "check_agent", None),
        check_file=getattr(module, "check_file", None),
        check_callbacks=getattr(module, "check_callbacks", None),
        differs=getattr(module, "DIFFERS", ()),
        elsewhere=getattr(module, "elsewhere", None),
        on_by_default=getattr(module, "ON_BY_DEFAULT", True),
    )
