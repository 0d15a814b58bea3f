"""No trouble of a worker reaches the caller, and every question gets an answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.declaration.client import BYTES_PER_PROCESS, DeclarationClient
from adk_tool_lens.declaration.model import (
    Answer,
    Backend,
    Declared,
    Provider,
    Refused,
    Unavailable,
)
from conftest import AdkPython
from declaration.asking import ask
from declaration.fakes import OBEDIENT, fake, starts_of

Make = Callable[..., DeclarationClient]
ONE = ask("def f(a: int): 'd'")
DECLARATIONS = 10_000 if os.environ.get("ADK_TOOL_LENS_TESTS") == "long" else 400


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes clients and closes them."""
    made: list[DeclarationClient] = []

    def client(interpreter: Path | str, **settings: Any) -> DeclarationClient:
        made.append(DeclarationClient(interpreter, **settings))
        return made[-1]

    yield client
    for one in made:
        one.close()


def name_of(answer: Answer) -> str:
    assert isinstance(answer, Declared), answer
    return answer.name


def reason_of(answer: Answer) -> str:
    assert isinstance(answer, Unavailable), answer
    return answer.reason


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# environments


@pytest.mark.parametrize("version", ["1.39.1", "2.9.0", "2.13.0"])
def test_an_environment_is_read_without_starting_it(
    make: Make, adk_python: AdkPython, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    python = adk_python(version)
    monkeypatch.setattr("adk_tool_lens.declaration.client.subprocess.Popen", None)
    environment = make(python).environment()
    assert environment.adk == version
    assert environment.problem is None
    assert None not in (environment.python, environment.genai, environment.pydantic)


def test_what_the_folder_says_is_what_the_worker_says(make: Make, adk_python: AdkPython) -> None:
    client = make(adk_python("2.9.0"))
    read = client.environment()
    name_of(client.declare(ONE))
    assert read == client.environment()


def test_no_google_adk(make: Make, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    python = tmp_path / "v" / "bin" / "python"
    client = make(python)
    environment = client.environment()
    assert environment.problem is not None
    assert f"google-adk is not installed in {python} (Python 3." in environment.problem
    assert "pip install google-adk" in environment.problem
    assert environment.problem == reason_of(client.declare(ONE))


def test_google_adk_installed_while_running(make: Make, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    client = make(tmp_path / "v" / "bin" / "python")
    assert client.environment().problem is not None
    (site,) = (tmp_path / "v" / "lib").glob("python3.*/site-packages")
    for package in ("google_adk-2.9.0", "google_genai-2.0", "pydantic-2.11"):
        (site / f"{package}.dist-info").mkdir()
    wait_until(lambda: client.environment().adk == "2.9.0")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise RuntimeError('torn')", "RuntimeError: torn; reinstall google-adk there or choose another"),
        ("print('x' * 9_999_999)\nimport sys\nsys.exit('not here')", "SystemExit: not here; reinstall"),
        ("1 +", "google-adk cannot be imported"),
        ("import os\nos.write(2, b'bad license')\nos._exit(7)", "it ended with status 7: bad license"),
        ("import os\nos.kill(os.getpid(), 9)", "it ended with status -9"),
        ("import time\ntime.sleep(99)", "google-adk was not imported within 2 s"),
        ("def f(): f()\nf()", "RecursionError"),
        (
            "import sys\nsys.stdin.close()\nsys.stdout.close()",
            "ModuleNotFoundError: No module named 'google.adk.a",
        ),
    ],
    ids=["raises", "exits", "is no Python", "ends", "is killed", "hangs", "recurses", "closes"],
)
def test_a_broken_google_adk(make: Make, tmp_path: Path, body: str, words: str) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    (site,) = (tmp_path / "v" / "lib").glob("python3.*/site-packages")
    for package in ("google_adk-2.9.0", "google_genai-2.0", "pydantic-2.11"):
        name, _, version = package.partition("-")
        (site / f"{package}.dist-info").mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
        (site / f"{package}.dist-info" / "METADATA").write_text(metadata)
    (site / "google" / "adk").mkdir(parents=True)
    (site / "google" / "adk" / "__init__.py").write_text(body)
    client = make(tmp_path / "v" / "bin" / "python", warm_timeout=2.0 if "sleep" in body else None)
    started = time.monotonic()
    reason = reason_of(client.declare(ONE))
    assert words in reason
    assert time.monotonic() - started < 20
    again = time.monotonic()
    assert words in reason_of(client.declare(ask("# another")))
    assert time.monotonic() - again < 5


@pytest.mark.parametrize(
    ("interpreter", "words"),
    [
        ("/nowhere/python", "there is no Python interpreter"),
        ("{folder}", "is a folder"),
        ("{file}", "cannot be started"),
        ("/bin/cat", "did not start as a Python interpreter"),
        ("/bin/true", "did not start as a Python interpreter"),
    ],
)
def test_what_is_no_interpreter(make: Make, tmp_path: Path, interpreter: str, words: str) -> None:
    file = tmp_path / "file"
    file.touch()
    client = make(interpreter.format(folder=tmp_path, file=file))
    problem = client.environment().problem
    assert problem is not None
    assert words in problem
    assert "hoose another interpreter" in problem
    assert problem == reason_of(client.declare(ONE))


def test_an_interpreter_that_is_too_old(make: Make, tmp_path: Path) -> None:
    old = """
    hello = HELLO["hello"] | {"python": "3.9.1", "problem": "x (Python 3.9.1) is too old"}
    say({"hello": hello})
    """
    client = make(fake(tmp_path, old))
    environment = client.environment()
    assert (environment.python, environment.problem) == ("3.9.1", "x (Python 3.9.1) is too old")


def test_an_interpreter_that_says_nothing(make: Make, tmp_path: Path) -> None:
    client = make(fake(tmp_path, "time.sleep(60)"), hello_timeout=0.3)
    started = time.monotonic()
    problem = client.environment().problem
    assert time.monotonic() - started < 5
    assert problem is not None
    assert "did not say within 0.3 s" in problem


# answers


def test_a_second_question_is_answered_from_memory(make: Make, tmp_path: Path) -> None:
    client = make(fake(tmp_path, OBEDIENT))
    client.environment()
    assert client.peek(ONE) is None
    answer = client.declare(ONE)
    assert answer == client.peek(ONE)
    assert answer == client.submit(ONE).result(0)


def test_peek_starts_nothing(make: Make, tmp_path: Path) -> None:
    executable = fake(tmp_path, OBEDIENT)
    assert make(executable).peek(ONE) is None
    assert starts_of(executable) == 0


def test_the_same_question_at_once_is_one_question(make: Make, tmp_path: Path) -> None:
    count = """
    say(HELLO)
    for number, request in enumerate(requests()):
        if request["op"] == "declare":
            time.sleep(0.2)
            declared(request, f"f{number}")
        else:
            say({"id": request["id"], "warmed": True})
    """
    client = make(fake(tmp_path, count))
    client.environment()
    futures = [client.submit(ONE) for _ in range(20)]
    assert {"f1"} == {name_of(future.result()) for future in futures}
    assert not futures[0].cancel()


def test_back_ends_and_providers_are_told_apart(make: Make, adk_python: AdkPython) -> None:
    client = make(adk_python("2.9.0"))
    source = "def f(a: int) -> dict: 'd'"
    vertex = client.declare(ask(source, backend=Backend.VERTEX))
    gemini = client.declare(ask(source, backend=Backend.GEMINI))
    formed = client.declare(ask(source, provider=Provider.GEMINI))
    assert vertex != gemini
    assert isinstance(formed, Declared)
    assert formed.provider_form is not None


def test_a_worker_that_outgrows_its_limit_is_replaced(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing = """
    starts()
    say(HELLO)
    for number, request in enumerate(requests()):
        answer = {"id": request["id"], "memory": number * 1000}
        declared(request, **answer) if request["op"] == "declare" else say(answer | {"warmed": True})
    """
    monkeypatch.setattr("adk_tool_lens.declaration.client.BYTES_PER_PROCESS", 2500)
    executable = fake(tmp_path, growing)
    client = make(executable)
    for future in [client.submit(ask(f"# {number}")) for number in range(24)]:
        name_of(future.result(30))
    assert starts_of(executable) == 3
    for number in range(6):
        name_of(client.declare(ask(f"# one by one {number}")))
    assert starts_of(executable) in {4, 5}


def test_memory_stays_bounded(make: Make, adk_python: AdkPython) -> None:
    client = make(adk_python("2.9.0"), requests_per_process=10**9)
    model = (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    a: list[int]\n    b: 'M | None' = None\n"
    )
    sizes = []
    for number in range(DECLARATIONS):
        name_of(client.declare(ask(f"{model}def f(m: M) -> dict: 'd {number} {'x' * 2000}'")))
        if number % (DECLARATIONS // 8) == DECLARATIONS // 8 - 1:
            sizes.append(resident(client))
    assert max(sizes[4:]) - min(sizes[:4]) < 20e6, sizes
    assert max(sizes) < BYTES_PER_PROCESS / 2


def resident(client: DeclarationClient) -> int:
    """Bytes that the worker takes, as it says."""
    worker = client._supervisor._worker
    assert worker is not None
    assert worker.memory > 0
    return worker.memory


def test_many_threads_and_many_questions(make: Make, adk_python: AdkPython) -> None:
    client = make(adk_python("2.9.0"), requests_per_process=40)
    requests = [ask(f"def f{n}(a: int): 'd'", f"f{n}") for n in range(120)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.declare, requests))
    assert [f"f{n}" for n in range(120)] == [name_of(answer) for answer in answers]


def test_a_worker_is_replaced_after_its_share(make: Make, tmp_path: Path) -> None:
    executable = fake(tmp_path, OBEDIENT)
    client = make(executable, requests_per_process=2)
    for number in range(6):
        name_of(client.declare(ask(f"# {number}")))
    assert starts_of(executable) == 3


# trouble


def test_a_hang_is_tried_again_after_the_others_and_costs_one_answer(make: Make, tmp_path: Path) -> None:
    hanging = """
    starts()
    say(HELLO)
    for request in questions():
        if "hang" in request["modules"][0]["source"]:
            time.sleep(60)
        else:
            declared(request)
    """
    executable = fake(tmp_path, hanging)
    client = make(executable, timeout=1.5)
    hung, other = client.submit(ask("# hang")), client.submit(ONE)
    assert name_of(other.result(20)) == "f"
    assert not hung.done()
    assert "took longer than 1.5 s" in reason_of(hung.result(20))
    assert starts_of(executable) == 2
    started = time.monotonic()
    assert "took longer" in reason_of(client.declare(ask("# hang")))
    assert time.monotonic() - started < 1.2
    assert name_of(client.declare(ask("# another"))) == "f"
    assert starts_of(executable) == 3


def test_a_question_is_not_blamed_for_a_worker_that_hangs(make: Make, tmp_path: Path) -> None:
    hanging = """
    first = starts() == 1
    say(HELLO)
    for request in questions():
        if first:
            time.sleep(60)
        else:
            declared(request)
    """
    executable = fake(tmp_path, hanging)
    assert name_of(make(executable, timeout=1.5).submit(ONE).result(20)) == "f"
    assert starts_of(executable) == 2


def test_a_real_hang_is_ended(make: Make, adk_python: AdkPython) -> None:
    client = make(adk_python("2.9.0"), timeout=1.5)
    slow = """
        from pydantic import BaseModel, ConfigDict, Field
        class M(BaseModel):
            model_config = ConfigDict(regex_engine='python-re')
            a: str = Field(pattern='^(a+)+$')
        m = M(a='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')
        def f(a: int): 'd'
    """
    assert "took longer than 1.5 s" in reason_of(client.declare(ask(slow)))
    assert name_of(client.declare(ONE)) == "f"


def test_a_crash_is_retried_once(make: Make, tmp_path: Path) -> None:
    crashing = """
    first = starts() == 1
    say(HELLO)
    for request in questions():
        if first:
            os.abort()
        else:
            declared(request)
    """
    executable = fake(tmp_path, crashing)
    assert name_of(make(executable).declare(ONE)) == "f"
    assert starts_of(executable) == 2


def test_a_question_that_kills_is_not_asked_a_third_time(make: Make, tmp_path: Path) -> None:
    deadly = """
    starts()
    say(HELLO)
    for request in questions():
        sys.stderr.write("the last words")
        sys.exit(3)
    """
    executable = fake(tmp_path, deadly)
    client = make(executable)
    reason = reason_of(client.declare(ONE))
    assert "ended twice on this tool" in reason
    assert "status 3: the last words" in reason
    assert starts_of(executable) == 2
    started = time.monotonic()
    assert "is tried again in" in reason_of(client.declare(ask("# other")))
    assert time.monotonic() - started < 0.9
    assert starts_of(executable) == 2


@pytest.mark.parametrize(
    "garbage",
    [
        "print('hello from a library', flush=True)",
        "print('{', flush=True)",
        "print('[1, 2]', flush=True)",
        'print(\'{"id": 77, "declared": {}}\', flush=True)',
        "say({'id': request['id'], 'declared': {'name': 1}})",
        "say({'id': request['id']})",
        "sys.stdout.write('{\"id\": '); sys.stdout.flush(); sys.exit()",
        "os.write(1, b'\\xff\\x00' * 4096 + b'\\n')",
        "os.close(1); time.sleep(60)",
    ],
)
def test_garbage_on_the_wire(make: Make, tmp_path: Path, garbage: str) -> None:
    body = f"""
    first = starts() == 1
    say(HELLO)
    for request in questions():
        if first:
            {garbage}
        else:
            declared(request)
    """
    assert name_of(make(fake(tmp_path, body)).submit(ONE).result(10)) == "f"


def test_garbage_before_the_first_word(make: Make, tmp_path: Path) -> None:
    # As from a `sitecustomize` or `.pth` of the environment, which run before the worker does.
    noisy = """
    print("loading", "hooks", sep="\\n", flush=True)
    """
    assert name_of(make(fake(tmp_path, noisy + OBEDIENT)).submit(ONE).result(10)) == "f"
    endless = make(fake(tmp_path, "while True: print('y' * 1000)", "endless"))
    assert "something that is no answer" in str(endless.environment().problem)


def test_a_line_without_end(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adk_tool_lens.declaration.client.MAX_LINE", 100_000)
    endless = """
    say(HELLO)
    while True:
        sys.stdout.write("x" * 65536)
    """
    client = make(fake(tmp_path, endless))
    assert "a line without an end" in reason_of(client.submit(ONE).result(10))


def test_a_flood_on_standard_error(make: Make, tmp_path: Path) -> None:
    flooding = """
    say(HELLO)
    for request in requests():
        for _ in range(100):
            sys.stderr.write("x" * 65536)
        declared(request) if request["op"] == "declare" else say({"id": request["id"], "warmed": 1})
    """
    assert name_of(make(fake(tmp_path, flooding)).submit(ONE).result(20)) == "f"


def test_a_worker_that_does_not_read(make: Make, tmp_path: Path) -> None:
    client = make(fake(tmp_path, "say(HELLO); time.sleep(60)"), warm_timeout=0.5)
    started = time.monotonic()
    future = client.submit(ask("# " + "x" * 1_500_000))
    assert time.monotonic() - started < 0.9
    assert "not imported within 0.5 s" in reason_of(future.result(10))


def test_an_import_may_take_longer_than_an_answer(make: Make, tmp_path: Path) -> None:
    slow = """
    say(HELLO)
    for request in requests():
        if request["op"] == "warm":
            time.sleep(1)
            say({"id": request["id"], "warmed": True})
        else:
            declared(request)
    """
    assert name_of(make(fake(tmp_path, slow), timeout=0.3).declare(ONE)) == "f"


def test_closing_answers_everybody(make: Make, tmp_path: Path) -> None:
    client = make(fake(tmp_path, "say(HELLO); time.sleep(60)"))
    futures: list[Future[Answer]] = [client.submit(ask(f"# {n}")) for n in range(3)]
    client.environment()
    client.close()
    client.close()
    assert {"the declaration worker was closed"} == {reason_of(f.result(5)) for f in futures}
    assert "closed" in reason_of(client.declare(ONE))


def test_no_process_outlives_its_client(make: Make, tmp_path: Path) -> None:
    body = f"Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\nsay(HELLO)\ntime.sleep(60)"
    client = make(fake(tmp_path, body))
    client.warm()
    client.environment()
    pid = int((tmp_path / "pid").read_text())
    client.close()

    def gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    wait_until(gone)


def test_secrets_are_not_passed_on(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "secret")
    monkeypatch.setenv("ADK_SOMETHING", "kept")
    body = f"Path({str(tmp_path / 'env')!r}).write_text(json.dumps(dict(os.environ)))\nsay(HELLO)"
    make(fake(tmp_path, body)).environment()
    seen = (tmp_path / "env").read_text()
    assert "kept" in seen
    assert "secret" not in seen


def test_nothing_of_the_workspace_is_imported(
    make: Make, adk_python: AdkPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "typing.py").write_text("raise SystemExit('workspace code ran')")
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit('workspace code ran')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert name_of(make(adk_python("2.13.0")).declare(ONE)) == "f"


# upgrades and the disk


def copy_of_environment(folder: Path, adk: str) -> Path:
    """A folder that looks like a virtual environment with an obedient worker in it."""
    executable = fake(folder / "bin", OBEDIENT, "python")
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n")
    site = folder / "lib" / "python3.12" / "site-packages"
    site.mkdir(parents=True)
    for package in (f"google_adk-{adk}", "google_genai-1", "pydantic-2"):
        (site / f"{package}.dist-info").mkdir()
    return executable


def test_an_upgrade_is_noticed(make: Make, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    executable = copy_of_environment(tmp_path, "2.9.0")
    client = make(executable)
    name_of(client.declare(ONE))
    assert starts_of(executable) == 1
    site = tmp_path / "lib" / "python3.12" / "site-packages"
    (site / "google_adk-2.9.0.dist-info").rename(site / "google_adk-2.13.0.dist-info")
    wait_until(lambda: client.environment().adk == "2.13.0")
    assert client.peek(ONE) is None
    name_of(client.declare(ONE))
    assert starts_of(executable) == 2


def test_another_package_restarts_nothing(make: Make, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    executable = copy_of_environment(tmp_path, "2.9.0")
    client = make(executable)
    name_of(client.declare(ONE))
    (tmp_path / "lib" / "python3.12" / "site-packages" / "rich-1.dist-info").mkdir()
    time.sleep(1.1)
    name_of(client.declare(ask("# other")))
    assert starts_of(executable) == 1


def test_an_answer_on_disk_needs_no_process(make: Make, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    executable = copy_of_environment(tmp_path, "2.9.0")
    answer = make(executable, cache_dir=tmp_path / "cache").declare(ONE)
    later = make(executable, cache_dir=tmp_path / "cache")
    assert answer == later.declare(ONE)
    assert starts_of(executable) == 1


def test_two_clients_share_the_disk(make: Make, adk_python: AdkPython, tmp_path: Path) -> None:
    clients = [make(adk_python("2.9.0"), cache_dir=tmp_path) for _ in range(2)]
    requests = [ask(f"def f{n}(a: int): 'd'", f"f{n}") for n in range(30)]
    futures = [client.submit(request) for request in requests for client in clients]
    names = [name_of(future.result(60)) for future in futures]
    assert [f"f{n}" for n in range(30) for _ in clients] == names
    third = make(adk_python("2.9.0"), cache_dir=tmp_path)
    assert [f"f{n}" for n in range(30)] == [
        name_of(answer) for answer in map(third.peek, requests) if answer is not None
    ]


def test_refusals_are_remembered_and_missing_packages_are_not(
    make: Make, adk_python: AdkPython, tmp_path: Path
) -> None:
    client = make(adk_python("2.9.0"), cache_dir=tmp_path)
    refused, unconverted = ask("X = missing"), ask("def f(): 'd'", provider=Provider.OPENAI)
    assert isinstance(client.declare(refused), Refused)
    assert isinstance(client.declare(unconverted), Refused)
    later = make(adk_python("2.9.0"), cache_dir=tmp_path)
    assert isinstance(later.peek(refused), Refused)
    assert later.peek(unconverted) is None
