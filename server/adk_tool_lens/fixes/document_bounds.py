"""Writes bounds that google-adk does not send (`ge=1`, `max_length=8`) into the docstring's `Args:`."""

from __future__ import annotations

from adk_tool_lens.discovery.model import Option, Parameter
from adk_tool_lens.fixes.docstring_text import entries
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.versions import sends_field_descriptions
from adk_tool_lens.rules.model import ToolView

GROUPED = True
_NUMBERS = {"ge": "at least {}", "gt": "more than {}", "le": "at most {}", "lt": "less than {}"}
_LENGTHS = {"min_length": "at least {} {}", "max_length": "at most {} {}"}


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    view = case.view
    if not isinstance(view, ToolView) or sends_field_descriptions(case.facts.adk):
        return None
    texts = {p.name: text for p in case.parameters() if (text := bounds_text(p))}
    edits = entries(case, texts) if texts else None
    if not edits:
        return None
    names = list(texts)
    what = f"bounds of '{names[0]}'" if len(names) == 1 else f"bounds of {len(names)} parameters"
    return Repair(f"Write {what} into docstring Args", edits)


def bounds_text(parameter: Parameter) -> str:
    """The bounds of a parameter as a sentence; empty without any."""
    options = [option for metadata in parameter.metadata for option in metadata.options]
    unit = _unit(parameter)
    said = [phrase for option in options if (phrase := _phrase(option, unit))]
    if not said:
        return ""
    last = said[-1] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
    lengths = unit == "items" and all(o.name in _LENGTHS for o in options if _phrase(o, unit))
    return f"Must {'have' if lengths else 'be'} {last}."


def _phrase(option: Option, unit: str) -> str:
    value = option.text if option.value is None else option.value
    if option.name in _NUMBERS:
        return _NUMBERS[option.name].format(value)
    if option.name in _LENGTHS:
        plural = unit[:-1] if value == 1 else unit
        return _LENGTHS[option.name].format(value, plural) + (" long" if unit == "characters" else "")
    if option.name == "multiple_of":
        return f"a multiple of {value}"
    return f"a match of `{value}`" if option.name == "pattern" else ""


def _unit(parameter: Parameter) -> str:
    """What lengths count."""
    names = {t.name for t in parameter.type.alternatives} if parameter.type is not None else set()
    return "characters" if names <= {"builtins.str", "builtins.bytes"} else "items"
