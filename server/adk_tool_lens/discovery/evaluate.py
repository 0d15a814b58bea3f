"""Reads expressions as values: which function, class, list or agent a name stands for.

This is an abstract reading, never an execution: calls of the project's own functions are followed
through their `return` statements, conditions that cannot be told give `Either`, and whatever stays
unclear is `Unknown` with a reason for people.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as with_changes
from typing import TypeVar

from adk_tool_lens.discovery.constants import fold
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import (
    Binding,
    FunctionNode,
    Guard,
    Module,
    Mutation,
    body_namespace,
)
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
    ModuleRef,
    Scope,
    Sequence,
    Unknown,
    Value,
)

T = TypeVar("T")
FindModule = Callable[[str, Module], "Module | None"]
MAX_DEPTH = 60
_BUILTINS = frozenset(dir(builtins))
_SEQUENCE_MAKERS = {"builtins.list", "builtins.tuple", "builtins.set", "builtins.sorted"}
_TRANSPARENT = {"copy.copy", "copy.deepcopy", "typing.cast"}


@dataclass
class World:
    """What reading needs beside the text: other modules, and the Python that will run the code."""

    find: FindModule
    """Gives a project or installed module by absolute name, None when there is none to read."""
    importable: Callable[[str], bool] = lambda _name: True
    """Whether an import of an absolute name would succeed in the project's environment."""
    python: tuple[int, int] = (3, 12)
    memo: Memo | None = None
    """Results kept from earlier versions of the files, for a server."""
    look: Callable[[Hashable], Module | None] = lambda _key: None
    """Gives the newest version of a module by its key."""
    depth: int = 0
    busy: set[tuple[int, int]] = field(default_factory=set)


def kept(world: World, key: Hashable, compute: Callable[[], T]) -> T:
    """A result that is kept until something it read changes, where the world keeps results at all."""
    return compute() if world.memo is None else world.memo.get(key, world.look, compute)


def evaluate(node: ast.expr, scope: Scope, world: World) -> Value:
    """What an expression stands for. Never raises; what cannot be told is `Unknown`."""
    key = (id(node), id(scope.arguments))
    if world.depth > MAX_DEPTH or key in world.busy:
        return Unknown("it refers to itself or is nested too deeply", node, scope)
    world.depth += 1
    world.busy.add(key)
    try:
        return _evaluate(node, scope, world)
    finally:
        world.depth -= 1
        world.busy.discard(key)


def _evaluate(node: ast.expr, scope: Scope, world: World) -> Value:  # noqa: C901 - one table
    match node:
        case ast.Constant(value=value):
            return Const(value)
        case ast.Name(id=name):
            return lookup(name, scope, world, node)
        case ast.Attribute(value=base, attr=attr):
            return attribute(evaluate(base, scope, world), attr, node, scope, world)
        case ast.Call():
            return _call(node, scope, world)
        case ast.List() | ast.Tuple() | ast.Set():
            return _display(node, scope, world)
        case ast.Dict():
            return _dict(node, scope, world)
        case ast.Lambda():
            return Lambda(node, scope)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum(node, evaluate(left, scope, world), evaluate(right, scope, world), scope)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _either(
                evaluate(part, scope, world) for part in _branches(test, body, orelse, scope, world)
            )
        case ast.BoolOp(values=values):
            return _either(evaluate(value, scope, world) for value in values)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return _comprehension(node, scope, world)
        case ast.Subscript(value=base, slice=index):
            return _subscript(evaluate(base, scope, world), index, node, scope, world)
        case ast.Await(value=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
            return evaluate(value, scope, world)
    folded = fold(node, lambda name: _constant(name, scope, world))
    return Unknown("it is computed when the code runs", node, scope) if folded is None else folded


def _constant(node: ast.expr, scope: Scope, world: World) -> Value:
    return evaluate(node, scope, world)


def _branches(
    test: ast.expr, body: ast.expr, orelse: ast.expr, scope: Scope, world: World
) -> tuple[ast.expr, ...]:
    match truth(test, scope, world):
        case True:
            return (body,)
        case False:
            return (orelse,)
    return body, orelse


def _either(options: Iterable[Value]) -> Value:
    flat: list[Value] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Either) else (option,))
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


# ---------------------------------------------------------------- names


def lookup(name: str, scope: Scope, world: World, node: ast.expr | None = None) -> Value:
    """What a name stands for where `scope` reads it."""
    current: Scope | None = scope
    while current is not None:
        if name in current.arguments:
            return current.arguments[name]
        if not isinstance(current.node, ast.ClassDef) or current is scope:
            found = _local(name, current, world, node)
            if found is not None:
                return found
        if current.parent is None:
            break
        current = current.parent
    return module_member(scope.module, name, world) or _builtin(name, node, scope)


def _builtin(name: str, node: ast.expr | None, scope: Scope) -> Value:
    if name in _BUILTINS:
        return External(f"builtins.{name}")
    return Unknown(f"`{name}` is not defined in this file", node, scope)


def _local(name: str, scope: Scope, world: World, node: ast.expr | None) -> Value | None:
    names = scope.names
    if names is not None and (bindings := names.bindings.get(name)):
        pairs = [(scope, binding) for binding in bindings]
        value = _chosen(pairs, name, world)
        return _mutated(value, name, [(scope, m) for m in names.mutations.get(name, ())], world)
    if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return _parameter(name, scope, world, node)
    return None


def _parameter(name: str, scope: Scope, world: World, node: ast.expr | None) -> Value | None:
    assert scope.node is not None  # noqa: S101 - for the type checker
    arguments = scope.node.args  # type: ignore[union-attr]
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if name in {p.arg for p in parameters}:
        return Unknown(f"`{name}` is a parameter, so its value comes from the caller", node, scope)
    if name in {p.arg for p in (arguments.vararg, arguments.kwarg) if p}:
        return Unknown(f"`{name}` collects arguments of the caller", node, scope)
    return None


def module_member(module: Module, name: str, world: World) -> Value | None:
    """What a module-level name stands for at the end of the module; None when it has no such name."""
    key = ("member", name)
    if key in module.cache:
        return module.cache[key]  # type: ignore[return-value]
    value = _module_member(module, name, world)
    module.cache[key] = value
    return value


def _module_member(module: Module, name: str, world: World) -> Value | None:
    pairs = module.bindings.get(name)
    if pairs:
        scoped = [(Scope(module, block), binding) for block, binding in pairs]
        value = _chosen(scoped, name, world)
        changes = [(Scope(module, block), m) for block, m in module.mutations.get(name, ())]
        return _mutated(value, name, changes, world)
    for star in reversed(module.stars):
        target = world.find(absolute(star, module), module)
        if target is not None and target is not module:
            found = module_member(target, name, world)
            if found is not None:
                return found
    return _submodule(module, name, world)


def _submodule(module: Module, name: str, world: World) -> Value | None:
    if not module.package:
        return None
    found = world.find(f"{module.name}.{name}", module)
    return ModuleRef(found) if found else None


def absolute(written: str, module: Module) -> str:
    """The absolute name of a module written relative to another (`..pkg.mod`)."""
    stripped = written.lstrip(".")
    level = len(written) - len(stripped)
    if not level:
        return stripped
    parts = module.name.split(".")
    kept = parts[: len(parts) - level + (1 if module.package else 0)]
    return ".".join([*kept, stripped] if stripped else kept)


def _chosen(pairs: list[tuple[Scope, Binding]], name: str, world: World) -> Value:
    live = reachable(pairs, world)
    if not live:
        return Unknown(f"`{name}` only exists for type checkers", None, None)
    return _either(_bound_value(binding, scope, world) for scope, binding in live)


def reachable(pairs: list[tuple[Scope, Binding]], world: World) -> list[tuple[Scope, Binding]]:
    """The bindings that may hold at the end of a body: the last one sure to run, and later ones."""
    live: list[tuple[Scope, Binding]] = []
    for scope, binding in pairs:
        truths = [guard_holds(guard, scope, world) for guard in binding.guards]
        if any(known is False for known in truths):
            continue
        if all(known is True for known in truths):
            live = []
        live.append((scope, binding))
    return live


def guard_holds(guard: Guard, scope: Scope, world: World) -> bool | None:
    """Whether a branch is taken; None when only running the code tells."""
    if guard.test is not None:
        known = truth(guard.test, scope, world)
        return None if known is None else known is guard.holds
    if guard.imports:
        succeeds = all(world.importable(name) for name in guard.imports)
        return succeeds is guard.holds
    return True if guard.holds else False if guard.key else None


def truth(test: ast.expr, scope: Scope, world: World) -> bool | None:
    """The value of a condition that the text decides: `TYPE_CHECKING`, `sys.version_info >= (3, 9)`."""
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand, scope, world)
            return None if inner is None else not inner
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="sys"), attr="version_info"),
            ops=[operator],
            comparators=[
                ast.Tuple(elts=[ast.Constant(value=int(major)), ast.Constant(value=int(minor)), *_])
            ],
        ):
            return _compare(world.python, operator, (major, minor))
        case ast.Compare(left=ast.Name(id="__name__"), comparators=[ast.Constant(value="__main__")]):
            return False
    return None


def _compare(left: tuple[int, int], operator: ast.cmpop, right: tuple[int, int]) -> bool | None:
    match operator:
        case ast.GtE():
            return left >= right
        case ast.Gt():
            return left > right
        case ast.Lt():
            return left < right
        case ast.LtE():
            return left <= right
    return None


def _bound_value(binding: Binding, scope: Scope, world: World) -> Value:
    node = binding.node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            owner = _owner(scope)
            return decorated(Function(node, scope, owner), world)
        case ast.ClassDef():
            return Class(node, scope, _owner(scope))
    if binding.imported is not None:
        return imported(binding.imported, scope.module, world)
    if binding.value is not None:
        return evaluate(binding.value, scope, world)
    if isinstance(node, ast.For | ast.AsyncFor) and isinstance(binding.target, ast.Name):
        return _either_of_items(evaluate(node.iter, scope, world), node.iter, scope)
    return Unknown(f"`{binding.name}` gets its value when the code runs", node, scope)


def _owner(scope: Scope) -> Class | None:
    if isinstance(scope.node, ast.ClassDef) and scope.parent is not None:
        return Class(scope.node, scope.parent)
    return None


def _either_of_items(value: Value, node: ast.expr, scope: Scope) -> Value:
    if isinstance(value, Sequence) and value.items:
        return _either(item.value for item in value.items)
    return Unknown("it runs over values that only exist when the code runs", node, scope)


def imported(what: tuple[str, str | None], importer: Module, world: World) -> Value:
    """What an import gives: a project module's member, or something external by its full name."""
    written, member = what
    module_name = absolute(written, importer)
    module = world.find(module_name, importer)
    if module is None:
        full = f"{module_name}.{member}" if member else module_name
        if written.startswith("."):
            return Unknown(f"module `{module_name or written}` was not found", None, None)
        return External(full)
    if member is None:
        return ModuleRef(module)
    key = ("import", id(module), member)
    if key in world.busy:
        return Unknown(f"`{member}` is part of an import cycle", None, None)
    world.busy.add(key)  # type: ignore[arg-type]
    try:
        value = module_member(module, member, world)
    finally:
        world.busy.discard(key)  # type: ignore[arg-type]
    return value or Unknown(f"`{module_name}` has no `{member}`", None, None)


# ---------------------------------------------------------------- decorators


def decorated(function: Function, world: World) -> Value:
    """A function under its decorators: itself, unless one of them makes a tool object of it.

    Models `@FunctionTool` and project decorators that end in `return FunctionTool(fn)`.
    """
    value: Value = function
    for decorator in reversed(function.node.decorator_list):
        made = decorate(decorator, value, function, world)
        if isinstance(made, Called | Instance):
            value = made
    return value


def decorate(decorator: ast.expr, value: Value, function: Function, world: World) -> Value | None:
    """What one decorator makes of a function; None when its source is not at hand."""
    callee = evaluate(decorator, function.scope, world)
    argument = ast.copy_location(ast.Name(id=function.node.name, ctx=ast.Load()), decorator)
    call = ast.copy_location(ast.Call(func=decorator, args=[argument], keywords=[]), decorator)
    scope = Scope(
        function.scope.module,
        function.scope.block,
        None,
        function.scope,
        {function.node.name: value},
    )
    match callee:
        case External(name=name) if name.startswith("google.adk.tools."):
            return Called(callee, call, scope)
        case Function() | Class() | Bound():
            return apply(callee, call, scope, world)
    return None


# ---------------------------------------------------------------- attributes


def attribute(base: Value, attr: str, node: ast.expr, scope: Scope, world: World) -> Value:
    """What `base.attr` stands for."""
    match base:
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
            return _instance_member(base, attr, node, scope, world)
        case Called(callee=External(name=name)) if attr == "tools" and is_agent(name):
            argument = keyword(base.call, "tools")
            if argument is not None:
                return evaluate(argument, base.scope, world)
        case Either(options=options):
            return _either(attribute(option, attr, node, scope, world) for option in options)
        case Unknown():
            return base
    return Unknown(f"`.{attr}` of this value is only known when the code runs", node, scope)


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
        bindings = body_namespace(base.node).bindings.get(name)
        if bindings:
            scope = class_scope(base)
            value = _chosen([(scope, binding) for binding in bindings], name, world)
            return _bind_method(value, receiver, world)
    return None


def _decorator_names(node: FunctionNode) -> set[str]:
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def _bind_method(value: Value, receiver: Class | Instance, world: World) -> Value:
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


def _instance_member(instance: Instance, attr: str, node: ast.expr, scope: Scope, world: World) -> Value:
    member = class_member(instance.cls, attr, world, instance)
    assigned = list(_self_assignments(instance, attr, world))
    if assigned:
        base = _either(evaluate(m.value, s, world) for s, m in assigned if m.how == "set")
        return _mutated(base, f"self.{attr}", [p for p in assigned if p[1].how != "set"], world)
    if member is not None:
        return member
    if attr == "tools" and any(
        isinstance(base, External) and is_agent(base.name) for base in bases(instance.cls, world)
    ):
        return _agent_subclass_tools(instance, node, scope, world)
    return Unknown(f"`{instance.cls.node.name}` has no `{attr}` in its source", node, scope)


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


# ---------------------------------------------------------------- calls


def _call(node: ast.Call, scope: Scope, world: World) -> Value:
    known = _method_of_value(node, scope, world)
    if known is not None:
        return known
    return apply(evaluate(node.func, scope, world), node, scope, world)


def apply(callee: Value, node: ast.Call, scope: Scope, world: World) -> Value:
    """What calling a value gives."""
    match callee:
        case Function():
            return returned(callee, bind_arguments(callee.node, node, scope, world), world)
        case Bound(receiver=receiver, function=function):
            arguments = bind_arguments(function.node, node, scope, world, skip=1)
            if function.node.args.args:
                arguments[function.node.args.args[0].arg] = receiver
            return returned(function, arguments, world)
        case Class():
            return Instance(callee, node, scope)
        case Lambda():
            bound = bind_arguments(callee.node, node, scope, world)
            return evaluate(callee.node.body, _inner(callee, callee.node, bound), world)
        case External(name=name):
            return _external_call(name, callee, node, scope, world)
        case Either(options=options):
            return _either(apply(option, node, scope, world) for option in options)
        case Unknown():
            return callee
        case Instance():
            method = class_member(callee.cls, "__call__", world, callee)
            if isinstance(method, Bound):
                return apply(method, node, scope, world)
    return Unknown("what this call gives is only known when the code runs", node, scope)


def _external_call(name: str, callee: External, node: ast.Call, scope: Scope, world: World) -> Value:
    if name in _SEQUENCE_MAKERS:
        return _as_sequence(node, scope, world)
    if name == "itertools.chain":
        parts = [ast.Starred(value=arg, ctx=ast.Load()) for arg in node.args]
        return _display(ast.List(elts=list(parts), ctx=ast.Load()), scope, world)
    if name == "builtins.dict":
        return _dict_call(node, scope, world)
    if name in _TRANSPARENT and node.args:
        return evaluate(node.args[-1], scope, world)
    if name == "builtins.getattr" and len(node.args) >= 2:
        attr = evaluate(node.args[1], scope, world)
        if isinstance(attr, Const) and isinstance(attr.value, str):
            return attribute(evaluate(node.args[0], scope, world), attr.value, node, scope, world)
    return Called(callee, node, scope)


def _as_sequence(node: ast.Call, scope: Scope, world: World) -> Value:
    if not node.args:
        return Sequence(())
    value = evaluate(node.args[0], scope, world)
    if isinstance(value, Dictionary):
        return Sequence((), (Unknown("it lists the keys of a dict", node, scope),))
    return value


def _inner(
    function: Function | Lambda, node: FunctionNode | ast.Lambda, arguments: dict[str, Value]
) -> Scope:
    outer = function.scope
    parent = outer if outer.node is not None or outer.arguments else None
    return Scope(outer.module, outer.block, node, parent, arguments)


def returned(function: Function, arguments: dict[str, Value], world: World) -> Value:
    """What a function of the project returns for given arguments."""
    names = body_namespace(function.node)
    scope = _inner(function, function.node, arguments)
    returns = _all_returns(function.node)
    if names.yields:
        items = [Item(evaluate(value, scope, world), value, scope) for value in names.yields]
        return Sequence(tuple(items))
    if not returns:
        return Const(None)
    return _either(evaluate(value, scope, world) for value in returns)


def _all_returns(node: FunctionNode) -> list[ast.expr]:
    """The expressions of all `return` statements, nested functions and classes not entered."""
    return body_namespace(node).returns


def bind_arguments(
    node: FunctionNode | ast.Lambda, call: ast.Call, scope: Scope, world: World, skip: int = 0
) -> dict[str, Value]:
    """What the parameters of a function stand for in a call, defaults included."""
    signature = node.args
    positional = [*signature.posonlyargs, *signature.args]
    bound: dict[str, Value] = {}
    for parameter, default in _defaults(signature):
        bound[parameter] = evaluate(default, scope, world)
    spread = False
    for parameter, argument in zip(positional[skip:], call.args, strict=False):
        if isinstance(argument, ast.Starred):
            spread = True
            break
        bound[parameter.arg] = evaluate(argument, scope, world)
    rest = call.args[len(positional) - skip :] if len(call.args) > len(positional) - skip else []
    if signature.vararg is not None and not spread:
        shown = ast.Tuple(elts=list(rest), ctx=ast.Load())
        bound[signature.vararg.arg] = _display(shown, scope, world)
    _bind_keywords(signature, call, scope, world, bound)
    return bound


def _defaults(signature: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    positional = [*signature.posonlyargs, *signature.args]
    if signature.defaults:
        pairs = zip(positional[-len(signature.defaults) :], signature.defaults, strict=True)
        yield from ((parameter.arg, default) for parameter, default in pairs)
    for parameter, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg, default


def _bind_keywords(
    signature: ast.arguments,
    call: ast.Call,
    scope: Scope,
    world: World,
    bound: dict[str, Value],
) -> None:
    names = {p.arg for p in (*signature.args, *signature.kwonlyargs)}
    extra: list[tuple[object, Item]] = []
    for argument in call.keywords:
        value = evaluate(argument.value, scope, world)
        if argument.arg is None:
            if isinstance(value, Dictionary):
                for key, item in value.items:
                    if key in names:
                        bound[str(key)] = item.value
                    else:
                        extra.append((key, item))
        elif argument.arg in names:
            bound[argument.arg] = value
        else:
            extra.append((argument.arg, Item(value, argument.value, scope)))
    if signature.kwarg is not None:
        bound[signature.kwarg.arg] = Dictionary(tuple(extra))


def _method_of_value(node: ast.Call, scope: Scope, world: World) -> Value | None:
    """`d.get("k")`, `d.values()`, `list_.copy()` on values that are known."""
    if not isinstance(node.func, ast.Attribute):
        return None
    attr = node.func.attr
    if attr not in {"get", "values", "copy", "items", "format", "join"}:
        return None
    base = evaluate(node.func.value, scope, world)
    match base, attr:
        case Dictionary(items=items, gaps=gaps), "values":
            return Sequence(tuple(item for _, item in items), gaps)
        case Dictionary(), "get" if node.args:
            return _subscript(base, node.args[0], node, scope, world)
        case ((Dictionary() | Sequence()), "copy"):
            return base
        case Const(value=str()), ("format" | "join"):
            return fold(node, lambda name: _constant(name, scope, world))
    return None


# ---------------------------------------------------------------- containers


def _display(node: ast.List | ast.Tuple | ast.Set, scope: Scope, world: World) -> Value:
    items: list[Item] = []
    gaps: list[Unknown] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            _spread(evaluate(element.value, scope, world), element.value, scope, items, gaps)
        else:
            items.append(Item(evaluate(element, scope, world), element, scope))
    return Sequence(tuple(items), tuple(gaps), type(node).__name__.lower())


def _spread(value: Value, node: ast.expr, scope: Scope, items: list[Item], gaps: list[Unknown]) -> None:
    match value:
        case Sequence():
            items.extend(value.items)
            gaps.extend(value.gaps)
        case Either(options=options):
            for option in options:
                if isinstance(option, Sequence):
                    items.extend(with_changes(item, conditional=True) for item in option.items)
                    gaps.extend(option.gaps)
                elif isinstance(option, Unknown):
                    gaps.append(_located(option, node, scope))
        case Const(value=None):
            pass
        case Unknown():
            gaps.append(_located(value, node, scope))
        case _:
            gaps.append(Unknown("this part of the list is made when the code runs", node, scope))


def _located(unknown: Unknown, node: ast.expr, scope: Scope) -> Unknown:
    return unknown if unknown.node is not None else Unknown(unknown.reason, node, scope)


def _sum(node: ast.BinOp, left: Value, right: Value, scope: Scope) -> Value:
    if isinstance(left, Const) and isinstance(right, Const):
        folded = fold(node, lambda part: left if part is node.left else right)
        return folded or Unknown("it is computed when the code runs", node, scope)
    items: list[Item] = []
    gaps: list[Unknown] = []
    _spread(left, node.left, scope, items, gaps)
    _spread(right, node.right, scope, items, gaps)
    return Sequence(tuple(items), tuple(gaps))


def _mutated(value: Value, name: str, changes: list[tuple[Scope, Mutation]], world: World) -> Value:
    """A list or dict after the statements that add to it."""
    match value:
        case Sequence():
            items, gaps = list(value.items), list(value.gaps)
            for scope, change in changes:
                _extend(change, scope, world, items, gaps)
            return Sequence(tuple(items), tuple(gaps), value.kind)
        case Dictionary():
            pairs = list(value.items)
            for scope, change in changes:
                if change.how == "item" and change.key is not None:
                    key = evaluate(change.key, scope, world)
                    item = Item(evaluate(change.value, scope, world), change.value, scope)
                    pairs.append((key.value if isinstance(key, Const) else None, item))
            return Dictionary(tuple(pairs), value.gaps)
    return value


def _extend(change: Mutation, scope: Scope, world: World, items: list[Item], gaps: list[Unknown]) -> None:
    if change.how == "append":
        value = evaluate(change.value, scope, world)
        options = value.options if isinstance(value, Either) else (value,)
        items.extend(Item(option, change.value, scope) for option in options)
    elif change.how == "extend":
        _spread(evaluate(change.value, scope, world), change.value, scope, items, gaps)


def _dict(node: ast.Dict, scope: Scope, world: World) -> Value:
    pairs: list[tuple[object, Item]] = []
    gaps: list[Unknown] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = evaluate(value, scope, world)
            if isinstance(inner, Dictionary):
                pairs.extend(inner.items)
            else:
                gaps.append(Unknown("this part of the dict is made at run time", value, scope))
            continue
        known = evaluate(key, scope, world)
        item = Item(evaluate(value, scope, world), value, scope)
        pairs.append((known.value if isinstance(known, Const) else None, item))
    return Dictionary(tuple(pairs), tuple(gaps))


def _dict_call(node: ast.Call, scope: Scope, world: World) -> Value:
    pairs: list[tuple[object, Item]] = []
    for argument in node.keywords:
        value = evaluate(argument.value, scope, world)
        if argument.arg is not None:
            pairs.append((argument.arg, Item(value, argument.value, scope)))
        elif isinstance(value, Dictionary):
            pairs.extend(value.items)
    return Dictionary(tuple(pairs))


def _subscript(base: Value, index: ast.expr, node: ast.expr, scope: Scope, world: World) -> Value:
    if isinstance(base, Sequence) and isinstance(index, ast.Slice):
        return base
    key = evaluate(index, scope, world)
    match base, key:
        case Dictionary(items=items), Const(value=wanted):
            hits = [item.value for known, item in items if known == wanted]
            if hits:
                return hits[-1]
        case Dictionary(items=items), _ if items:
            return _either(item.value for _, item in items)
        case Sequence(items=items), Const(value=int(position)) if -len(items) <= position < len(items):
            return items[position].value
        case External(), _:
            return base
    return Unknown("which element this is is only known when the code runs", node, scope)


def _comprehension(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope, world: World) -> Value:
    """`[wrap(f) for f in (a, b)]`: one generator over a list that is known; conditions may hold."""
    if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
        return Unknown("this comprehension is worked out when the code runs", node, scope)
    generator = node.generators[0]
    assert isinstance(generator.target, ast.Name)  # noqa: S101 - checked above
    over = evaluate(generator.iter, scope, world)
    if not isinstance(over, Sequence):
        return Unknown("this comprehension runs over values of the run time", node, scope)
    items = []
    for item in over.items:
        inner = Scope(scope.module, scope.block, None, scope, {generator.target.id: item.value})
        value = evaluate(node.elt, inner, world)
        same = isinstance(node.elt, ast.Name)
        items.append(
            Item(
                value,
                item.node if same else node.elt,
                item.scope if same else inner,
                bool(generator.ifs) or item.conditional,
            )
        )
    return Sequence(tuple(items), over.gaps)
