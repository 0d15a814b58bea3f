"""`python -m adk_tool_lens`: the command line."""

import sys

from adk_tool_lens.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
