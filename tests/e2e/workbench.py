"""A real VS Code workbench in a headless browser, and the hands to use it."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from playwright.sync_api import Locator, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as LateError

from e2e.provision import CHROMIUM, Tools, node_environment

T = TypeVar("T")
WAIT = 150.0
STARTS = 6
WINDOW: ViewportSize = {"width": 1280, "height": 800}
TALL: ViewportSize = {"width": 1280, "height": 2400}
NO_BREAK_SPACE = "\u00a0"
SAVED = ".tab.active:not(.dirty)"
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A quiet workbench: nothing that greets, suggests, updates, or talks to someone.
QUIET: Mapping[str, Any] = {
    "chat.disableAIFeatures": True,
    "editor.hover.delay": 100,
    "editor.minimap.enabled": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "telemetry.telemetryLevel": "off",
    "typescript.disableAutomaticTypeAcquisition": True,
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


def until(what: str, ask: Callable[[], T | None], seconds: float = WAIT) -> T:
    """The first true answer; fails when none comes in time."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.1)


@dataclass
class Workbench:
    """One window: a folder opened in VS Code, seen through one browser page."""

    page: Page
    host: str
    shots: Path
    profile: Path
    outside: set[str] = field(default_factory=set)

    def open(self, folder: Path, file: Path | None = None, **payload: str) -> None:
        """Open a folder (or a `.code-workspace` file), and a file in it, as a fresh window."""
        entries = [[key, value] for key, value in payload.items()]
        if file is not None:
            entries.append(["openFile", self.remote(file)])
        kind = "workspace" if folder.suffix == ".code-workspace" else "folder"
        query = f"{kind}={quote(str(folder))}&payload={quote(json.dumps(entries))}"
        self.page.goto(f"http://{self.host}/?{query}", wait_until="domcontentloaded")
        if file is not None:
            self.page.locator(".editor-instance .view-line").first.wait_for()

    def remote(self, path: Path) -> str:
        """The address of a file as the browser's half of VS Code knows it."""
        return f"vscode-remote://{self.host}{path}"

    def shot(self, name: str) -> None:
        """Keep a picture for people to look at."""
        self.page.screenshot(path=self.shots / f"{name}.png")

    def text(self, group: int = 1) -> str:
        """What the visible part of an editor shows; VS Code draws blanks as no-break spaces."""
        editors = self.page.locator(".editor-group-container .editor-instance .view-lines")
        if editors.count() < group:
            return ""
        lines = editors.nth(group - 1)
        return lines.inner_text().replace(NO_BREAK_SPACE, " ")

    def press(self, *keys: str) -> None:
        """Press keys, one chord after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def quick_input(self, text: str) -> None:
        """Fill the open quick input and confirm it."""
        box = self.page.locator(".quick-input-widget:visible .quick-input-box input")
        box.wait_for()
        box.fill(text)
        self.press("Enter")

    def go_to(self, line: int, column: int) -> None:
        """Place the cursor; both count from 1."""
        self.press("Control+G")
        self.quick_input(f":{line}:{column}")
        self.page.locator(".quick-input-widget").wait_for(state="hidden")
        self.status(f"Ln {line}, Col {column}").wait_for()

    def _ask_for(self, key: str, text: str) -> None:
        """Open a list by its key and type into it; once more if the one before was only closing."""
        box = self.page.locator(".quick-input-widget:visible .quick-input-box input")
        for left in (2, 1, 0):
            self.press(key)
            try:
                box.fill(text, timeout=WAIT * 1000 / 3)
            except LateError:
                if not left:
                    raise
            else:
                return

    def command(self, title: str) -> None:
        """Run a command by its title in the palette."""
        self._ask_for("F1", f">{title}")
        row = self.page.locator(".quick-input-list .monaco-list-row.focused")
        row.filter(has_text=title).wait_for()
        self.press("Enter")

    def open_file(self, name: str) -> None:
        """Open a text file by its name."""
        self.pick_file(name)
        self.page.locator(".editor-instance .view-line").first.wait_for()

    def pick_file(self, name: str) -> None:
        """Open a file of any kind by its name."""
        self._ask_for("Control+P", name)
        self.page.locator(".quick-input-list .monaco-list-row.focused").filter(has_text=name).wait_for()
        self.press("Enter")
        self.page.locator(".tab.active").filter(has_text=name).wait_for()

    def status(self, text: str) -> Locator:
        """An entry of the status bar."""
        return self.page.locator(".statusbar-item").filter(has_text=text)

    def notification(self, text: str) -> Locator:
        """A notification that is shown."""
        return self.page.locator(".notification-toast:visible").filter(has_text=text)

    def squiggles(self, severity: str = "warning") -> Locator:
        """The underlines of one severity in the editor."""
        return self.page.locator(f".editor-instance .squiggly-{severity}")

    def problems(self) -> Locator:
        """The rows of the Problems panel, opened if it was not."""
        panel = self.page.locator(".markers-panel")
        if not panel.is_visible():
            self.press("Control+Shift+M")
            panel.wait_for()
        return panel.locator(".monaco-list-row")

    def close_panel(self) -> None:
        """Close the panel at the bottom and go back to the code."""
        self.command("View: Hide Panel")
        self.press("Control+1")

    def hover(self, line: int, column: int) -> Locator:
        """The hover card at a place, by keyboard: it stays until Escape."""
        self.go_to(line, column)
        self.press("Control+K", "Control+I")
        card = self.page.locator(".monaco-hover:visible")
        card.first.wait_for()
        return card

    def quick_fix(self, title: str) -> None:
        """Apply a code action at the cursor, picked by keyboard from the menu."""
        action = self.quick_fix_menu(title)
        for _ in range(30):
            if "focused" in (action.get_attribute("class") or ""):
                break
            self.press("ArrowDown")
        self.press("Enter")
        action.wait_for(state="hidden")

    def quick_fix_menu(self, title: str) -> Locator:
        """Open the menu of code actions, if it is not open; the entry with that title."""
        entry = self.page.locator(".action-widget .monaco-list-row.action:visible")
        if entry.count() == 0:
            self.press("Control+.")
        action = entry.filter(has=self.page.get_by_text(title, exact=True)).first
        action.wait_for()
        return action

    def servers(self) -> list[int]:
        """The processes of language servers that this window's extension host has started."""
        wanted = f"{self.profile}/extensions".encode()

        def is_one(folder: Path) -> bool:
            with suppress(OSError):
                command = (folder / "cmdline").read_bytes()
                return wanted in command and b"run.py\0server" in command
            return False

        processes = (folder for folder in Path("/proc").iterdir() if folder.name.isdecimal())
        return [int(folder.name) for folder in processes if is_one(folder)]

    def server_pid(self, but_not: int = 0) -> int:
        """The process of the language server, once it runs."""
        return until("the server runs", lambda: next((p for p in self.servers() if p != but_not), None))

    def save(self) -> None:
        """Save the file, and wait until it is on disk."""
        self.press("Control+S")
        self.page.locator(SAVED).wait_for()


def colours(block: Locator) -> set[str]:
    """The colours of the words in a code block."""
    words = block.locator("span[class*=mtk]")
    found = words.evaluate_all("spans => spans.map(span => getComputedStyle(span).color)")
    return set(found)


def activation_ms(bench: Workbench, shot: str = "") -> int:
    """VS Code's own figure: loading the code and the call to activate()."""
    usual = bench.page.viewport_size
    bench.page.set_viewport_size(TALL)  # the slowest come first, and only what is in view exists
    bench.command("Developer: Show Running Extensions")
    row = bench.page.locator(".runtime-extensions-editor .extension")
    shown = row.filter(has_text="ADK Tool Lens").filter(has_text="Activation").first
    shown.wait_for()
    if shot:
        bench.shot(shot)
    found = re.search(r"Activation: (\d+)ms", shown.inner_text())
    assert found is not None
    shown.click()
    bench.press("Escape")
    row.first.wait_for(state="hidden")
    bench.page.set_viewport_size(usual or WINDOW)
    return int(found[1])


@contextmanager
def workbench(
    tools: Tools,
    profile: Path,
    *,
    settings: Mapping[str, Any] | None = None,
    trust: bool = True,
    install: bool = True,
    others: Sequence[Path] = (),
) -> Iterator[Workbench]:
    """Start the editor with a fresh profile and a browser that looks at it."""
    for name in ("user/User", "user/Machine", "extensions", "home", "xdg"):
        (profile / name).mkdir(parents=True, exist_ok=True)
    written = json.dumps({**QUIET, **(settings or {})})
    (profile / "user/User/settings.json").write_text(written, "utf-8")
    env = {
        **node_environment(tools.node.parent),
        "HOME": str(profile / "home"),
        "XDG_CONFIG_HOME": str(profile / "xdg"),
        "XDG_DATA_HOME": str(profile / "xdg"),
        "EXTENSIONS_GALLERY": "{}",  # no marketplace: nothing outside is asked
    }
    folders = ("--user-data-dir", profile / "user", "--extensions-dir", profile / "extensions")
    program = (tools.node, tools.code_server, *folders)
    for package in [*([tools.vsix] if install else []), *others]:
        subprocess.run((*program, "--install-extension", package), env=env, check=True, capture_output=True)
    host = f"127.0.0.1:{_free_port()}"
    flags = ["--auth", "none", "--bind-addr", host, "--disable-telemetry", "--disable-proxy"]
    flags += ["--disable-update-check", "--disable-getting-started-override"]
    flags += ["--disable-workspace-trust"] if trust else []
    flags += [] if install else ["--vscode-option", "enable-smoke-test-driver"]
    log = profile / "code-server.log"
    with _answering((*program, *flags), env, log, host), _browser() as page:
        outside = _watch_requests(page)
        bench = Workbench(page, host, tools.shots, profile, outside)
        try:
            yield bench
        except BaseException:
            bench.shot(f"failed-{profile.parent.name}-{profile.name}")
            raise


@contextmanager
def _answering(command: tuple[Any, ...], env: dict[str, str], log: Path, host: str) -> Iterator[None]:
    """Code-server, once it answers. It gives itself ten seconds; a busy machine takes another try."""
    for _ in range(STARTS):
        with _process(command, env, log) as process:
            _wait_for(process, host)
            if process.poll() is None:
                yield
                return
    raise AssertionError(f"code-server ended by itself {STARTS} times, see {log}")


def _wait_for(process: subprocess.Popen[bytes], host: str) -> None:
    until("code-server answers or ends", lambda: _healthy(host) or process.poll() is not None)


@contextmanager
def _process(command: tuple[Any, ...], env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with (
        log.open("a") as out,
        subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out) as process,
    ):
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)  # the extension host and our server go with it
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def _browser() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        context = browser.new_context(viewport=WINDOW)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(WAIT * 1000)
        try:
            yield page
        finally:
            browser.close()


def _watch_requests(page: Page) -> set[str]:
    outside: set[str] = set()

    def note(url: str) -> None:
        parts = urlsplit(url)
        if re.fullmatch("https?|wss?", parts.scheme) and parts.hostname != "127.0.0.1":
            outside.add(url)

    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda websocket: note(websocket.url))
    return outside


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _healthy(host: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def copy_workspace(source: Path, target: Path, settings: Mapping[str, Any]) -> Path:
    """A copy that a test may change, with its own settings."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    write_settings(target, settings)
    return target


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Replace the folder's settings in one step, as an editor would."""
    file = folder / ".vscode" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(settings, indent=2), "utf-8")
    fresh.replace(file)
