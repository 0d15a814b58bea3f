"""Which google-adk answers: of each folder its own, and of the Python extension what is selected there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import Workbench, copy_workspace, until, workbench, write_settings

pytestmark = pytest.mark.xdist_group("e2e")

SOURCE = ROOT / "fixtures" / "workspace"
STAND_IN = Path(__file__).parent / "python_stand_in"
CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
<DisplayName>{displayName}</DisplayName><Description>For tests.</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"
Addressable="true"/></Assets>
</PackageManifest>
"""


def packed(source: Path, target: Path) -> Path:
    """A folder with an extension as a package that the editor can install."""
    described = json.loads((source / "package.json").read_text("utf-8"))
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("[Content_Types].xml", CONTENT_TYPES)
        package.writestr("extension.vsixmanifest", MANIFEST.format(**described))
        for file in sorted(source.iterdir()):
            package.write(file, f"extension/{file.name}")
    return target


def lens_of(bench: Workbench) -> str:
    """What the preview says about itself."""
    return bench.page.locator(".codelens-decoration").filter(has_text="Copy").first.inner_text()


def test_two_folders_have_each_their_own_google_adk(
    tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]
) -> None:
    versions = {"first": "2.9.0", "second": "1.39.1"}
    for name, version in versions.items():
        settings = {"adkToolLens.interpreter": str(adk_python(version))}
        copy_workspace(SOURCE, tmp_path / name, settings)
    second = tmp_path / "second" / "warehouse"
    (second / "agent.py").rename(second / "stock.py")
    (second / "__init__.py").write_text("from . import stock\n", "utf-8")
    file = tmp_path / "both.code-workspace"
    file.write_text(json.dumps({"folders": [{"path": name} for name in versions]}), "utf-8")
    with workbench(tools, tmp_path / "profile") as bench:
        bench.open(file, tmp_path / "first" / "warehouse" / "agent.py")
        bench.status("ADK 2.9.0 · Gemini API").wait_for()
        bench.go_to(11, 7)
        bench.command("ADK Tool Lens: Show What the Model Sees")
        until("the first folder's answer", lambda: "2.9.0" in lens_of(bench))
        bench.press("Control+1")
        bench.open_file("stock.py")
        bench.status("ADK 1.39.1 · Gemini API").wait_for()
        bench.go_to(11, 7)
        until("the second folder's answer", lambda: "1.39.1" in lens_of(bench))
        until("its declaration", lambda: '"name": "check_stock"' in bench.text(group=2))
        bench.shot("30-two-folders")
        assert set() == bench.outside


def test_selection_in_the_python_extension_is_followed(
    tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]
) -> None:
    def selected(version: str) -> dict[str, str]:
        return {"pythonStandIn.interpreter": str(adk_python(version))}

    folder = copy_workspace(SOURCE, tmp_path / "workspace", selected("2.9.0"))
    stand_in = packed(STAND_IN, tmp_path / "python.vsix")
    with workbench(tools, tmp_path / "profile", others=[stand_in]) as bench:
        bench.open(folder, folder / "warehouse" / "agent.py")
        bench.status("ADK 2.9.0 · Gemini API").wait_for()
        bench.squiggles().first.wait_for()
        write_settings(folder, selected("1.39.1"))
        bench.status("ADK 1.39.1 · Gemini API").wait_for()
        bench.shot("31-python-extension")
        assert bench.notification("ADK Tool Lens").count() == 0
