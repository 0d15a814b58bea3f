"""What a function's body does, as plain facts: the outline of its text with the names looked up."""

from __future__ import annotations

import ast
import builtins
import logging
from collections.abc import Callable, Iterator
from functools import cache, partial

from adk_tool_lens.discovery.checks import checked
from adk_tool_lens.discovery.evaluate import World, bases, class_member, evaluate, kept
from adk_tool_lens.discovery.flow import Reader, carried, full_name, literal, name_of, reader_of, value_of
from adk_tool_lens.discovery.memo import identity
from adk_tool_lens.discovery.model import (
    Argument,
    Body,
    BodyCall,
    Raised,
    Use,
)
from adk_tool_lens.discovery.outline import Outline, RawCall, outline
from adk_tool_lens.discovery.results import returns
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Either,
    External,
    Function,
    Instance,
    Lambda,
    Value,
)

log = logging.getLogger(__name__)


def body_of(value: Value, world: World) -> Callable[[], Body]:
    """Reads what a callable does when called, once; kept while nothing that it reads changes."""

    @cache
    def read() -> Body:
        return kept(world, ("body", identity(value)), lambda: _safely(value, world))

    return read


def _safely(value: Value, world: World) -> Body:
    """The facts of a body; whatever the text holds, this gives some."""
    try:
        function = _function_in(value, world)
        return Body() if function is None else _body(function, world)
    except RecursionError:
        return Body()
    except Exception:
        if RAISE_BUGS:
            raise
        log.exception("the body of a function could not be read")
        return Body()


def _function_in(value: Value, world: World) -> Function | Lambda | None:
    """The function that runs when a value is called."""
    match value:
        case Function() | Lambda():
            return value
        case Bound(function=function):
            return function
        case Instance(cls=cls):
            method = class_member(cls, "__call__", world, value)
            return method.function if isinstance(method, Bound) else None
        case Called(callee=External(name="functools.partial"), call=call, scope=scope) if call.args:
            return _function_in(evaluate(call.args[0], scope, world), world)
    return None


RAISE_BUGS = False
"""Set by tests: a fault of this module fails the test instead of leaving the facts out."""


def _body(function: Function | Lambda, world: World) -> Body:
    reader = reader_of(function, world)
    found = reader.found
    last = function.node.body[-1] if isinstance(function, Function) else None
    return Body(
        calls=tuple(_call(call, reader) for call in found.calls),
        returns=tuple(returns(reader)),
        raises=tuple(_raises(reader)),
        names=frozenset(found.names),
        attributes=frozenset(found.attributes),
        checked=checked(function.node),
        end=reader.place(last) if last is not None and found.falls_through else None,
    )


# ---------------------------------------------------------------- calls


def _call(call: RawCall, reader: Reader) -> BodyCall:
    value = value_of(call.node.func, reader)
    return BodyCall(
        callee=(name_of(value) if value is not None else None) or full_name(call.node.func, reader),
        place=reader.place(call.node),
        awaited=call.awaited,
        target_is_async=value is not None and _is_async(value),
        use=_use(call, reader.found),
        read_arguments=partial(_arguments, call.node, reader),
    )


def _use(call: RawCall, found: Outline) -> Use:
    """What is done with the result; through a local name that is bound once, with that name."""
    if call.name is None or len(found.values.get(call.name, ())) != 1:
        return call.use
    uses = found.uses.get(call.name, set())
    for only in (Use.READ, Use.RETURNED):
        if uses == {only}:
            return only
    return call.use


def _is_async(value: Value) -> bool:
    """Whether calling it gives a coroutine; decorated functions may do otherwise."""
    match value:
        case Function(node=node) | Bound(function=Function(node=node)):
            plain = all(isinstance(d, ast.Name) and d.id.endswith("method") for d in node.decorator_list)
            return isinstance(node, ast.AsyncFunctionDef) and plain and not _generates(node)
        case Either(options=options):
            return all(map(_is_async, options))
    return False


def _generates(node: ast.AsyncFunctionDef) -> bool:
    return any(isinstance(each.node, ast.Yield) for each in outline(node).returns)


def _arguments(call: ast.Call, reader: Reader) -> tuple[Argument, ...]:
    rows: list[tuple[str | None, ast.expr]] = [(None, each) for each in call.args]
    rows += [(each.arg or "**", each.value) for each in call.keywords]
    return tuple(
        Argument(keyword, reader.text(node), carried(node, reader), literal(node, reader))
        for keyword, node in rows
    )


# ---------------------------------------------------------------- exceptions


def _raises(reader: Reader) -> Iterator[Raised]:
    for node, handlers in reader.found.raises:
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        value = None if target is None else evaluate(target, reader.scope, reader.world)
        name = name_of(value) if isinstance(value, External | Class) else None
        if not any(_catches(caught, value, reader) for level in handlers for caught in level):
            text = reader.text(node)
            yield Raised(text.place, text.text, name)


def _catches(caught: ast.expr | None, raised: Value | None, reader: Reader) -> bool:
    """Whether a handler takes an exception, or may take it."""
    if caught is None:
        return True
    handler = evaluate(caught, reader.scope, reader.world)
    wanted = name_of(handler) if isinstance(handler, External | Class) else None
    if wanted is None or wanted in {"builtins.Exception", "builtins.BaseException"}:
        return True
    lines = _lineage(raised, reader.world)
    return lines is None or wanted in lines


def _lineage(raised: Value | None, world: World) -> set[str] | None:
    """The full names of an exception's classes; None when they cannot all be told."""
    match raised:
        case External(name=name):
            cls = getattr(builtins, name.removeprefix("builtins."), None)
            if name.startswith("builtins.") and isinstance(cls, type):
                return {f"builtins.{base.__name__}" for base in cls.__mro__}
            return None
        case Class():
            found: set[str] = set()
            for base in bases(raised, world):
                found.add(name_of(base) or "")
                if isinstance(base, External):
                    found |= _lineage(base, world) or set()
            return found
    return None
