"""What repairs must know of google-adk's versions; measured by building declarations with each."""

from __future__ import annotations

from adk_tool_lens.rules._versions import Versions, at_least

_SEND_FIELDS = (Versions("1.19", "2.0"), Versions("2.10"))


def takes_confirmation(adk: str | None) -> bool:
    """Whether `FunctionTool` knows `require_confirmation`: from 1.14 on."""
    return at_least(adk, "1.14")


def sends_field_descriptions(adk: str | None) -> bool:
    """Whether `Annotated[T, Field(description=..., ge=...)]` reaches the model: 1.19 to 1.39, 2.10 or later.

    1.18 and earlier raise for it, 2.0 to 2.9 build their schema without the metadata of `Annotated`.
    """
    return adk is not None and any(versions.has(adk) for versions in _SEND_FIELDS)
