"""`check --fix`, `--unsafe-fixes` and `--diff`: what stands on disk afterwards, and what is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fixes.lost import LOST, MOVED

from .conftest import Lens


def test_safe_repairs_are_written_and_the_rest_is_reported(lens: Lens, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_bytes(b"\xef\xbb\xbf" + LOST.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    ran = lens("check", "--fix", "--output-format", "concise", file)
    assert file.read_bytes() == b"\xef\xbb\xbf" + MOVED.replace("\n", "\r\n").encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["agent.py"]
    assert ran.status == 1
    assert "result-not-serialisable" in ran.out
    assert "field-description-lost" not in ran.out
    assert "repaired 1 thing in 1 files" in ran.err


def test_unsafe_repairs_are_asked_for(lens: Lens, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(LOST, "utf-8")
    lens("check", "--fix", "--unsafe-fixes", file)
    text = file.read_text("utf-8")
    assert '"tags": sorted({"a"})' in text
    assert "Returns:" in text
    lens("check", "--fix", "--unsafe-fixes", file)
    assert file.read_text("utf-8") == text


def test_diff_changes_nothing(lens: Lens, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(LOST, "utf-8")
    ran = lens("check", "--diff", file)
    assert file.read_text("utf-8") == LOST
    assert ran.status == 1
    assert '-def find(city: Annotated[str, Field(description="Größe 🌍")]) -> dict:\n' in ran.out
    assert "+def find(city: str) -> dict:\n" in ran.out
    file.write_text(MOVED, "utf-8")
    again = lens("check", "--diff", file)
    assert (again.status, again.out) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_out_of_the_project_is_not_followed(lens: Lens, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(LOST, "utf-8")
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "agent.py").symlink_to(outside)
    (inside / "other.py").write_text("x = 1\n", "utf-8")
    ran = lens("check", "--fix", inside)
    assert outside.read_text("utf-8") == LOST
    assert ran.status in {1, 2}


def test_an_encoding_without_the_character_is_left(lens: Lens, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    text = "# -*- coding: latin-1 -*-\n" + LOST.replace("Größe 🌍", "\\u4e1c\\u4eac")
    file.write_bytes(text.encode("latin-1"))
    ran = lens("check", "--fix", file)
    after = file.read_bytes().decode("latin-1")
    assert after == text or "\\u4e1c\\u4eac" in after
    assert ran.status in {1, 2}


def test_only_what_is_selected_is_repaired(lens: Lens, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(LOST, "utf-8")
    for option in ("--select=result-not-serialisable", "--ignore=field-description-lost"):
        lens("check", "--fix", option, file)
        assert file.read_text("utf-8") == LOST
