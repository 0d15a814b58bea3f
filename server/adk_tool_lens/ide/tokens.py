"""How many tokens a declaration costs; see `declaration/tokens.py`."""

from adk_tool_lens.declaration.tokens import estimate

__all__ = ["estimate"]


def over_budget(tokens: int, budget: int) -> str:
    """What is said behind the size of a declaration that takes more than the settings allow."""
    return f" (over the budget of {budget})" if tokens > budget else ""
