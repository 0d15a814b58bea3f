"""The index says who registers the tools of a file, and stays true while files change."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide import index
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.index_cache import IndexCache
from adk_tool_lens.ide.links import Links, linked
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project import survey
from adk_tool_lens.project.settings import STYLES
from adk_tool_lens.project.survey import of_text
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText

TOOLS = """
def find(order: str) -> dict:
    return {}


def send(to: str) -> dict:
    return {}
"""
AGENT = """
from google.adk.agents import Agent
from tools import find

root = Agent(name="root", tools=[find])
"""
ROW = b'{"files": {"0": [1]}, "paths": ["x"], "words": []}'
CYCLE_A = """
from google.adk.agents import Agent
from b import g


def f(x: str) -> dict:
    return {}


A = Agent(name="a", tools=[f, g])
"""
CYCLE_B = """
from a import f


def g(y: str) -> dict:
    return f(y)
"""


class Folder:
    """A workspace on disk with its index."""

    def __init__(self, root: Path, files: dict[str, str], cache: IndexCache | None = None) -> None:
        self.root = root
        for name, text in files.items():
            self.write(name, text)
        self.workspace = Workspace((root,), memo=Memo())
        self.index = Index((root,), cache=cache)
        self.index.build(self.workspace, self.workspace.world())

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.stat().st_mtime_ns if path.exists() else 0
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(before + 10_000_000_000, before + 10_000_000_000))
        return path

    def registering(self, name: str) -> list[str]:
        return [str(path.relative_to(self.root)) for path in self.index.registering(self.root / name)]

    def on_disk(self, *names: str) -> None:
        if self.index.on_disk([self.root / name for name in names]):
            assert self.workspace.memo is not None
            self.workspace.memo.entries.clear()
        self.index.settle(self.workspace, self.workspace.world())


def test_a_tool_file_knows_who_registers_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT, "other.py": "x = 1\n"})
    assert folder.registering("tools.py") == ["agent.py"]
    assert folder.registering("other.py") == []


def test_only_files_that_can_matter_are_read(tmp_path: Path) -> None:
    files = {f"lib/m{n}.py": "class Agentish:\n    tools = []\n" for n in range(20)}
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT, **files})
    assert [Path(path).name for path in folder.index.links] == ["agent.py"]


def test_an_agent_class_of_the_project_counts_without_the_name_of_adk(tmp_path: Path) -> None:
    base = "from google.adk.agents import LlmAgent\n\n\nclass MyAgent(LlmAgent):\n    pass\n"
    main = "from team import MyAgent\nfrom tools import find\n\na = MyAgent(name='a', tools=[find])\n"
    files = {
        "team/__init__.py": "from .base import *\n",
        "team/base.py": base,
        "main.py": main,
        "tools.py": TOOLS,
    }
    assert Folder(tmp_path, files).registering("tools.py") == ["main.py"]


def test_a_change_on_disk_is_taken_over(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    folder.write("agent.py", AGENT.replace("[find]", "[]"))
    folder.on_disk("agent.py")
    assert folder.registering("tools.py") == []


def test_files_come_and_go(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    folder.write("second.py", AGENT.replace("root", "second"))
    folder.on_disk("second.py")
    assert folder.registering("tools.py") == ["agent.py", "second.py"]
    (tmp_path / "agent.py").unlink()
    folder.on_disk("agent.py")
    assert folder.registering("tools.py") == ["second.py"]


def test_a_renamed_tool_file_is_missed_and_found_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    (tmp_path / "tools.py").rename(tmp_path / "orders.py")
    folder.on_disk("tools.py", "orders.py")
    assert folder.registering("orders.py") == []
    (tmp_path / "orders.py").rename(tmp_path / "tools.py")
    folder.on_disk("tools.py", "orders.py")
    assert folder.registering("tools.py") == ["agent.py"]


def test_a_list_between_agent_and_tools_makes_the_agent_dirty(tmp_path: Path) -> None:
    lists = "from tools import find\n\nTOOLS = [find]\n"
    agent = AGENT.replace("from tools import find", "from lists import TOOLS").replace("[find]", "TOOLS")
    folder = Folder(tmp_path, {"tools.py": TOOLS, "more.py": TOOLS, "lists.py": lists, "agent.py": agent})
    folder.write("lists.py", lists.replace("tools", "more"))
    folder.on_disk("lists.py")
    assert (folder.registering("tools.py"), folder.registering("more.py")) == ([], ["agent.py"])


def test_a_folder_that_goes_takes_its_files_along(tmp_path: Path) -> None:
    agent = AGENT.replace("from tools", "from ..tools")
    files = {"__init__.py": "", "tools.py": TOOLS, "sub/__init__.py": "", "sub/agent.py": agent}
    folder = Folder(tmp_path / "pkg", files)
    assert folder.registering("tools.py") == ["sub/agent.py"]
    for name in ("sub/agent.py", "sub/__init__.py"):
        (folder.root / name).unlink()
    (folder.root / "sub").rmdir()
    folder.on_disk("sub")
    assert folder.registering("tools.py") == []


def test_an_open_buffer_wins_over_the_disk(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    path = tmp_path / "agent.py"
    module = folder.workspace.module_of(AGENT.replace("[find]", "[]"), path)
    folder.workspace.overlays[path] = module
    folder.index.opened(module, folder.workspace.world())
    assert folder.registering("tools.py") == []
    folder.index.on_disk([path], [path])
    folder.index.settle(folder.workspace, folder.workspace.world())
    assert folder.registering("tools.py") == []


def test_a_restart_reads_nothing_that_is_unchanged(tmp_path: Path) -> None:
    cache = IndexCache(tmp_path / "cache", (tmp_path / "w",), "")
    files = {"tools.py": TOOLS, "agent.py": AGENT}
    first = Folder(tmp_path / "w", files, cache)
    second = Index((first.root,), cache=cache)
    second.read = None  # type: ignore[assignment]  # nothing may be read
    second._look = None  # type: ignore[assignment]
    second.build(first.workspace, first.workspace.world())
    assert second.links == first.index.links
    assert second.facts == first.index.facts


def test_a_changed_dependency_is_read_again_after_a_restart(tmp_path: Path) -> None:
    cache = IndexCache(tmp_path / "cache", (tmp_path / "w",), "")
    folder = Folder(tmp_path / "w", {"tools.py": TOOLS, "agent.py": AGENT}, cache)
    folder.write("tools.py", TOOLS.replace("def find", "def other"))
    again = Index((folder.root,), cache=cache)
    fresh = Workspace((folder.root,))
    again.build(fresh, fresh.world())
    assert again.registering(folder.root / "tools.py") == ()


def test_a_damaged_cache_is_as_good_as_none(tmp_path: Path) -> None:
    cache = IndexCache(tmp_path / "cache", (tmp_path / "w",), "")
    folder = Folder(tmp_path / "w", {"tools.py": TOOLS, "agent.py": AGENT}, cache)
    whole = cache.path.read_bytes()
    for damaged in (
        whole[: len(whole) // 2],
        b"",
        b"[]",
        ROW,
        b"\xff",
    ):
        cache.path.write_bytes(damaged)
        again = Folder(tmp_path / "w", {}, cache)
        assert again.registering("tools.py") == ["agent.py"]
    assert folder.index.links == again.index.links


def test_what_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"from google.adk.agents import Agent\nx = '\xe9'\n")
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    assert folder.registering("tools.py") == ["agent.py"]
    assert any("latin.py" in problem for problem in folder.index.problems)


def test_modules_that_import_each_other_are_read(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"a.py": CYCLE_A, "b.py": CYCLE_B})
    assert folder.registering("b.py") == ["a.py"]


def test_text_facts_see_through_forms_of_import() -> None:
    text = "from google import adk\nfrom .agents import (\n    one,\n    two as three,\n)\nimport x.y, z\n"
    facts = of_text(text, "m.py")
    assert facts.adk
    assert {"agents", "one", "two", "x", "y", "z"} <= facts.imports


def test_what_the_only_agent_registered_is_looked_at_again_when_it_goes(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT})
    (tmp_path / "agent.py").unlink()
    folder.index.on_disk([tmp_path / "agent.py"])
    touched = folder.index.settle(folder.workspace, folder.workspace.world())
    assert str(tmp_path / "tools.py") in touched
    assert folder.registering("tools.py") == []


def test_notebooks_register_and_broken_ones_are_named(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": line} for line in (AGENT, "!ls")]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})
    folder = Folder(
        tmp_path, {"tools.py": TOOLS, "orders.ipynb": notebook, "broken.ipynb": '{"cells": ["agent"'}
    )
    assert folder.registering("tools.py") == ["orders.ipynb"]
    assert any("broken.ipynb: is no notebook" in problem for problem in folder.index.problems)


def test_a_generated_file_of_a_million_lines_is_left_out_and_named(tmp_path: Path) -> None:
    huge = AGENT + "value = 1234\n" * 1_000_000
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT, "generated.py": huge})
    assert folder.registering("tools.py") == ["agent.py"]
    assert any("generated.py" in problem for problem in folder.index.problems)


def test_a_fault_of_ours_in_one_file_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(module: Module, world: World) -> Links:
        if module.path is not None and module.path.name == "bad.py":
            raise AssertionError("a fault")
        return linked(module, world)

    monkeypatch.setattr(index, "linked", failing)
    folder = Folder(tmp_path, {"tools.py": TOOLS, "agent.py": AGENT, "bad.py": AGENT})
    assert folder.index.registering(tmp_path / "tools.py") == (tmp_path / "agent.py",)
    (problem,) = folder.index.problems
    assert problem.startswith(str(tmp_path / "bad.py"))


STYLED = '''
"""A tool."""


def find(order: str) -> dict:
    """Finds an order.

    Args:
        order: Its number.
    """
    return {}
'''
NUMPY = STYLED.replace("    Args:\n", "    Parameters\n    ----------\n")


def test_docstring_styles_are_counted_wherever_a_text_is(tmp_path: Path) -> None:
    files = {"a.py": STYLED, "b.py": NUMPY, "sub/c.py": STYLED, "plain.py": "x = 1  # Args:\n"}
    folder = Folder(tmp_path, files)

    def counted() -> dict[str, int]:
        fresh = Index((tmp_path,))
        fresh.build(folder.workspace, folder.workspace.world())
        opened = folder.index.styles(tmp_path)
        assert opened == fresh.styles(tmp_path), "what the disk says, where the editor has the same"
        return {style: count for style, count in zip(STYLES, opened, strict=True) if count}

    assert counted() == {"google": 2, "numpy": 1}
    assert sum(folder.index.styles(tmp_path / "sub")) == 1
    path = tmp_path / "a.py"
    for text in (STYLED, NUMPY, STYLED + NUMPY, "x = 1  # a tool\n"):
        folder.write("a.py", text)
        module = Module.of(text, name="a", path=path)
        folder.index.opened(module, folder.workspace.world())
        again = counted()
    assert again == {"google": 1, "numpy": 1}
    folder.write("a.py", NUMPY)
    folder.on_disk("a.py")
    assert counted() == {"google": 1, "numpy": 2}
    (tmp_path / "b.py").unlink()
    folder.on_disk("b.py")
    assert counted() == {"google": 1, "numpy": 1}


def test_styles_are_counted_anew_in_the_edited_block_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = STYLED + "".join(STYLED.replace("find", f"find_{n}") for n in range(20))
    folder = Folder(tmp_path, {"a.py": text, "b.py": STYLED})
    source = RowText.of(text)
    folder.index.opened(Module(source, name="a", path=tmp_path / "a.py"), folder.workspace.world())
    before = folder.index.styles(tmp_path)
    counted: list[bytes] = []
    styles = survey._styles

    def counting(data: bytes) -> tuple[int, ...]:
        counted.append(data)
        return styles(data)

    monkeypatch.setattr(survey, "_styles", counting)
    at = text.index("Finds")
    edited = Module(source.after(Edit(at, at + 5, "Looks for")), name="a", path=tmp_path / "a.py")
    folder.index.opened(edited, folder.workspace.world())
    assert folder.index.styles(tmp_path) == before
    assert len(counted) == 1
