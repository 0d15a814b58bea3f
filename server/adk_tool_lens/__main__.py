"""`python -m adk_tool_lens`: the command line."""

import os
import sys

# `python -m` looks for modules in the working directory first, and a project may have an `asyncio.py` there.
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - see above
if sys.path[0] in {"", os.getcwd()} and os.getcwd() != _HERE:  # noqa: PTH109
    del sys.path[0]

from adk_tool_lens.cli.main import main  # noqa: E402 - only now

if __name__ == "__main__":
    sys.exit(main())
