"""What repairs must know of google-adk's versions; measured by building declarations with each."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(\d+)\.(\d+)")


def number(adk: str | None) -> tuple[int, int] | None:
    """Major and minor of a version's text."""
    match = _NUMBER.match(adk or "")
    return (int(match.group(1)), int(match.group(2))) if match else None


def takes_confirmation(adk: str | None) -> bool:
    """Whether `FunctionTool` knows `require_confirmation`: from 1.14 on."""
    version = number(adk)
    return version is None or version >= (1, 14)


def sends_field_descriptions(adk: str | None) -> bool:
    """Whether `Annotated[T, Field(description=..., ge=...)]` reaches the model: 1.19 to 1.39, 2.10 or later.

    1.18 and earlier raise for it, 2.0 to 2.9 build their schema without the metadata of `Annotated`.
    """
    version = number(adk)
    if version is None:
        return False
    return (1, 19) <= version < (2, 0) or version >= (2, 10)
