"""What stops a command, in words for the person who typed it."""

from __future__ import annotations


class UsageError(Exception):
    """A command cannot do its work; the message says what, why and what to do."""
