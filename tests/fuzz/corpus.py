"""What is opened and typed: small projects, and pieces of code as people type them."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"
PIECES = (
    *(
        "",
        "",
        "x",
        " ",
        "\n",
        "    ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"""',
        "'''",
        '"',
        "'",
        "#",
        ":",
        ",",
        "=",
    ),
    *(
        "\\",
        "\\\n",
        "\r\n",
        "\r",
        "😀",
        "ż",
        "\u2028",
        "\x0c",
        "\t",
        "\0",
        "\ud800",
        "@",
        ";",
        "f'{",
        "\ufeff",
    ),
    *(
        "def new(a, b=1):\n    return a\n",
        "class K:\n    x: int = 1\n",
        "if x:\n    pass\n",
        "else:\n    pass\n",
    ),
    *(
        "from tools import *\n",
        "from __future__ import annotations\n",
        "x = [\n1,\n",
        "y += 1\n",
        "del find\n",
    ),
    *(
        "try:\n    a = 1\nexcept ImportError:\n    a = 2\n",
        "@d\n",
        "@d(\n",
        "async ",
        "match x:\n    case 1:\n        z = 1\n",
    ),
    *(
        '    """Doc.\n\ndef inside(): ...\n    """\n',
        "# adk-tool-lens: ignore\n",
        "tools.append(send)\n",
        "x.a = 1\n",
    ),
    *(
        "type X = int\n",
        "return\n",
        "lambda: 0",
        "root_agent",
        "\n\n\n",
        "for i in x:\n    i = 2\n",
        "find",
        ", send",
    ),
    *(
        "from tools import find as search\n",
        "import tools\n",
        "Any",
        "int",
        "-> str",
        "find = send\n",
        "return {}",
    ),
    *(
        "# adk-tool-lens: ignore[missing-description]",
        "# adk-tool-lens: ignore-file\n",
        "LIMIT = 7\n",
        "tools",
        "ALL",
    ),
    *(
        "from google.adk.agents import Agent\n",
        "a2 = Agent(name='b', model='gemini-2.5-flash', tools=[find])\n",
    ),
    '    """Doc.\n\n    Args:\n        x: word\n    """\n',
)
"""What is typed or pasted, whole or one character after the other."""

PROJECTS = sorted(
    {path.parent for path in (FIXTURES / "discovery").glob("*/agent.py")}
    | {FIXTURES / "discovery" / "re-exports" / "kit", FIXTURES / "workspace" / "warehouse"}
    | {path.parent for path in (FIXTURES / "declarations" / "projects").glob("*/tools.py")}
    - {FIXTURES / "declarations" / "projects" / "python312"}
)
"""Folders with one to five files that import from each other."""

SMALL = sorted(
    path
    for folder in ("discovery", "rules", "workspace", "hostile")
    for path in (FIXTURES / folder).rglob("*.py")
    if path.stat().st_size < 1500
)
"""Single files."""

SETTINGS = (
    "",
    "[tool.adk-tool-lens]\nignore = ['missing-description']\n",
    "[tool.adk-tool-lens]\nbackend = 'vertex'\nseverity = {untyped-parameter = 'hint'}\n",
    "[tool.adk-tool-lens\n",
    "[tool.adk-tool-lens]\nper-file-ignores = {'tools.py' = ['ALL']}\n",
    "[tool.adk-tool-lens]\nselect = ['registration']\nexclude = ['tools.py']\n",
)
"""Texts of a pyproject.toml."""

EDITOR_SETTINGS: tuple[dict[str, object], ...] = (
    {},
    {"ignore": ["description"]},
    {"select": ["schema"]},
    {"severity": {"thin-description": "error"}},
    {"backend": "vertex"},
)
