"""How many tokens a declaration costs; see `declaration/tokens.py`."""

from adk_tool_lens.declaration.tokens import estimate

__all__ = ["estimate"]
