"""A server on a stage: its clock, its threads and its workers move only when they are told to.

The handlers, the session and the index are the real ones. What would make a run depend on chance is replaced:
the event loop has a clock of its own, threads run when `threads` is called, and answers of the worker come
when `deliver` is called, made from the stub's text.
"""

from __future__ import annotations

import ast
import asyncio
import json
import selectors
import threading
import types as python_types
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from adk_tool_lens.declaration.model import (
    Answer,
    Declared,
    Environment,
    Refused,
    Request,
    Stage,
    Unavailable,
)
from adk_tool_lens.ide import analysis, session
from adk_tool_lens.lsp import environments, garbage
from adk_tool_lens.lsp import server as server_module
from adk_tool_lens.lsp.connection import create_connection
from adk_tool_lens.lsp.server import Server

VERSIONS = ("1.39.1", "2.9.0", "2.13.0")
BARE = "/nowhere/bare/bin/python"
"""An interpreter without google-adk."""


def interpreter(version: str) -> str:
    """The name of an interpreter that has a google-adk."""
    return f"/nowhere/adk-{version}/bin/python"


# ---------------------------------------------------------------- the clock


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: time passes at once instead."""

    loop: StageLoop

    def select(self, timeout: float | None = None) -> Any:
        if timeout is not None and timeout > 0:
            self.loop.now += timeout
        return super().select(0)


class StageLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while something waits for it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.problems: list[dict[str, Any]] = []
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)
        self.set_exception_handler(lambda _loop, context: self.problems.append(context))

    def time(self) -> float:
        return self.now

    def pass_time(self, seconds: float) -> None:
        """Lets time pass; what falls due in it happens."""
        self.run_until_complete(asyncio.sleep(seconds))
        assert self.problems == []


# ---------------------------------------------------------------- the worker


def answer_to(request: Request, environment: Environment) -> Answer:
    """What stands for google-adk's answer: a declaration read off the stub's text."""
    tree = ast.parse(request.stub.modules[-1].source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if not functions:
        return Refused(Stage.CONSTRUCT, "ValueError", "there is no function")
    function = functions[-1]
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    if len(arguments) % 5 == 4:
        return Refused(Stage.DECLARE, "ValueError", f"Failed to parse the parameter {arguments[-1].arg}")
    properties = {a.arg: _schema(a.annotation) for a in arguments}
    left = len(arguments) - len(function.args.defaults)
    parameters = {"properties": properties, "required": [a.arg for a in arguments[:left]], "type": "object"}
    declaration: dict[str, Any] = {"name": function.name}
    if ast.get_docstring(function):
        declaration["description"] = ast.get_docstring(function)
    if arguments:
        form = "parameters" if environment.adk == "1.39.1" else "parameters_json_schema"
        declaration[form] = parameters
    return Declared("FunctionTool", function.name, declaration)


def _schema(annotation: ast.expr | None) -> dict[str, Any]:
    if annotation is None:
        return {}
    text = ast.unparse(annotation)
    return {"type": {"int": "integer", "bool": "boolean"}.get(text, "string"), "title": text}


class StageClient:
    """Stands for `DeclarationClient`: its answers come when they are let through."""

    def __init__(self, interpreter: str | Path, stage: Theatre) -> None:
        self.interpreter = str(interpreter)
        self._stage = stage
        self._answers: dict[Request, Answer] = {}
        self._asked: dict[Request, Future[Answer]] = {}

    def environment(self) -> Environment:
        version = next((v for v in VERSIONS if v in self.interpreter), None)
        if version is None:
            return Environment(self.interpreter, "3.12.1", problem="google-adk is not installed")
        return Environment(self.interpreter, "3.12.1", version, "2.34.0", "2.14.4")

    known = environment

    def peek(self, request: Request) -> Answer | None:
        return self._answers.get(request)

    def submit(self, request: Request) -> Future[Answer]:
        future: Future[Answer] = Future()
        if request in self._answers:
            future.set_result(self._answers[request])
            return future
        if request in self._asked:
            return self._asked[request]
        self._asked[request] = future
        self._stage.waiting.append((self, request))
        return future

    def declare(self, request: Request) -> Answer:
        return answer_to(request, self.environment())

    sooner_or_later = declare

    def settle(self, request: Request, *, died: bool) -> None:
        """Effect: answers a question, or says that the worker died over it."""
        future = self._asked.pop(request, None)
        if future is None:
            return
        answer: Answer = Unavailable("the worker died")
        if not died:
            answer = self._answers[request] = answer_to(request, self.environment())
        future.set_result(answer)

    def warm(self) -> None:
        pass

    def close(self) -> None:
        for request in list(self._asked):
            self.settle(request, died=True)


@dataclass
class Theatre:
    """A clock, what waits to be run on threads, and what waits to be answered by workers."""

    loop: StageLoop = field(default_factory=StageLoop)
    waiting: list[tuple[StageClient, Request]] = field(default_factory=list)
    held: list[Callable[[], None]] = field(default_factory=list)

    def deliver(self, most: int = 1_000_000, *, died: bool = False) -> None:
        """Effect: lets some answers through."""
        now, self.waiting = self.waiting[:most], self.waiting[most:]
        for client, request in now:
            client.settle(request, died=died)

    def threads(self) -> None:
        """Effect: runs what was started on threads."""
        held, self.held = self.held, []
        for run in held:
            run()

    def quiet(self) -> None:
        """Effect: lets everything happen that was begun."""
        for _ in range(200):
            self.threads()
            self.deliver()
            self.loop.pass_time(1.0)
            if not self.held and not self.waiting:
                self.loop.pass_time(11.0)
                if not self.held and not self.waiting:
                    return
        raise AssertionError("the server never comes to rest")


_COLLECTOR = ("collect", "freeze", "unfreeze", "set_threshold")


def _nothing(*_: object) -> None:
    """Collecting garbage is no part of the play."""


@contextmanager
def staged() -> Iterator[Theatre]:
    """A stage; the server's modules use its clock, threads and workers until it ends."""
    stage = Theatre()

    class Thread:
        def __init__(self, *, target: Callable[..., None], args: tuple[Any, ...] = (), **_: Any) -> None:
            self.run = lambda: target(*args)

        def start(self) -> None:
            stage.held.append(self.run)

    def client(interpreter: str | Path, **_: Any) -> StageClient:
        return StageClient(interpreter, stage)

    with pytest.MonkeyPatch.context() as patch:
        threads = python_types.SimpleNamespace(Thread=Thread, Lock=threading.Lock)
        patch.setattr(session, "threading", threads)
        patch.setattr(environments, "threading", threads)
        patch.setattr(garbage, "gc", python_types.SimpleNamespace(**dict.fromkeys(_COLLECTOR, _nothing)))
        patch.setattr(session, "DeclarationClient", client)
        patch.setattr(session, "time", python_types.SimpleNamespace(monotonic=stage.loop.time))
        patch.setattr(server_module, "default_cache_dir", lambda: None)
        patch.setattr(analysis, "RAISE_BUGS", True)
        try:
            yield stage
        finally:
            stage.loop.close()


# ---------------------------------------------------------------- the client


class _Writer:
    """Takes the server's messages to its client."""

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take

    def write(self, data: bytes) -> None:
        self._take(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        pass


CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, tag_support=types.ClientDiagnosticsTagOptions(list(types.DiagnosticTag))
        )
    )
)


class Client:
    """An editor on a folder, connected to a server in this process."""

    def __init__(self, stage: Theatre, folder: Path, options: dict[str, Any]) -> None:
        self.stage = stage
        self.folder = folder
        self.published: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}
        self.versions: list[int | None] = []
        """Of the documents whose diagnostics were published."""
        self.answers: list[dict[str, Any]] = []
        self.errors: list[Any] = []
        self.connection = create_connection()
        protocol = self.connection.protocol
        protocol.set_writer(_Writer(self._take))
        folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
        params = types.InitializeParams(
            CAPABILITIES, root_uri=folder.as_uri(), workspace_folders=folders, initialization_options=options
        )
        stage.loop.run_until_complete(self._initialize(params))

    @property
    def server(self) -> Server:
        """The server's state."""
        return self.connection.state

    async def _initialize(self, params: types.InitializeParams) -> None:
        request = types.InitializeRequest(0, params)
        self.connection.protocol.handle_message(request)  # type: ignore[arg-type]
        assert self.connection.loop is not None

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
            params = message["params"]
            self.published[params["uri"]] = (params.get("version"), params["diagnostics"])
            self.versions.append(params.get("version"))
        elif "result" in message:
            self.answers.append(message)
        if "error" in message:
            self.errors.append(message)

    def handle(self, method: str, params: Any) -> Any:
        """What the server's handler of a method gives."""
        return self.connection.protocol.fm.features[method](params)

    def shown(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics that the client shows of a document."""
        return self.published.get(uri, (None, []))[1]
