"""The command line with short waits, so that tests of trouble need not wait long; run as a program."""

from __future__ import annotations

import sys

from adk_tool_lens.cli.main import main
from adk_tool_lens.declaration import client
from adk_tool_lens.ide import session
from adk_tool_lens.lsp import environments

client.ANSWER_SECONDS = 3.0
client.PROBLEM_RECHECK_SECONDS = 1.0
session.RETRY = 1.0
environments.LOOK_SECONDS = 0.3

if __name__ == "__main__":
    sys.exit(main())
