"""Repairs of whole files: in the project's style, of the rules that are wanted, and of nothing suppressed."""

from __future__ import annotations

from pathlib import Path

from adk_tool_lens.ide.configuration import Configuration
from adk_tool_lens.ide.fixing import Fixing
from adk_tool_lens.ide.session import Project, index_of
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.interpreters import Interpreter
from adk_tool_lens.project.settings import Loaded, Settings
from fixes.conftest import ClientFor
from fixes.lost import LOST, MOVED

BARE = LOST.replace('    """Finds."""\n', "")
SORTED = ('{"a"}', 'sorted({"a"})')
USED = {
    "google": '    """Uses a tool.\n\n    Args:\n        x: It.\n    """\n',
    "numpy": "    '''Uses a tool.\n\n    Parameters\n    ----------\n    x\n        It.\n    '''\n",
    "rest": '    """Uses a tool.\n\n    :param x: It.\n    :param y: It.\n    """\n',
    "epytext": '    """Uses a tool.\n\n    @param x: It.\n    """\n',
}
WRITTEN = {
    "google": "    Args:\n        city: Größe 🌍\n",
    "numpy": "    Parameters\n    ----------\n    city\n        Größe 🌍\n",
    "rest": "    :param city: Größe 🌍\n",
    "epytext": "    @param city: Größe 🌍\n",
}


def fixed(
    folder: Path,
    text: str,
    client_for: ClientFor,
    *,
    over: Settings | None = None,
    unsafe: bool = False,
) -> str:
    """`agent.py` in a folder of a project, with all repairs that are wanted."""
    folder.mkdir(exist_ok=True, parents=True)
    file = folder / "agent.py"
    file.write_text(text, "utf-8")
    client = client_for("2.9.0")
    environment = client.environment()
    settings = Configuration(folder, over=Loaded(over or Settings()))
    workspace = Workspace((folder,), environment.interpreter)
    project = Project(
        folder,
        Interpreter(environment.interpreter, "a test"),
        client,
        workspace,
        environment=environment,
        configuration=settings,
    )
    project.index = index_of(workspace, (folder,))
    project.index.build(workspace, workspace.world(project.python))
    (done,) = Fixing(project, unsafe=unsafe).run([file])
    return done.text


def use(file: Path, *styles: str) -> None:
    """Writes a file with a function for each style."""
    file.parent.mkdir(exist_ok=True, parents=True)
    functions = [f"def f{number}(x, y):\n{USED[style]}" for number, style in enumerate(styles)]
    file.write_text("\n\n".join(functions), "utf-8")


def test_descriptions_are_in_the_style_most_used_in_the_project(
    client_for: ClientFor, tmp_path: Path
) -> None:
    for style in USED:
        folder = tmp_path / style
        use(folder / "one.py", style, "google" if style != "google" else "numpy")
        use(folder / "more" / "two.py", style, style)
        for text in (LOST, BARE):
            assert WRITTEN[style] in fixed(folder, text, client_for), style


def test_the_files_own_style_counts_among_the_others(client_for: ClientFor, tmp_path: Path) -> None:
    use(tmp_path / "one.py", "google")
    own = f"def f(x):\n{USED['numpy']}\n\n"
    assert WRITTEN["numpy"] in fixed(tmp_path, LOST.replace("def find", f"{own}def find"), client_for)


def test_a_project_inside_another_is_asked_first(client_for: ClientFor, tmp_path: Path) -> None:
    use(tmp_path / "one.py", "numpy", "numpy")
    use(tmp_path / "inner" / "two.py", "rest")
    (tmp_path / "inner" / "pyproject.toml").write_text("", "utf-8")
    assert WRITTEN["rest"] in fixed(tmp_path / "inner", LOST, client_for)


def test_the_setting_decides(client_for: ClientFor, tmp_path: Path) -> None:
    use(tmp_path / "one.py", "numpy", "numpy")
    (tmp_path / "pyproject.toml").write_text('[tool.adk-tool-lens]\ndocstring-style = "rest"\n', "utf-8")
    assert WRITTEN["rest"] in fixed(tmp_path, LOST, client_for)
    assert WRITTEN["rest"] in fixed(tmp_path, BARE, client_for)


def test_a_docstring_keeps_its_own_style(client_for: ClientFor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.adk-tool-lens]\ndocstring-style = "rest"\n', "utf-8")
    text = LOST.replace('"""Finds."""', '"""Finds.\n\n    Returns:\n        dict: It.\n    """')
    assert WRITTEN["google"] in fixed(tmp_path, text, client_for)


def test_only_what_is_wanted_is_repaired(client_for: ClientFor, tmp_path: Path) -> None:
    one = Settings(select=("result-not-serialisable",))
    assert fixed(tmp_path, LOST, client_for, over=one) == LOST
    assert fixed(tmp_path, LOST, client_for, over=one, unsafe=True) == LOST.replace(*SORTED)
    other = Settings(select=("field-description-lost",))
    assert fixed(tmp_path, LOST, client_for, over=other, unsafe=True) == MOVED
    both = Settings(ignore=("field-description-lost",))
    text = fixed(tmp_path, LOST, client_for, over=both, unsafe=True)
    assert SORTED[1] in text
    assert "Annotated[str, Field(" in text


def test_what_is_suppressed_is_not_repaired(client_for: ClientFor, tmp_path: Path) -> None:
    one = Settings(select=("field-description-lost",))
    comment = "# adk-tool-lens: ignore"
    for text in (
        LOST.replace("-> dict:", f"-> dict:  {comment}[field-description-lost]"),
        LOST.replace("-> dict:", f"-> dict:  {comment}"),
        f"{comment}-file\n{LOST}",
    ):
        assert fixed(tmp_path, text, client_for, over=one, unsafe=True) == text
    left_out = Settings(select=one.select, per_file_ignores=(("agent.py", ("field-description-lost",)),))
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    assert fixed(tmp_path, LOST, client_for, over=left_out) == LOST


def test_a_group_leaves_out_parameters_that_are_suppressed(client_for: ClientFor, tmp_path: Path) -> None:
    text = LOST.replace(
        'city: Annotated[str, Field(description="Größe 🌍")]',
        '\n    city: Annotated[str, Field(description="C")],  # adk-tool-lens: ignore[field-description-lost]'
        '\n    unit: Annotated[str, Field(description="U")],'
        '\n    day: Annotated[str, Field(description="D")],\n',
    )
    after = fixed(tmp_path, text, client_for, over=Settings(select=("field-description-lost",)))
    assert 'city: Annotated[str, Field(description="C")],  # adk' in after
    assert "    unit: str,\n    day: str,\n" in after
    assert "    Args:\n        unit: U\n        day: D\n" in after
