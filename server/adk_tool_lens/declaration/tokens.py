"""Estimates how many tokens a declaration costs in each request."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def estimate(declaration: Mapping[str, Any]) -> int:
    """About how many tokens the compact JSON takes.

    Four characters count as a token, and each character outside ASCII as one.

    Providers count differently and do not publish their tokenizers; the estimate is for comparing tools.
    """
    return estimate_text(json.dumps(declaration, ensure_ascii=False, separators=(",", ":")))


def estimate_text(text: str) -> int:
    """About how many tokens a text takes, counted in the same way."""
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / 4) + (len(text) - plain)
