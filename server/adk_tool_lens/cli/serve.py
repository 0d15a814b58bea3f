"""`adk-tool-lens server`: the language server over standard input and output."""

from __future__ import annotations

import argparse
import logging
import sys


def run(_arguments: argparse.Namespace) -> int:
    """Serves until the client ends it. Nothing but the protocol goes to standard output."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    from adk_tool_lens.lsp.connection import run as serve

    return serve()
