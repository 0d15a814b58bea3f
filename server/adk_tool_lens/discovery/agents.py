"""Reads what an agent is given beside its tools: instruction, model, callbacks, sub-agents."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.effects import effects_of
from adk_tool_lens.discovery.evaluate import World, evaluate, is_agent
from adk_tool_lens.discovery.facts import external_bases, known_tool
from adk_tool_lens.discovery.model import Agent, AgentKeyword, Callback, Expression
from adk_tool_lens.discovery.module import Mutation, Place
from adk_tool_lens.discovery.providers import model_of
from adk_tool_lens.discovery.texts import literal_of, text_of, texts_of
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    Dictionary,
    Either,
    External,
    Function,
    Instance,
    Item,
    Lambda,
    Scope,
    Sequence,
    Unknown,
    Value,
)

CALLBACKS = (
    "before_agent_callback",
    "after_agent_callback",
    "before_model_callback",
    "after_model_callback",
    "on_model_error_callback",
    "before_tool_callback",
    "after_tool_callback",
    "on_tool_error_callback",
)
"""google-adk's callback keywords (`LlmAgent`, 1.39 to 2.13)."""
ATTRIBUTES = (
    "tools",
    "sub_agents",
    "instruction",
    "global_instruction",
    "description",
    "model",
    "output_schema",
    "output_key",
    *CALLBACKS,
)
"""What people set after an agent was made."""
SPREAD = "**"
"""The name under which `agent.keywords` has a `**kwargs` whose keys are not known."""
_SHAPES: tuple[tuple[type, str], ...] = (
    (Function, "function"),
    (Bound, "function"),
    (Lambda, "function"),
    (Class, "class"),
    (Dictionary, "dict"),
    (Called, "call"),
    (Instance, "instance"),
    (External, "external"),
    (Either, "either"),
)


@dataclass(frozen=True, eq=False)
class Creation:
    """The call that creates an agent, read in its scope, and the name its result is given."""

    call: ast.Call
    scope: Scope
    variable: str | None


def describe(creation: Creation, kind: str, world: World) -> Agent:
    """An agent without its tools.

    Args:
        creation: The call.
        kind: The full name of google-adk's class behind the call.
        world: How other modules are found.
    """
    agent = _alone(creation, kind, world)
    members = list(sub_agents(creation, world))
    return replace(
        agent,
        sub_agents=tuple(member for member, _ in members),
        sub_agent_places=tuple(place for _, place in members),
    )


def _alone(creation: Creation, kind: str, world: World) -> Agent:
    """An agent without tools and sub-agents."""
    call, scope = creation.call, creation.scope
    given = list(_given(creation, world))
    by_name = {argument.name: argument for argument in given}
    model = by_name.get("model")
    instruction = by_name.get("instruction")
    name, provider = (None, None) if model is None else model_of(model.value, model.scope, world)
    return Agent(
        name=_text(by_name.get("name"), world),
        kind=kind,
        place=scope.place(call.func),
        whole=scope.place(call),
        variable=creation.variable,
        model=None if model is None else Expression(ast.unparse(model.value), model.scope.place(model.value)),
        instruction=_text(instruction, world),
        entries=(),
        keywords=tuple(_keyword(argument, world) for argument in given),
        callbacks=tuple(_callbacks(given, world)),
        instruction_place=None if instruction is None else literal_of(instruction.value, instruction.scope),
        model_name=name,
        provider=provider,
        own_class=_is_own_class(creation, world),
        read_texts=lambda: texts_of(scope.module),
    )


def _is_own_class(creation: Creation, world: World) -> bool:
    if isinstance(creation.call.func, ast.Attribute) and creation.call.func.attr == "__init__":
        return True
    return isinstance(evaluate(creation.call.func, creation.scope, world), Class)


# ---------------------------------------------------------------- keyword arguments


@dataclass(frozen=True, eq=False)
class _Given:
    """One value that an agent is given: by keyword, in a `**dict`, or by `agent.name = value`."""

    name: str
    value: ast.expr
    scope: Scope
    whole: ast.AST


def _given(creation: Creation, world: World) -> Iterator[_Given]:
    for argument in creation.call.keywords:
        if argument.arg is not None:
            yield _Given(argument.arg, argument.value, creation.scope, argument)
        else:
            yield from _spread(argument, creation.scope, world)
    for name, scope, change in _later(creation):
        if change.how == "set":
            yield _Given(name, change.value, scope, change.value)


def _spread(argument: ast.keyword, scope: Scope, world: World) -> Iterator[_Given]:
    """The keys of `**common`; what cannot be told of it stands as `**`."""
    value = evaluate(argument.value, scope, world)
    if isinstance(value, Dictionary):
        for key, item in value.items:
            if isinstance(key, str):
                yield _Given(key, item.node, item.scope, item.node)
        if not value.gaps and all(isinstance(key, str) for key, _ in value.items):
            return
    yield _Given(SPREAD, argument.value, scope, argument.value)


def _later(creation: Creation) -> Iterator[tuple[str, Scope, Mutation]]:
    """What later statements do to the agent's attributes: `agent.tools.append(f)`, `agent.model = m`."""
    if creation.variable is None:
        return
    for attribute in ATTRIBUTES:
        for scope, change in creation.scope.changes(f"{creation.variable}.{attribute}"):
            yield attribute, scope, change


def given_of(call: ast.Call, scope: Scope, world: World) -> Iterator[AgentKeyword]:
    """The keyword arguments of any call."""
    for argument in _given(Creation(call, scope, None), world):
        yield _keyword(argument, world)


def _keyword(argument: _Given, world: World) -> AgentKeyword:
    node = argument.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):  # what it is can be seen, without its elements
        value, word = None, type(node).__name__.lower()
    else:
        value = evaluate(node, argument.scope, world)
        word = shape(value)
    where = argument.scope.place(argument.value)
    text = where.block.text[where.span.start : where.span.end]
    return AgentKeyword(
        argument.name,
        argument.scope.place(argument.whole),
        Expression(text, where),
        value.value if isinstance(value, Const) else None,
        word,
    )


def shape(value: Value) -> str:
    """What a value is, in a word: `list`, `function`, `NoneType`, `str`; `unknown` when it cannot be told."""
    match value:
        case Const(value=constant):
            return type(constant).__name__
        case Sequence(kind=kind):
            return {"generatorexp": "list", "listcomp": "list"}.get(kind, kind)
        case Called(callee=External(name=name)) if name.startswith("google.adk.tools"):
            return "tool" if name.endswith(("Tool", "Toolset", "ToolSet")) else "call"
        case Called(callee=External(name=name)) if is_agent(name):
            return "agent"
    return next((word for kind, word in _SHAPES if isinstance(value, kind)), "unknown")


def _text(argument: _Given | None, world: World) -> str | None:
    return None if argument is None else text_of(argument.value, argument.scope, world)


# ---------------------------------------------------------------- callbacks


def _callbacks(given: list[_Given], world: World) -> Iterator[Callback]:
    for argument in given:
        if argument.name in CALLBACKS:
            yield from callbacks_in(argument.name, argument.value, argument.scope, world)


def callbacks_in(kind: str, node: ast.expr, scope: Scope, world: World) -> Iterator[Callback]:
    """The functions that an argument hands over, one or several, with their text where it is at hand."""
    for function, place in _functions(Item(evaluate(node, scope, world), node, scope)):
        if isinstance(function, Function | Bound | Lambda | Instance | Called | External | Class):
            yield Callback(kind, place, known_tool(function, world), effects_of(function, kind))


def _functions(item: Item) -> Iterator[tuple[Value, Place]]:
    """The functions behind a callback's value: one, several, or one of several."""
    match item.value:
        case Sequence(items=items):
            for inner in items:
                yield from _functions(inner)
        case Either(options=options):
            for option in options:
                yield from _functions(replace(item, value=option))
        case Unknown():
            return
        case value:
            yield value, item.scope.place(item.node)


# ---------------------------------------------------------------- lists of an agent


def list_value(name: str, creation: Creation, world: World) -> Value | None:
    """What a list of an agent is (`tools`, `sub_agents`), with what is added to it afterwards."""
    value: Value | None = None
    for argument in _given(creation, world):
        if argument.name == name:
            value = evaluate(argument.value, argument.scope, world)
    for attribute, scope, change in _later(creation):
        if attribute == name and change.how in {"append", "extend"}:
            added = evaluate(change.value, scope, world)
            one = Sequence((Item(added, change.value, scope),)) if change.how == "append" else added
            value = one if value is None else _joined(value, one)
    return value


def _joined(left: Value, right: Value) -> Value:
    if isinstance(left, Sequence) and isinstance(right, Sequence):
        return Sequence((*left.items, *right.items), (*left.gaps, *right.gaps), left.kind)
    return left


def sub_agents(creation: Creation, world: World) -> Iterator[tuple[Agent, Place]]:
    """The agents of `sub_agents`, without their own tools and sub-agents, and where they are listed."""
    value = list_value("sub_agents", creation, world)
    for item in value.items if isinstance(value, Sequence) else ():
        made = creation_of(item)
        agent = None if made is None else described(made, world)
        if agent is not None:
            yield agent, item.scope.place(item.node)


def described(made: Creation, world: World) -> Agent | None:
    """The agent that a call creates, without tools and sub-agents; None when it creates none."""
    kind = _kind(evaluate(made.call.func, made.scope, world), world)
    return None if kind is None else _alone(made, kind, world)


def creation_of(item: Item) -> Creation | None:
    """The call behind a value, and the name it goes by where it is used."""
    variable = item.node.id if isinstance(item.node, ast.Name) else None
    match item.value:
        case Called(call=call, scope=scope) | Instance(call=ast.Call() as call, scope=scope):
            return Creation(call, scope, variable)
    return None


def _kind(callee: Value, world: World) -> str | None:
    match callee:
        case External(name=name) if is_agent(name):
            return name
        case Class() as cls:
            return next((name for name in external_bases(cls, world) if is_agent(name)), None)
    return None
