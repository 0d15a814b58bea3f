"""Attributes of modules, classes and instances."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator

from adk_tool_lens.discovery.containers import mutated
from adk_tool_lens.discovery.functions import bind_arguments, returned
from adk_tool_lens.discovery.module import FunctionNode, Mutation, body_namespace, dotted
from adk_tool_lens.discovery.names import chosen, module_member
from adk_tool_lens.discovery.registries import filled_attribute, fillers_in
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    Either,
    External,
    Function,
    Instance,
    Lambda,
    ModuleRef,
    Scope,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, either, evaluate


def attribute(  # noqa: C901 - one table
    base: Value, attr: str, node: ast.expr, scope: Scope, world: World
) -> Value:
    """What `base.attr` stands for."""
    match base:
        case External(name="sys") if attr == "platform":
            return Const(sys.platform)
        case External(name="os") if attr == "name":
            return Const(os.name)
        case ModuleRef(module=module):
            return module_member(module, attr, world) or Unknown(
                f"`{module.name}` has no `{attr}`", node, scope
            )
        case External(name=name):
            return External(f"{name}.{attr}")
        case Class():
            return class_member(base, attr, world, base) or Unknown(
                f"`{base.node.name}` has no `{attr}`", node, scope
            )
        case Instance():
            if any(change.how == "set" for _, change in scope.module.mutations.get(dotted(node) or "")):
                return Unknown(f"`{dotted(node)}` is set when the code runs", node, scope)
            return _instance_member(base, attr, node, scope, world)
        case Called(callee=External(name=name)) if attr == "tools" and is_agent(name):
            argument = keyword(base.call, "tools")
            if argument is not None:
                return evaluate(argument, base.scope, world)
        case Function() if attr in {"__name__", "__doc__"}:
            return _text_of(base, attr, node, scope, world)
        case Either(options=options):
            return either(attribute(option, attr, node, scope, world) for option in options)
        case Unknown():
            return base
    return Unknown(f"`.{attr}` of this value is only known when the code runs", node, scope)


def _text_of(function: Function, attr: str, node: ast.expr, scope: Scope, world: World) -> Value:
    """`f.__name__` and `f.__doc__`, of which Python 3.13 takes the indentation off."""
    if _is_dressed(function, attr, world):
        return Unknown(f"`{function.node.name}.{attr}` is set when the code runs", node, scope)
    match function.node.body:
        case _ if attr == "__name__":
            return Const(function.node.name)
        case [ast.Expr(value=ast.Constant(value=str(text))), *_]:
            if "\n" not in text or world.python < (3, 13):
                return Const(text)
        case _:
            return Const(None)
    return Unknown("the docstring is read when the code runs", node, scope)


def _is_dressed(function: Function, attr: str, world: World) -> bool:
    """Whether a statement beside a function sets one of its attributes."""
    name, scope = function.node.name, function.scope
    return any(scope.changes(f"{name}.{each}") for each in (attr, "__wrapped__")) or any(
        _dresses(change.value, Scope(scope.module, block), world)
        for block, change in scope.module.mutations.get(f"{name}()")
    )


def _dresses(call: ast.expr, scope: Scope, world: World) -> bool:
    """Whether a call is of a function that sets attributes of Python's kind."""
    callee = evaluate(call.func, scope, world) if isinstance(call, ast.Call) else None
    return isinstance(callee, Function) and bool(body_namespace(callee.node).dressing)


def is_agent(name: str) -> bool:
    """Whether an external name is one of google-adk's agent classes."""
    last = name.rpartition(".")[2]
    return name.startswith("google.adk") and (last == "Agent" or last.endswith("Agent"))


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The expression given for a keyword argument."""
    return next((k.value for k in call.keywords if k.arg == name), None)


def bases(cls: Class, world: World) -> Iterator[Class | External]:
    """The class and its bases, the project's own depth first and then what is external."""
    todo: list[Class | External] = [cls]
    seen: set[ast.ClassDef] = set()
    while todo:
        current = todo.pop(0)
        yield current
        if isinstance(current, Class) and current.node not in seen:
            seen.add(current.node)
            for base in current.node.bases:
                target = base.value if isinstance(base, ast.Subscript) else base
                value = evaluate(target, current.scope, world)
                if isinstance(value, Class | External):
                    todo.append(value)


def class_scope(cls: Class, receiver: Value | None = None) -> Scope:
    """The scope of a class body."""
    arguments = {} if receiver is None else {"self": receiver, "cls": cls}
    return Scope(cls.scope.module, cls.scope.block, cls.node, cls.scope, arguments)


def class_member(cls: Class, name: str, world: World, receiver: Class | Instance) -> Value | None:
    """A class attribute by name, searched through the project's base classes."""
    for base in bases(cls, world):
        if not isinstance(base, Class):
            continue
        later = _set_from_outside(base, name, world)
        if later is not None:
            return _bind_method(later, receiver, world)
        bindings = body_namespace(base.node).bindings.get(name)
        if bindings:
            scope = class_scope(base)
            value = chosen([(scope, binding) for binding in bindings], name, world)
            value = filled_attribute(value, fillers_in(base, name), receiver, name, world)
            return _bind_method(value, receiver, world)
    return None


def _set_from_outside(cls: Class, name: str, world: World) -> Value | None:
    """What a module's own `Service.run = run` makes of an attribute of a class."""
    if cls.scope.node is not None:
        return None
    module = cls.scope.module
    changes = [pair for pair in module.mutations.get(f"{cls.node.name}.{name}") if pair[1].how == "set"]
    if not changes:
        return None
    block, change = changes[-1]
    if len(changes) > 1 or change.guards:
        return Unknown(
            f"`{cls.node.name}.{name}` is set when the code runs", change.node, Scope(module, block)
        )
    return evaluate(change.value, Scope(module, block), world)


def _decorator_names(node: FunctionNode) -> set[str]:
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def _bind_method(value: Value, receiver: Class | Instance, world: World) -> Value:
    if isinstance(value, Lambda) and isinstance(receiver, Instance):
        return _without_first(value)
    if not isinstance(value, Function):
        return value
    names = _decorator_names(value.node)
    if "staticmethod" in names:
        return value
    if "classmethod" in names:
        cls = receiver.cls if isinstance(receiver, Instance) else receiver
        return Bound(cls, value)
    if isinstance(receiver, Class):
        return value
    if names & {"property", "functools.cached_property", "cached_property"}:
        return returned(value, {"self": receiver}, world)
    return Bound(receiver, value)


def _without_first(value: Lambda) -> Lambda:
    """`run = lambda self, q: ...` of a class, seen from an instance."""
    args = value.node.args
    only, rest = args.posonlyargs[1:], args.args if args.posonlyargs else args.args[1:]
    parts = {name: getattr(args, name) for name in args._fields} | {"posonlyargs": only, "args": rest}
    node = ast.copy_location(ast.Lambda(args=ast.arguments(**parts), body=value.node.body), value.node)
    return Lambda(node, value.scope)


def _instance_member(instance: Instance, attr: str, node: ast.expr, scope: Scope, world: World) -> Value:
    member = class_member(instance.cls, attr, world, instance)
    assigned = list(_self_assignments(instance, attr, world))
    if assigned:
        fillers = fillers_in(instance.cls, attr)
        called = {filler.change for filler in fillers}
        base = either(evaluate(m.value, s, world) for s, m in assigned if m.how == "set")
        value = mutated(base, [(s, m) for s, m in assigned if m.how != "set" and m not in called], world)
        return filled_attribute(value, fillers, instance, attr, world)
    given = _field(instance, attr, world)
    known = member if given is None else given
    if isinstance(known, Const) and (reason := _changed_by_pydantic(instance, attr, known, given, world)):
        return Unknown(reason, node, scope)
    if known is not None:
        return known
    if attr == "tools" and any(
        isinstance(base, External) and is_agent(base.name) for base in bases(instance.cls, world)
    ):
        return _agent_subclass_tools(instance, node, scope, world)
    return Unknown(f"`{instance.cls.node.name}` has no `{attr}` in its source", node, scope)


def _changed_by_pydantic(
    instance: Instance, attr: str, known: Const, given: Value | None, world: World
) -> str | None:
    """Why a field of a pydantic model may hold something else than what is written for it."""
    names = [base.node.name if isinstance(base, Class) else base.name for base in bases(instance.cls, world)]
    name = instance.cls.node.name
    hints = _annotations(instance, attr, world)
    if not hints or not any(each.endswith(("pydantic.BaseModel", "BaseSettings")) for each in names):
        return None
    if given is None:
        from_outside = any(each.rpartition(".")[2] == "BaseSettings" for each in names)
        return f"`{name}.{attr}` may come from the environment" if from_outside else None
    if type(known.value).__name__ not in hints[0]:
        return f"pydantic may convert what `{name}` is given for `{attr}`"
    return f"validators of `{name}` may change `{attr}`" if _validates(instance, world) else None


def _annotations(instance: Instance, attr: str, world: World) -> list[str]:
    """The annotations of a field as text, that of the class itself first."""
    return [
        ast.unparse(node.annotation)
        for base in bases(instance.cls, world)
        if isinstance(base, Class)
        for node in base.node.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == attr
    ]


def _validates(instance: Instance, world: World) -> bool:
    """Whether functions of a model's class see its values before it has them."""
    return any(
        isinstance(node, ast.FunctionDef)
        and (node.name in {"__init__", "model_post_init"} or "validator" in "".join(_decorator_names(node)))
        for base in bases(instance.cls, world)
        if isinstance(base, Class)
        for node in base.node.body
    )


def _field(instance: Instance, attr: str, world: World) -> Value | None:
    """What a call gives for a field: of a dataclass, a `NamedTuple`, a pydantic model or an agent class."""
    if instance.call is None:
        return None
    argument = keyword(instance.call, attr)
    if argument is None:
        classes = [base for base in bases(instance.cls, world) if isinstance(base, Class)]
        names = [name for base in classes for name in fields(base)]
        index = names.index(attr) if attr in names else len(instance.call.args)
        if index >= len(instance.call.args) or class_member(instance.cls, "__init__", world, instance):
            return None
        argument = instance.call.args[index]
    return None if isinstance(argument, ast.Starred) else evaluate(argument, instance.scope, world)


def fields(cls: Class) -> Iterator[str]:
    """The annotated names of a class body, in order."""
    for node in cls.node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _agent_subclass_tools(instance: Instance, node: ast.expr, scope: Scope, world: World) -> Value:
    argument = keyword(instance.call, "tools") if instance.call is not None else None
    if argument is not None:
        return evaluate(argument, instance.scope, world)
    return Unknown("the tools of this agent are set when the code runs", node, scope)


def _self_assignments(instance: Instance, attr: str, world: World) -> Iterator[tuple[Scope, Mutation]]:
    """`self.attr = ...`, `self.attr.append(...)` in the methods of the class and its bases."""
    for base in bases(instance.cls, world):
        if not isinstance(base, Class):
            continue
        found = list(_assignments_in(base, instance, attr, world))
        yield from found
        if any(mutation.how == "set" for _, mutation in found):
            return


def _assignments_in(
    cls: Class, instance: Instance, attr: str, world: World
) -> Iterator[tuple[Scope, Mutation]]:
    for method in cls.node.body:
        if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) or not method.args.args:
            continue
        self_name = method.args.args[0].arg
        mutations = body_namespace(method).mutations.get(f"{self_name}.{attr}", ())
        if mutations:
            scope = method_scope(cls, method, instance, world)
            yield from ((scope, mutation) for mutation in mutations)


def method_scope(cls: Class, method: FunctionNode, instance: Instance, world: World) -> Scope:
    """The body of a method, its `self` and (for `__init__`) its arguments known."""
    arguments: dict[str, Value] = {}
    if method.name == "__init__" and instance.call is not None:
        arguments.update(bind_arguments(method, instance.call, instance.scope, world, skip=1))
    arguments[method.args.args[0].arg] = instance
    return Scope(cls.scope.module, cls.scope.block, method, class_scope(cls), arguments)
