"""Asks declaration workers, keeps their answers, and never lets a worker's trouble reach the caller.

A `DeclarationClient` belongs to one interpreter. Its state is owned by one thread (`_Supervisor`), which
reads one queue of events: questions from callers, lines from the worker's reader thread, ends of processes.
So nothing here waits under a lock, and a hung worker delays only the question that hangs it.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adk_tool_lens.declaration import worker as worker_module
from adk_tool_lens.declaration.cache import (
    DiskCache,
    answer_from_json,
    default_cache_dir,
    is_lasting,
    key_of,
)
from adk_tool_lens.declaration.model import Answer, Environment, Provider, Refused, Request, Unavailable
from adk_tool_lens.declaration.worker import PROTOCOL
from adk_tool_lens.project.files import read_bytes

__all__ = ["DeclarationClient", "default_cache_dir"]

WARM_UP_SECONDS = 60.0
HELLO_SECONDS = 15.0
ANSWER_SECONDS = 10.0
MAX_LINE = 32 << 20
STDERR_KEPT = 4096
MEMORY_ENTRIES = 4096
GARBAGE_LINES = 100
"""What an environment's own start-up hooks may print before a worker's first word."""
REQUESTS_PER_PROCESS = 2000
BYTES_PER_PROCESS = 1 << 30
"""A worker that has grown to this size is replaced; google-adk alone takes a third of it."""
IN_FLIGHT = 8
"""Questions that a worker is sent at once: enough that it never waits, few enough that it can be replaced."""
FIRST_BACK_OFF = 1.0
LONGEST_BACK_OFF = 60.0
RECHECK_SECONDS = 1.0
PROBLEM_RECHECK_SECONDS = 10.0
LONGEST_RECHECK_SECONDS = 300.0
HUNG_REMEMBERED_SECONDS = 300.0

_PASSED_ON = frozenset(
    {
        "APPDATA",
        "COMSPEC",
        "CONDA_PREFIX",
        "HOME",
        "HOMEDRIVE",
        "HOMEPATH",
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "LOCALAPPDATA",
        "LOGNAME",
        "PATH",
        "PATHEXT",
        "PROGRAMDATA",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "TMPDIR",
        "TZ",
        "USER",
        "USERNAME",
        "USERPROFILE",
        "VIRTUAL_ENV",
        "WINDIR",
    }
)
_IMPORTING = frozenset({Provider.OPENAI, Provider.ANTHROPIC})
_PASSED_ON_PREFIXES = ("ADK_", "LC_", "DYLD_")


@dataclass
class _Job:
    """One question on its way; `attempts` counts the workers that died on it."""

    number: int
    key: str
    request: Request
    future: Future[Answer]
    attempts: int = 0


@dataclass(frozen=True)
class _Ask:
    job: _Job


@dataclass(frozen=True)
class _Introduce:
    future: Future[Environment]


@dataclass(frozen=True)
class _WarmUp:
    pass


@dataclass(frozen=True)
class _Close:
    pass


@dataclass(frozen=True)
class _Said:
    process: _Process
    message: dict[str, Any]


@dataclass(frozen=True)
class _Ended:
    process: _Process
    why: str


_Event = _Ask | _Introduce | _WarmUp | _Close | _Said | _Ended


class DeclarationClient:
    """Answers what google-adk, as installed for one interpreter, tells the model about tools.

    Every method may be called from any thread, returns plain data and raises nothing.

    Args:
        interpreter: The Python whose google-adk is asked; a path, or a name found on `PATH`.
        cache_dir: Where answers are kept between runs; None keeps them in memory only.
        timeout: Seconds for one declaration, the import of google-adk not counted; None for the default.
        hello_timeout: Seconds until an interpreter must have said what it has installed.
        warm_timeout: Seconds for the import of google-adk.
        requests_per_process: After so many answers a worker is replaced, which bounds its memory.
    """

    def __init__(  # noqa: PLR0913 - settings, all but the first with a default
        self,
        interpreter: str | Path,
        *,
        cache_dir: Path | None = None,
        timeout: float | None = None,
        hello_timeout: float | None = None,
        warm_timeout: float | None = None,
        requests_per_process: int = REQUESTS_PER_PROCESS,
    ) -> None:
        self._interpreter = str(interpreter)
        self._disk = None if cache_dir is None else DiskCache(cache_dir)
        self._memory: OrderedDict[str, Answer] = OrderedDict()
        self._in_flight: dict[str, Future[Answer]] = {}
        self._later: OrderedDict[Request, Future[Answer]] = OrderedDict()
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._site = _Site(self._interpreter)
        self._supervisor = _Supervisor(
            _Settings(
                self._interpreter,
                None if cache_dir is None else str(cache_dir / "bytecode"),
                ANSWER_SECONDS if timeout is None else timeout,
                HELLO_SECONDS if hello_timeout is None else hello_timeout,
                WARM_UP_SECONDS if warm_timeout is None else warm_timeout,
                requests_per_process,
            ),
            self._site,
            self._keep,
        )

    def environment(self) -> Environment:
        """What the interpreter has installed; waits for its first word at most, never for an import."""
        known = self._site.current()
        if known is not None:
            return known
        future: Future[Environment] = Future()
        self._supervisor.tell(_Introduce(future))
        return future.result()

    def known(self) -> Environment | None:
        """What the interpreter has installed now, without waiting; None when it would have to be started."""
        return self._site.current()

    def peek(self, request: Request) -> Answer | None:
        """The answer if it is known already; starts nothing and waits for nothing but the disk."""
        environment = self._site.current()
        return None if environment is None else self._known(key_of(environment, request))

    def sooner_or_later(self, request: Request) -> Answer | None:
        """The answer if it is known already; otherwise it is asked for, and the next caller may get it.

        So an answer that is not kept, because installing a package may change it, is given and asked again.
        """
        known = self.peek(request)
        if known is not None:
            return known
        before = self._later.pop(request, None)
        while len(self._later) >= MEMORY_ENTRIES:
            self._later.popitem(last=False)
        waiting = before is not None and not before.done()
        self._later[request] = before if before is not None and waiting else self.submit(request)
        return before.result() if before is not None and not waiting else None

    def submit(self, request: Request) -> Future[Answer]:
        """Asks; the same question, asked twice at once, is one question. Futures cannot be cancelled."""
        environment = self._site.current() or Environment(self._interpreter)
        key = key_of(environment, request)
        answer = self._known(key) if environment.adk is not None else None
        if answer is not None:
            return _resolved(answer)
        with self._lock:
            asked = self._in_flight.get(key)
            if asked is not None:
                return asked
            future: Future[Answer] = Future()
            future.set_running_or_notify_cancel()
            self._in_flight[key] = future
        self._supervisor.tell(_Ask(_Job(next(self._numbers), key, request, future)))
        return future

    def declare(self, request: Request) -> Answer:
        """Asks and waits."""
        return self.submit(request).result()

    def warm(self) -> None:
        """Begins to import google-adk, so that the first question finds it imported."""
        self._supervisor.tell(_WarmUp())

    def close(self) -> None:
        """Ends the worker; questions that are still open are answered `Unavailable`."""
        self._supervisor.close()

    def _known(self, key: str) -> Answer | None:
        with self._lock:
            answer = self._memory.get(key)
            if answer is not None:
                self._memory.move_to_end(key)
                return answer
        answer = None if self._disk is None else self._disk.get(key)
        if answer is not None:
            self._remember(key, answer)
        return answer

    def _remember(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._memory[key] = answer
            self._memory.move_to_end(key)
            while len(self._memory) > MEMORY_ENTRIES:
                self._memory.popitem(last=False)

    def _keep(self, job: _Job, answer: Answer, environment: Environment | None) -> None:
        """Called by the supervisor with every answer, once."""
        if environment is not None and environment.adk is not None and is_lasting(answer):
            key = key_of(environment, job.request)
            self._remember(key, answer)
            if self._disk is not None:
                self._disk.put(key, answer)
        with self._lock:
            if self._in_flight.get(job.key) is job.future:
                del self._in_flight[job.key]
        job.future.set_result(answer)


def _resolved(answer: Answer) -> Future[Answer]:
    future: Future[Answer] = Future()
    future.set_result(answer)
    return future


# --- what an interpreter has installed ----------------------------------------------------------


@dataclass(frozen=True)
class _Seen:
    """A folder of installed packages at one moment."""

    folder: Path | None = None
    stamp: int | None = None


class _Site:
    """Reads versions from a virtual environment's folder, without starting it, and notices changes."""

    def __init__(self, interpreter: str) -> None:
        self._interpreter = interpreter
        self._lock = threading.Lock()
        self._said: Environment | None = None
        self._watched: Path | None = None
        self._stamp: int | None = None
        self._environment: Environment | None = None
        self._checked = float("-inf")
        self._until = float("inf")

    def current(self) -> Environment | None:
        """The environment as far as it is known; looks at the folder once a second at most.

        A problem that a worker told of is not known any more after its time.
        """
        with self._lock:
            now = time.monotonic()
            if now - self._checked >= RECHECK_SECONDS:
                self._checked = now
                self._look()
            if now >= self._until:
                self._environment, self._until = None, float("inf")
            return self._environment

    def seen(self) -> _Seen:
        """What the folder looks like now."""
        with self._lock:
            return _Seen(self._watched, None if self._watched is None else _stamp(self._watched))

    def learn(
        self, said: Environment, folder: str | None, before: _Seen, until: float = float("inf")
    ) -> None:
        """Takes what a worker said about itself; it knows better than the folder.

        Args:
            said: What it has installed.
            folder: Where it has it.
            before: The folder when the worker was started: what has changed there since, it may not know.
            until: When that is not to be believed any more.
        """
        with self._lock:
            self._environment = said
            self._until = until
            watched = self._watched if folder is None else Path(folder)
            if watched is None:
                self._stamp = None
            else:
                self._stamp = before.stamp if before.folder == watched else _stamp(watched)
            self._watched = watched

    def _look(self) -> None:
        if self._watched is None:
            self._watched = _site_packages(self._interpreter)
        if self._watched is None:
            return
        stamp = _stamp(self._watched)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        self._environment = _read_site(self._interpreter, self._watched)
        self._until = float("inf")


def _stamp(folder: Path) -> int | None:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return None


def _venv_settings(interpreter: str) -> dict[str, str]:
    """`pyvenv.cfg` beside or above the interpreter; empty when it is no virtual environment."""
    here = Path(interpreter)
    for folder in (here.parent, here.parent.parent):
        with contextlib.suppress(OSError, ValueError):
            lines = read_bytes(folder / "pyvenv.cfg").decode("utf-8").splitlines()
            pairs = (line.partition("=") for line in lines if "=" in line)
            return {"prefix": str(folder)} | {k.strip().lower(): v.strip() for k, _, v in pairs}
    return {}


def _site_packages(interpreter: str) -> Path | None:
    prefix = _venv_settings(interpreter).get("prefix")
    if prefix is None or not os.access(interpreter, os.X_OK):
        return None
    found = [
        *Path(prefix).glob("lib/python3.*/site-packages"),
        Path(prefix, "Lib", "site-packages"),
    ]
    folders = [folder for folder in found if folder.is_dir()]
    return folders[0] if len(folders) == 1 else None


def _read_site(interpreter: str, folder: Path) -> Environment | None:
    """The versions by the names of `*.dist-info` folders; None when a worker must be asked."""
    settings = _venv_settings(interpreter)
    python = settings.get("version_info") or settings.get("version") or ""
    python = ".".join(python.split(".")[:3])
    versions: dict[str, list[str]] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.endswith(".dist-info"):
                name, _, version = entry.name.removesuffix(".dist-info").rpartition("-")
                versions.setdefault(name.lower().replace("-", "_"), []).append(version)
    wanted = [versions.get(name, []) for name in ("google_adk", "google_genai", "pydantic")]
    if python.count(".") != 2 or any(len(found) != 1 for found in wanted):
        return None
    adk, genai, pydantic = (found[0] for found in wanted)
    return Environment(interpreter, python, adk, genai, pydantic)


# --- one process --------------------------------------------------------------------------------


class _Process:
    """A running worker: a reader, a writer and a drain, each a thread that ends with the process."""

    def __init__(self, settings: _Settings, tell: Callable[[_Event], None]) -> None:
        """Starts the interpreter.

        Raises:
            OSError: It cannot be started.
        """
        self._tell = tell
        self._stderr = bytearray()
        command = [settings.interpreter, "-I", "-X", "utf8", worker_module.__file__]
        self._popen = subprocess.Popen(
            [*command, *([settings.bytecode] if settings.bytecode else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(worker_module.__file__).anchor,
            env=_worker_environment(),
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._drained = threading.Event()
        for target in (self._read, self._write, self._drain):
            threading.Thread(target=target, name=f"adk-worker-{target.__name__}", daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        """Queues a message; a worker that does not read delays nobody."""
        self._outbox.put(json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n")

    def kill(self) -> None:
        """Ends the process and whatever it started."""
        self._outbox.put(None)
        if self._popen.returncode is not None:
            return
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._popen.pid, 9)
            else:
                self._popen.kill()

    def finish(self) -> None:
        """Lets the process end by itself after what it was sent."""
        self._outbox.put(None)

    def stderr_tail(self) -> str:
        """The last of what the worker wrote to its standard error."""
        text = bytes(self._stderr[-STDERR_KEPT:]).decode("utf-8", "replace").strip()
        return text.splitlines()[-1][:500] if text else ""

    def _read(self) -> None:
        why, spoken, ignored = "", False, 0
        stdout = self._popen.stdout
        try:
            while stdout is not None:
                line = stdout.readline(MAX_LINE)
                if not line.endswith(b"\n"):
                    why = "it wrote a line without an end" if line else ""
                    break
                message = _message(line)
                if message is None and not spoken and ignored < GARBAGE_LINES:
                    ignored += 1
                    continue
                if message is None:
                    why = f"it wrote something that is no answer: {line[:80]!r}"
                    break
                spoken = True
                self._tell(_Said(self, message))
        except (OSError, ValueError) as error:
            why = str(error)
        self.kill()
        status = self._wait()
        self._drained.wait(1)
        self._tell(_Ended(self, why or f"it ended with status {status}"))

    def _wait(self) -> int:
        status = self._popen.wait()
        if self._popen.stdout is not None:
            self._popen.stdout.close()
        return status

    def _write(self) -> None:
        stdin = self._popen.stdin
        with contextlib.suppress(OSError, ValueError):
            while stdin is not None:
                data = self._outbox.get()
                if data is None:
                    break
                stdin.write(data)
                stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            if stdin is not None:
                stdin.close()

    def _drain(self) -> None:
        stderr = self._popen.stderr
        with contextlib.suppress(OSError, ValueError):
            while stderr is not None:
                data = os.read(stderr.fileno(), 65536)
                if not data:
                    break
                self._stderr += data
                del self._stderr[:-STDERR_KEPT]
        if stderr is not None:
            stderr.close()
        self._drained.set()


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _worker_environment() -> dict[str, str]:
    """No keys, no tokens: what an import needs, and ADK's own switches."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED_ON or name.upper().startswith(_PASSED_ON_PREFIXES)
    }
    return kept | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OTEL_SDK_DISABLED": "true"}


# --- the supervisor -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Settings:
    interpreter: str
    bytecode: str | None
    timeout: float
    hello_timeout: float
    warm_timeout: float
    requests_per_process: int


@dataclass
class _Worker:
    """What the supervisor knows about its process."""

    process: _Process
    deadline: float
    seen: _Seen
    """Where its packages lie, before it was started."""
    environment: Environment | None = None
    is_warm: bool = False
    sent: deque[_Job] = field(default_factory=deque)
    answered: int = 0
    memory: int = 0
    """Bytes that it takes, as far as it says."""
    providers: set[Provider] = field(default_factory=set)


class _Supervisor:
    """Owns the worker; everything but `tell` and `close` runs on its own thread."""

    def __init__(
        self,
        settings: _Settings,
        site: _Site,
        keep: Callable[[_Job, Answer, Environment | None], None],
    ) -> None:
        self._settings = settings
        self._site = site
        self._keep = keep
        self._events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._worker: _Worker | None = None
        self._waiting: deque[_Job] = deque()
        self._introductions: list[Future[Environment]] = []
        self._crashes = 0
        self._rest_until = 0.0
        self._trouble = ""
        self._problem: Environment | None = None
        self._problem_until = 0.0
        self._problems = 0
        """Problems in a row; the more, the longer until the next look."""
        self._hung: dict[Request, float] = {}

    # any thread

    def tell(self, event: _Event) -> None:
        """Hands over an event; after `close` questions are answered here and now."""
        with self._lock:
            if not self._closed:
                self._events.put(event)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="adk-supervisor", daemon=True)
                    self._thread.start()
                return
        self._turn_away(event)

    def close(self) -> None:
        """Ends everything; may be called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            thread = self._thread
            self._events.put(_Close())
        if thread is not None and thread is not threading.current_thread():
            thread.join(5)

    def _turn_away(self, event: _Event) -> None:
        reason = "the declaration worker was closed"
        match event:
            case _Ask(job):
                self._keep(job, Unavailable(reason), None)
            case _Introduce(future):
                future.set_result(Environment(self._settings.interpreter, problem=reason))
            case _:
                return

    # the supervisor's thread

    def _run(self) -> None:
        while True:
            try:
                event: _Event | None = self._events.get(timeout=self._patience())
            except queue.Empty:
                event = None
            if isinstance(event, _Close):
                self._shut_down()
                return
            try:
                self._step(event)
            except Exception as error:
                self._recover(error)

    def _step(self, event: _Event | None) -> None:
        if event is not None:
            self._handle(event)
        self._check_clock()
        self._feed()

    def _recover(self, error: Exception) -> None:
        """A fault of ours: everybody gets an answer, and the next question a new worker."""
        reason = f"adk-tool-lens failed ({type(error).__name__}: {error}); please report this"
        worker, self._worker = self._worker, None
        if worker is not None:
            self._waiting.extendleft(reversed(worker.sent))
            worker.process.kill()
        self._answer_waiting(reason)
        self._introduce_all(Environment(self._settings.interpreter, problem=reason))

    def _patience(self) -> float | None:
        worker = self._worker
        if worker is None or worker.deadline == float("inf"):
            return None
        return max(0.0, worker.deadline - time.monotonic())

    def _handle(self, event: _Event) -> None:
        match event:
            case _Ask(job):
                self._waiting.append(job)
            case _Introduce(future):
                self._introductions.append(future)
                self._introduce()
            case _WarmUp():
                self._ensure_worker()
            case _Said(process, message):
                if self._worker is not None and self._worker.process is process:
                    self._hear(self._worker, message)
            case _Ended(process, why):
                if self._worker is not None and self._worker.process is process:
                    self._lose(self._worker, why)
            case _Close():
                return

    # starting

    def _ensure_worker(self) -> _Worker | None:
        """The running worker, started if need be; None when there can be none now."""
        if self._worker is not None and self._is_outdated(self._worker):
            self._retire(self._worker)
        if self._worker is not None:
            return self._worker
        now = time.monotonic()
        if now < self._rest_until:
            return None
        unsolved = self._problem is not None and now < self._problem_until
        if unsolved and self._site.current() == self._problem:  # nobody installed what was missing
            return None
        self._problem = None
        seen = self._site.seen()
        try:
            process = _Process(self._settings, self.tell)
        except (OSError, ValueError) as error:
            self._no_environment(_cannot_start(self._settings.interpreter, error))
            return None
        process.send({"id": 0, "op": "warm"})
        self._worker = _Worker(process, now + self._settings.hello_timeout, seen)
        return self._worker

    def _is_outdated(self, worker: _Worker) -> bool:
        if worker.sent or worker.environment is None:
            return False
        if self._is_used_up(worker):
            return True
        current = self._site.current()
        return current is None or _versions(current) != _versions(worker.environment)

    def _is_used_up(self, worker: _Worker) -> bool:
        asked = worker.answered + len(worker.sent)
        return asked >= self._settings.requests_per_process or worker.memory > BYTES_PER_PROCESS

    def _retire(self, worker: _Worker) -> None:
        worker.process.finish()
        self._worker = None

    def _introduce(self) -> None:
        """Answers who asked for the environment as soon as there is one."""
        worker = self._ensure_worker()
        known = self._problem
        if worker is not None:
            known = worker.environment
        elif known is None:
            known = Environment(self._settings.interpreter, problem=self._trouble)
        if known is not None:
            for future in self._introductions:
                future.set_result(known)
            self._introductions.clear()

    def _no_environment(
        self, problem: str, known: Environment | None = None, folder: str | None = None
    ) -> None:
        """The interpreter cannot serve: says so to everybody, and looks again later."""
        base = known or Environment(self._settings.interpreter)
        self._problem = replace(base, problem=problem)
        wait = min(PROBLEM_RECHECK_SECONDS * 2.0**self._problems, LONGEST_RECHECK_SECONDS)
        self._problems = min(self._problems + 1, 16)
        self._problem_until = time.monotonic() + wait
        seen = self._worker.seen if self._worker is not None else self._site.seen()
        self._site.learn(self._problem, folder, seen, self._problem_until)
        if self._worker is not None:
            self._waiting.extendleft(reversed(self._worker.sent))
            self._worker.process.kill()
            self._worker = None
        self._introduce_all(self._problem)
        self._answer_waiting(problem)

    def _introduce_all(self, environment: Environment) -> None:
        for future in self._introductions:
            future.set_result(environment)
        self._introductions.clear()

    def _answer_waiting(self, reason: str) -> None:
        while self._waiting:
            self._keep(self._waiting.popleft(), Unavailable(reason), None)

    # talking

    def _feed(self) -> None:
        """Sends what is waiting, or answers it when there is nobody to send it to."""
        if not self._waiting:
            return
        worker = self._ensure_worker()
        if worker is None:
            self._answer_waiting(self._why_not())
            return
        while self._waiting and len(worker.sent) < IN_FLIGHT and not self._is_used_up(worker):
            self._send(worker, self._waiting.popleft())

    def _send(self, worker: _Worker, job: _Job) -> None:
        if self._hung.get(job.request, 0.0) > time.monotonic():
            self._keep(job, Unavailable(_took_too_long(self._settings.timeout)), None)
            return
        worker.sent.append(job)
        if worker.is_warm and len(worker.sent) == 1:
            self._reset_clock(worker)
        modules = [{"name": one.name, "source": one.source} for one in job.request.stub.modules]
        worker.process.send(
            {
                "id": job.number,
                "op": "declare",
                "backend": job.request.backend.value,
                "provider": job.request.provider.value,
                "modules": modules,
            }
        )

    def _hear(self, worker: _Worker, message: dict[str, Any]) -> None:
        if "hello" in message:
            self._greet(worker, message["hello"])
        elif message.get("id") == 0:
            self._warmed(worker, message)
        elif worker.sent and message.get("id") == worker.sent[0].number:
            self._settle(worker, message)
        else:
            self._lose(worker, "it answered a question that was not asked")

    def _greet(self, worker: _Worker, hello: Any) -> None:
        environment, folder = _environment_of(self._settings.interpreter, hello)
        if environment.problem is not None:
            self._no_environment(environment.problem, environment, folder)
            return
        worker.environment = environment
        worker.deadline = time.monotonic() + self._settings.warm_timeout
        self._site.learn(environment, folder, worker.seen)
        self._introduce_all(environment)

    def _warmed(self, worker: _Worker, message: dict[str, Any]) -> None:
        if "unavailable" in message:
            reason = f"{message['unavailable']}; reinstall google-adk there or choose another interpreter"
            self._no_environment(reason, worker.environment)
            return
        worker.is_warm = True
        self._problems = 0
        self._reset_clock(worker)

    def _settle(self, worker: _Worker, message: dict[str, Any]) -> None:
        try:
            answer = answer_from_json(message)
        except (KeyError, TypeError, ValueError, AttributeError):
            self._lose(worker, "it gave an answer that cannot be read")
            return
        job = worker.sent.popleft()
        worker.answered += 1
        worker.memory = _memory_of(message, answer)
        worker.providers.add(job.request.provider)
        self._crashes = 0
        self._reset_clock(worker)
        self._keep(job, answer, worker.environment)

    def _reset_clock(self, worker: _Worker) -> None:
        """Gives the first of the sent questions its time; nothing is due when there is none."""
        if not worker.sent:
            worker.deadline = float("inf")
            return
        provider = worker.sent[0].request.provider
        # litellm and anthropic are imported by the first question that needs them.
        imports = provider in _IMPORTING and provider not in worker.providers
        seconds = self._settings.warm_timeout if imports else self._settings.timeout
        worker.deadline = time.monotonic() + seconds

    # trouble

    def _check_clock(self) -> None:
        worker = self._worker
        if worker is None or time.monotonic() < worker.deadline:
            return
        if worker.environment is None:
            seconds = self._settings.hello_timeout
            self._no_environment(
                f"{self._settings.interpreter} did not say within {seconds:g} s what it has installed: "
                "is it a Python interpreter? Choose another one or try again"
            )
        elif not worker.is_warm:
            seconds = self._settings.warm_timeout
            self._crashes = max(self._crashes, 1)  # it has been waited for long enough
            self._lose(worker, f"google-adk was not imported within {seconds:g} s")
        else:
            self._give_up_on(worker, worker.sent.popleft())

    def _give_up_on(self, worker: _Worker, job: _Job) -> None:
        """The worker hangs: the questions go to a new one, last of all the one that may have hung it."""
        worker.process.kill()
        self._worker = None
        self._waiting.extendleft(reversed(worker.sent))
        job.attempts += 1
        if job.attempts == 1:
            self._waiting.append(job)
            return
        now = time.monotonic()
        self._hung = {one: until for one, until in self._hung.items() if until > now}
        self._hung[job.request] = now + HUNG_REMEMBERED_SECONDS
        self._keep(job, Unavailable(_took_too_long(self._settings.timeout)), None)

    def _lose(self, worker: _Worker, why: str) -> None:
        """The worker is gone: one retry for the question it worked on, and a rest after a second loss."""
        worker.process.kill()
        self._worker = None
        tail = worker.process.stderr_tail()
        self._trouble = why + (f": {tail}" if tail else "")
        if worker.environment is None:
            self._no_environment(_no_worker(self._settings.interpreter, self._trouble))
            return
        self._crashes += 1
        self._waiting.extendleft(reversed(worker.sent))
        if worker.sent and worker.is_warm:
            self._blame(self._waiting.popleft())
        if self._crashes > 1:
            rest = min(FIRST_BACK_OFF * 2.0 ** (self._crashes - 2), LONGEST_BACK_OFF)
            self._rest_until = time.monotonic() + rest
            self._answer_waiting(self._why_not())

    def _blame(self, job: _Job) -> None:
        job.attempts += 1
        if job.attempts > 1:
            reason = f"the declaration worker ended twice on this tool ({self._trouble})"
            self._keep(job, Unavailable(reason), None)
        else:
            self._waiting.appendleft(job)

    def _why_not(self) -> str:
        if self._problem is not None and self._problem.problem is not None:
            return self._problem.problem
        seconds = max(0.0, self._rest_until - time.monotonic())
        return (
            f"the declaration worker of {self._settings.interpreter} ended {self._crashes} times "
            f"({self._trouble}); it is tried again in {seconds:.0f} s"
        )

    def _shut_down(self) -> None:
        worker = self._worker
        if worker is not None:
            self._waiting.extendleft(reversed(worker.sent))
            worker.process.kill()
            self._worker = None
        while not self._events.empty():
            self._turn_away(self._events.get())
        for job in self._waiting:
            self._turn_away(_Ask(job))
        for future in self._introductions:
            self._turn_away(_Introduce(future))


def _memory_of(message: Mapping[str, Any], answer: Answer) -> int:
    """What a worker says it takes; one that ran out of memory has all it may have."""
    if isinstance(answer, Refused) and answer.type == "MemoryError":
        return BYTES_PER_PROCESS + 1
    memory = message.get("memory")
    return memory if isinstance(memory, int) else 0


def _versions(environment: Environment) -> tuple[str | None, ...]:
    return environment.python, environment.adk, environment.genai, environment.pydantic


def _took_too_long(seconds: float) -> str:
    return (
        f"google-adk took longer than {seconds:g} s for this declaration, so the worker was replaced: "
        "a default, a pattern or a type of the tool is too costly to evaluate"
    )


def _cannot_start(interpreter: str, error: Exception) -> str:
    path = Path(interpreter)
    if path.is_dir():
        what = f"{interpreter} is a folder, not a Python interpreter"
    elif not path.exists():
        what = f"there is no Python interpreter {interpreter}"
    else:
        what = f"{interpreter} cannot be started ({error})"
    return f"{what}: choose another interpreter"


def _no_worker(interpreter: str, why: str) -> str:
    return (
        f"{interpreter} did not start as a Python interpreter 3.10 or newer ({why}): "
        "choose another interpreter"
    )


def _environment_of(interpreter: str, hello: Any) -> tuple[Environment, str | None]:
    """Reads a worker's first word."""
    if not isinstance(hello, dict) or hello.get("protocol") != PROTOCOL:
        problem = f"{interpreter} runs something that is no worker of this version"
        return Environment(interpreter, problem=problem), None

    def text(name: str) -> str | None:
        value = hello.get(name)
        return value if isinstance(value, str) else None

    environment = Environment(
        interpreter,
        text("python"),
        text("adk"),
        text("genai"),
        text("pydantic"),
        text("problem"),
    )
    return environment, text("site")
