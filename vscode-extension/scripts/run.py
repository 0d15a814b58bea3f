"""Starts the bundled server. Stays readable for every Python 3, so that an old one can say so."""

import os
import sys

OLDEST = (3, 10)


def main():
    """Put the bundled libraries before everything else and hand over to the command line."""
    if sys.version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        found = ".".join(map(str, sys.version_info[:3]))
        message = "adk-tool-lens needs Python %s or newer; %s is Python %s.\n"
        sys.stderr.write(message % (needed, sys.executable, found))
        return 2
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:0] = [here, os.path.join(here, "libs")]  # noqa: PTH118
    from adk_tool_lens.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
