"""What stops a command or is left out of its work, in words for the person who typed it."""

from __future__ import annotations

import sys


class UsageError(Exception):
    """A command cannot do its work; the message says what, why and what to do."""


def warn(message: str) -> None:
    """Says something on standard error, where it disturbs no program that reads the output."""
    print(f"adk-tool-lens: {message}", file=sys.stderr)  # noqa: T201 - standard error is for people
