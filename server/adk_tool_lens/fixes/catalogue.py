"""Finds the repair that a finding names."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType

from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.rules.model import Fix, ToolView


@cache
def _module(kind: str) -> ModuleType | None:
    name = f"{__package__}.{kind.replace('-', '_')}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def repair(fix: Fix, view: ToolView) -> Repair | None:
    """The repair behind a fix of a finding; None when it cannot be made safely."""
    module = _module(fix.kind)
    return None if module is None else module.repair(view, fix.arguments)
