"""What a running stub cannot do, although its syntax is a stub's."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adk_tool_lens.declaration import worker
from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Declared, Refused
from conftest import AdkPython
from declaration.asking import ask
from declaration.conftest import ClientFor

TOOL = "def f(a: int) -> dict: 'd'\n"
FIELD = "from functools import partial\nfrom pydantic import BaseModel, Field\n"

AT_RUN_TIME = {
    "a class that is a metaclass": "T = type\nX = T('X', (), {})",
    "a decorator that is a metaclass": "@type\ndef g(): pass",
    "a generic alias of a metaclass": "X = type[int]('x')",
    "an annotation as text": "from typing import Optional\nX = Optional['().__class__']\ndef f(a: X): 'd'",
    "a call in an annotation as text": "from typing import Optional\n"
    "X = Optional['__import__(chr(111))']\ndef f(a: X): 'd'",
    "a module in an annotation as text": "import typing\nfrom typing import Optional\n"
    "X = Optional['typing.sys']\ndef f(a: X): 'd'",
    "a module behind a name": "import enum\nE = enum\nX = E.sys",
    "a library's function on its class": "from pathlib import Path\nP = Path('.').read_text",
    "a library's method as default factory": "from pathlib import Path\n"
    + FIELD
    + "class M(BaseModel):\n    a: str = Field(default_factory=Path('VICTIM').unlink)\nm = M()",
    "a built-in method": "X = 'a'\nY = X.join",
    "a change of a library's class": "from google.adk.tools import FunctionTool\nT = FunctionTool\n"
    "T.name = 'x'",
    "a change of a ready-made tool": "from google.adk.tools import google_search\nt = google_search\n"
    "t.name = 'x'",
    "a change of a base class": FIELD + "B = BaseModel\nB.shared = 1",
    "a stub module's import of its own": "from tools import f",
    "a built-in function": "X = iter([1])",
    "a module that has the path of an allowed one": "from google.adk.agents import run_config\n"
    "X = run_config.sys",
    "a library's logger": "from google.adk.agents import llm_agent\nX = llm_agent.logger",
    "a library's function": "from google.adk.utils import variant_utils\n"
    "X = variant_utils.get_google_llm_variant",
    "a function in a container": "from pydantic import BaseModel\n"
    "class M(BaseModel):\n    a: int\nm = M(a=1)\nX = m.model_fields['a'].rebuild_annotation",
    "an item that is a function": "X = {'a': iter}\nY = X['a']",
}


@pytest.mark.parametrize("attack", AT_RUN_TIME)
@pytest.mark.parametrize("version", ["1.39.1", "2.13.0"])
def test_attacks_at_run_time(client_for: ClientFor, tmp_path: Path, version: str, attack: str) -> None:
    victim = tmp_path / "victim"
    victim.touch()
    source = AT_RUN_TIME[attack].replace("VICTIM", str(victim))
    answer = client_for(version).declare(ask(TOOL + source))
    assert isinstance(answer, Refused)
    assert answer.type == "StubRejectedError"
    assert victim.exists()


def test_a_denial_that_google_adk_swallows_is_still_told(client_for: ClientFor) -> None:
    # 2.10 and later drop all parameters when an annotation cannot be resolved.
    source = "from typing import Optional\nX = Optional['().__class__']\ndef f(a: X, b: int): 'd'"
    answer = client_for("2.13.0").declare(ask(source))
    assert isinstance(answer, Refused)
    assert "__class__" in answer.message


def test_names_of_python_that_stubs_lack_do_not_resolve(client_for: ClientFor) -> None:
    source = "from typing import Optional\nX = Optional['open']\ndef f(a: X): 'd'"
    answer = client_for("2.9.0").declare(ask(source))
    assert isinstance(answer, Refused)
    assert (answer.type, answer.message) == ("NameError", "name 'open' is not defined")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("X = bytes(10000000000)", "MemoryError"),
        ("def g(a): return g(a)\nX = g(1)", "RecursionError"),
        ("X = int('x')", "ValueError"),
    ],
)
def test_whatever_a_stub_raises_is_an_answer(client_for: ClientFor, source: str, name: str) -> None:
    client = client_for("2.9.0")
    answer = client.declare(ask(TOOL + source))
    assert isinstance(answer, Refused)
    assert name == answer.type
    assert isinstance(client.declare(ask(TOOL + f"# after {name}")), Declared)


def test_nothing_of_a_stub_stays(client_for: ClientFor) -> None:
    client = client_for("2.9.0")
    assert isinstance(client.declare(ask(TOOL, module="shop.left_over")), Declared)
    answer = client.declare(ask("from shop.left_over import f", module="shop.other"))
    assert isinstance(answer, Refused)
    assert answer.type == "StubRejectedError"


def test_a_stub_may_use_what_its_class_inherits(client_for: ClientFor) -> None:
    source = """
        from pydantic import BaseModel
        class Node(BaseModel):
            kids: "list[Node]" = []
        Node.model_rebuild()
        class Shop:
            def _find(self, node: Node) -> dict: 'd'
            @property
            def p(self): ...
            @p.setter
            def p(self, v): ...
        shop = Shop()
        f = shop._find
        f2 = Shop._find
        f2.__doc__ = 'Finds.'
    """
    answer = client_for("2.13.0").declare(ask(source))
    assert isinstance(answer, Declared)
    assert answer.declaration is not None
    assert answer.declaration["description"] == "Finds."


def talk(python: Path, *messages: object) -> list[dict[str, object]]:
    """One conversation with a worker over its standard streams."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [str(python), "-I", worker.__file__],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_worker_speaks_first_and_without_google_adk() -> None:
    # The interpreter behind the tests' own environment has no packages.
    (said,) = talk(Path(sys._base_executable))  # type: ignore[attr-defined]
    hello = said["hello"]
    assert isinstance(hello, dict)
    assert hello["adk"] is None
    assert "google-adk is not installed in" in hello["problem"]
    assert "pip install google-adk" in hello["problem"]


def test_ping_and_nonsense_are_answered(adk_python: AdkPython) -> None:
    messages = [{"id": 1, "op": "ping"}, [1], {"id": 2, "op": "dance"}, {"id": 3, "op": "declare"}]
    _, pong, broken, unknown, incomplete = talk(adk_python("2.9.0"), *messages)
    assert pong == {"id": 1, "pong": True}
    assert "the worker failed" in str(broken["unavailable"])
    assert "knows no operation 'dance'" in str(unknown["unavailable"])
    assert incomplete["id"] == 3
    assert "the worker failed" in str(incomplete["unavailable"])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("from typing import Tuples", "is nothing that a stub may import"),
        ("from google.adk.tools import Nothing", "cannot import name 'Nothing' from 'google.adk.tools' ("),
        ("import google.adk.tools.nothing", "No module named 'google.adk.tools.nothing'"),
        ("from google.adk.tools.nothing import x", "No module named 'google.adk.tools.nothing'"),
    ],
)
def test_imports_that_fail(client_for: ClientFor, source: str, message: str) -> None:
    answer = client_for("2.9.0").declare(ask(TOOL + source))
    assert isinstance(answer, Refused)
    assert message in answer.message


def test_credentials_are_not_looked_for(client_for: ClientFor) -> None:
    source = "from google.adk.tools import DiscoveryEngineSearchTool as D"
    answer = client_for("1.39.1").declare(ask(source, "D(data_store_id='x')"))
    assert isinstance(answer, Refused)
    assert answer.type == "StubRejectedError"


def test_bytecode_goes_to_the_cache(adk_python: AdkPython, tmp_path: Path) -> None:
    environment = tmp_path / "v"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (site,) = (environment / "lib").glob("python3.*/site-packages")
    (there,) = adk_python("2.9.0").parent.parent.glob("lib/python3.*/site-packages")
    for entry in there.iterdir():
        if entry.name not in {"google", "__pycache__"} and not entry.name.endswith(".pth"):
            (site / entry.name).symlink_to(entry)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(there / "google", site / "google", ignore=ignore)
    client = DeclarationClient(environment / "bin" / "python", cache_dir=tmp_path / "cache")
    answer = client.declare(ask(TOOL))
    client.close()
    assert isinstance(answer, Declared)
    assert list((site / "google").rglob("*.pyc")) == []
    assert list((tmp_path / "cache" / "bytecode").rglob("llm_agent*.pyc")) != []
