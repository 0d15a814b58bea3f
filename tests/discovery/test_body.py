"""What a function's body does, told from its text."""

from __future__ import annotations

import textwrap

import pytest

from adk_tool_lens.discovery import body as reading
from adk_tool_lens.discovery.evaluate import World, module_member
from adk_tool_lens.discovery.model import Body, BodyCall, Returned, Use
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.values import Function


@pytest.fixture(autouse=True)
def _faults_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "RAISE_BUGS", True)


def body(text: str, name: str = "tool") -> Body:
    module = Module.of(textwrap.dedent(text))
    world = World(find=lambda _name, _importer: None)
    function = module_member(module, name, world)
    assert isinstance(function, Function)
    return reading.body_of(function, world)()


def call(found: Body, callee: str) -> BodyCall:
    [hit] = [each for each in found.calls if each.callee == callee]
    return hit


def kinds(found: Body) -> list[str]:
    return [each.kind for each in found.returns]


def test_callees_have_the_full_name_that_imports_give() -> None:
    found = body(
        """
        import os.path as p, requests as r
        from subprocess import run

        def helper(): ...

        def tool(cursor, x):
            r.get(x); run(x); p.join(x); helper(); open(x); cursor.execute(x)
        """
    )
    assert [each.callee for each in found.calls] == [
        "requests.get",
        "subprocess.run",
        "os.path.join",
        "__main__.helper",
        "builtins.open",
        "cursor.execute",
    ]


def test_methods_of_what_calls_gave_are_named_after_the_calls() -> None:
    found = body(
        """
        import sqlite3

        def tool(x):
            with sqlite3.connect("a.db") as connection:
                cursor = connection.cursor()
                return cursor.execute(x).fetchall()
        """
    )
    assert found.returns[0].callee == "sqlite3.connect.cursor.execute.fetchall"


@pytest.mark.parametrize(
    ("statement", "parameters", "literal"),
    [
        ("run(command)", {"command"}, None),
        ("run('ls ' + command)", {"command"}, "ls "),
        ("run(f'ls {command}')", {"command"}, "ls "),
        ("run(f'{TOOL} {command}')", {"command"}, "ls "),
        ("run('ls %s' % command)", {"command"}, "ls "),
        ("run('ls {}'.format(command))", {"command"}, "ls "),
        ("line = f'ls {command}'; run(line)", {"command"}, "ls "),
        ("line = 'ls '; line += command; run(line)", {"command"}, None),
        ("run(['ls', command])", {"command"}, None),
        ("parts = command.strip().split(); run(parts)", {"command"}, None),
        ("for part in command.split(): run(part)", {"command"}, None),
        ("run(str(command))", {"command"}, None),
        ("run(int(command))", set(), None),
        ("run(quoted(command))", set(), None),
        ("run('ls')", set(), "ls"),
        ("run(ALLOWED[command])", set(), None),
    ],
)
def test_parameters_are_followed_into_arguments(
    statement: str, parameters: set[str], literal: str | None
) -> None:
    found = body(
        f"""
        from subprocess import run
        TOOL = "ls"
        ALLOWED = {{}}

        def tool(command):
            {statement}
        """
    )
    [argument] = call(found, "subprocess.run").arguments
    assert argument.parameters == parameters
    assert argument.literal == literal


@pytest.mark.parametrize(
    ("statement", "use"),
    [
        ("fetch()", Use.DISCARDED),
        ("return fetch()", Use.RETURNED),
        ("return {'result': fetch()}", Use.RETURNED),
        ("return fetch()['k']", Use.READ),
        ("data = fetch(); return data['k']", Use.READ),
        ("data = fetch(); return data", Use.RETURNED),
        ("data = fetch(); print(data['k']); return data", Use.PASSED),
        ("return f'{fetch()}'", Use.READ),
        ("for row in fetch(): pass", Use.READ),
        ("gather(fetch())", Use.PASSED),
        ("task = fetch(); jobs.append(task)", Use.PASSED),
    ],
)
def test_what_is_done_with_a_coroutine(statement: str, use: Use) -> None:
    found = body(
        f"""
        async def fetch(): return 1

        async def tool(jobs, gather):
            {statement}
        """
    )
    hit = call(found, "__main__.fetch")
    assert (hit.use, hit.target_is_async, hit.awaited) == (use, True, False)


def test_awaited_calls_and_decorated_or_generating_targets() -> None:
    found = body(
        """
        @contextmanager
        async def decorated(): return 1

        async def generating(): yield 1

        async def plain(): return 1

        async def tool():
            await plain()
            decorated()
            generating()
        """
    )
    assert [(each.awaited, each.target_is_async) for each in found.calls] == [
        (True, True),
        (False, False),
        (False, False),
    ]


def test_results_and_their_keys() -> None:
    found = body(
        """
        from datetime import datetime

        def tool(x):
            if x == 1:
                return
            if x == 2:
                return {"status": "ok"} if x else [1]
            built = {"status": "ok", **{"rows": []}}
            built["when"] = datetime.now()
            built.update(count=1)
            built.update({"total": 2})
            if x == 3:
                return built
            if x == 4:
                return {"status": "ok", **x}
            if x == 5:
                return {1, 2}
            return datetime.now()
        """
    )
    assert kinds(found) == ["none", "dict", "list", "dict", "dict", "set", "call"]
    assert found.returns[1].keys == ("status",)
    assert found.returns[3].keys == ("status", "rows", "when", "count", "total")
    assert found.returns[4].keys is None
    assert found.returns[6].callee == "datetime.datetime.now"
    assert found.end is None


def test_values_of_a_dict() -> None:
    found = body(
        """
        import uuid

        def tool(x):
            return {"id": uuid.uuid4(), "tags": {1, 2}, "rows": [x]}
        """
    )
    values: tuple[Returned, ...] = found.returns[0].values
    assert [(each.kind, each.callee) for each in values] == [
        ("call", "uuid.uuid4"),
        ("set", None),
        ("list", None),
    ]


def test_a_body_that_control_can_run_past_has_an_end() -> None:
    assert body("def tool(x):\n    if x:\n        return 1\n    print(x)\n").end is not None
    assert body("def tool(x):\n    while True:\n        pass\n").end is None
    assert body("def tool(x):\n    try:\n        return 1\n    except E:\n        raise\n").end is None
    assert body("def tool(x):\n    try:\n        return 1\n    except E:\n        pass\n").end is not None


@pytest.mark.parametrize(
    ("statements", "leaves"),
    [
        ("raise ValueError(x)", ["builtins.ValueError"]),
        ("raise Own", ["__main__.Own"]),
        ("try: raise ValueError(x)\nexcept ValueError: pass", []),
        ("try: raise UnicodeError(x)\nexcept (KeyError, ValueError): pass", []),
        ("try: raise ValueError(x)\nexcept Exception: pass", []),
        ("try: raise ValueError(x)\nexcept: pass", []),
        ("try: raise ValueError(x)\nexcept KeyError: pass", ["builtins.ValueError"]),
        ("try: raise Own(x)\nexcept LookupError: pass", []),
        ("try: pass\nexcept KeyError as e: raise ValueError(x) from e", ["builtins.ValueError"]),
        ("try: pass\nexcept KeyError: raise", [None]),
        ("with suppress(ValueError): raise ValueError", []),
        ("def inner(): raise ValueError\ninner()", []),
    ],
)
def test_exceptions_that_leave(statements: str, leaves: list[str | None]) -> None:
    text = "from contextlib import suppress\nclass Own(KeyError): ...\ndef tool(x):\n"
    found = body(text + textwrap.indent(statements, "    ") + "\n")
    assert [each.exception for each in found.raises] == leaves


def test_nested_functions_are_left_out_but_their_names_count() -> None:
    found = body("def tool(x, y):\n    def inner():\n        return run(y)\n    return inner\n")
    assert not found.calls
    assert {"y", "inner"} <= found.names
    assert "x" not in found.names


def test_bodies_are_read_when_asked_for_and_once() -> None:
    module = Module.of("def tool(x):\n    return run(x)\n")
    world = World(find=lambda _name, _importer: None)
    function = module_member(module, "tool", world)
    assert isinstance(function, Function)
    read = reading.body_of(function, world)
    assert read() is read()
