"""Which files of a folder are looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adk_tool_lens.project.scan import belongs, project_root, scan


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")


def found(root: Path, exclude: tuple[str, ...] = ()) -> list[str]:
    return sorted(str(Path(path).relative_to(root)) for path in scan(root, exclude).files)


def test_python_files_and_notebooks_are_found(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "pkg/b.py", "notes.ipynb", "readme.md")
    assert found(tmp_path) == ["a.py", "notes.ipynb", "pkg/b.py"]


def test_environments_and_caches_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", ".venv/lib/x.py", "my-env/pyvenv.cfg", "my-env/lib/y.py", "__pycache__/z.py")
    assert found(tmp_path) == ["a.py"]


def test_gitignore_counts_with_its_negations_and_nested_files(tmp_path: Path) -> None:
    write(tmp_path, "build/a.py", "gen_a.py", "gen_keep.py", "sub/gen_b.py", "sub/local.py", "dist/x/y.py")
    (tmp_path / ".gitignore").write_text("build/\n*.log\ngen_*.py\n!gen_keep.py\n/dist\n", encoding="utf-8")
    (tmp_path / "sub" / ".gitignore").write_text("local.py\n!gen_b.py\n", encoding="utf-8")
    assert found(tmp_path) == ["gen_keep.py", "sub/gen_b.py"]


def test_gitignore_of_the_repository_above_counts(tmp_path: Path) -> None:
    write(tmp_path, ".git/HEAD", "service/out/a.py", "service/b.py")
    (tmp_path / ".gitignore").write_text("out\n", encoding="utf-8")
    assert found(tmp_path / "service") == ["b.py"]


def test_an_ignored_folder_that_is_opened_itself_is_looked_at(tmp_path: Path) -> None:
    write(tmp_path, ".git/HEAD", "scratch/a.py")
    (tmp_path / ".gitignore").write_text("scratch/\n", encoding="utf-8")
    assert found(tmp_path / "scratch") == ["a.py"]


def test_excluded_paths_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "tests/test_a.py", "old/b.py")
    assert found(tmp_path, ("tests/", "old/*.py")) == ["a.py"]


def test_links_back_are_followed_once(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "sub/b.py")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "dead.py").symlink_to(tmp_path / "nowhere.py")
    assert found(tmp_path) == ["a.py", "sub/b.py"]


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.py", "secret/b.py")
    real = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    result = scan(tmp_path)
    assert [Path(path).name for path in result.files] == ["a.py"]
    assert result.problems == [f"{tmp_path / 'secret'}: cannot be read: Permission denied"]


def test_a_single_path_belongs_when_a_scan_would_find_it(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "build/b.py", ".venv/c.py", "x/y/d.py", "x/e.txt")
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    names = ("build/b.py", ".venv/c.py", "x/y/d.py", "x/e.txt", "new/f.py", "x")
    assert [name for name in names if belongs(tmp_path, tmp_path / name)] == ["x/y/d.py", "new/f.py", "x"]


def test_the_root_of_a_project_is_the_nearest_mark(tmp_path: Path) -> None:
    write(tmp_path, "repo/pyproject.toml", "repo/src/pkg/tools.py", "loose/tools.py")
    assert project_root(tmp_path / "repo/src/pkg/tools.py") == tmp_path / "repo"
    assert project_root(tmp_path / "repo/src") == tmp_path / "repo"
    assert project_root(tmp_path / "loose/tools.py", levels=1) == tmp_path / "loose"
