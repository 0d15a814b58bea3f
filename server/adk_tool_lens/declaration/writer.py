"""Writes values and names into a stub: which definitions it needs, and how they are reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.declaration import classes, expressions
from adk_tool_lens.declaration.frames import (
    FUTURE,
    IMPORTS,
    LAST,
    Approximation,
    Frame,
    OpaqueError,
    order_of,
)
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import (
    World,
    absolute,
    decorate,
    evaluate,
    module_member,
    reachable,
)
from adk_tool_lens.discovery.module import Binding, FunctionNode, Module, Mutation, body_namespace
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

PLAIN_BUILTINS = frozenset(
    "bool bytearray bytes complex dict float frozenset int list object range set slice str tuple "
    "type property staticmethod classmethod None True False Ellipsis NotImplemented Exception "
    "ValueError TypeError RuntimeError KeyError LookupError ArithmeticError".split()
)
"""Built-ins that a stub may name."""

KEPT_DECORATORS = frozenset(
    "builtins.staticmethod builtins.classmethod functools.wraps functools.lru_cache functools.cache "
    "abc.abstractmethod typing.final typing.override typing_extensions.override".split()
)
"""Decorators that are written into the stub as they are."""

TRANSPARENT_DECORATORS = (
    "abc.", "aiocache.", "asyncio.", "backoff.", "cachetools.", "contextlib.", "decorator.",
    "deprecated.", "google.adk.features.", "google.adk.utils.", "joblib.", "langsmith.", "logfire.",
    "mlflow.", "opentelemetry.", "ratelimit.", "retry.", "tenacity.", "typing.",
    "typing_extensions.", "warnings.", "weave.", "wrapt.",
)  # fmt: skip
"""Libraries whose decorators keep name, docstring and signature (`functools.wraps` or the same)."""


class Writer:
    """Grows the frames of one stub."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.approximations: list[Approximation] = []
        self._modules: dict[Module, Frame] = {}
        self._bare: set[tuple[int, int]] = set()

    def approximate(self, reason: str, scope: Scope | None, node: ast.AST | None) -> None:
        """Notes that a part of the stub is a stand-in."""
        known = scope is not None and scope.block is not None and hasattr(node, "lineno")
        place = scope.place(node) if known and scope is not None and node is not None else None
        self.approximations.append(Approximation(reason, place))

    # ------------------------------------------------------------ frames

    def module_frame(self, module: Module) -> Frame:
        """The frame of a module, with its `from __future__` import."""
        frame = self._modules.get(module)
        if frame is None:
            frame = self._modules[module] = Frame(Scope(module), names=set(module.bindings))
            if module.postponed:
                names = [ast.alias("annotations")]
                frame.add(FUTURE, ast.ImportFrom("__future__", names, 0))
        return frame

    def frame_of(self, scope: Scope) -> Frame:
        """The frame of a scope, made with everything around it when it is new.

        Raises:
            OpaqueError: the scope is a lambda's.
        """
        if scope.node is None:
            outside = scope.parent if scope.arguments else None
            return self.frame_of(outside) if outside else self.module_frame(scope.module)
        around = self.frame_of(scope.parent or Scope(scope.module, scope.block))
        key = (id(scope.node), 0 if isinstance(scope.node, ast.ClassDef) else id(scope.arguments))
        frame = around.children.get(key)
        if frame is None:
            shell = _shell(scope.node)
            if any(child.scope.node is scope.node for child in around.children.values()):
                shell.name = around.fresh(shell.name)
            frame = Frame(scope, around, shell)
            around.children[key] = frame
            around.add(order_of(scope.module, scope.block, scope.node), shell)
            if isinstance(scope.node, ast.ClassDef):
                classes.begin(self, frame)
        return frame

    def finished(self, last: Frame) -> list[Frame]:
        """The module frames in the order in which they can be executed, bodies filled in.

        Raises:
            OpaqueError: modules import one another in a circle.
        """
        ordered: list[Frame] = []
        open_: list[Frame] = []

        def visit(frame: Frame) -> None:
            if frame in open_:
                raise OpaqueError("the modules of its types import one another in a circle")
            if frame not in ordered:
                open_.append(frame)
                for used in frame.uses:
                    visit(used)
                open_.remove(frame)
                ordered.append(frame)

        visit(last)
        for frame in ordered:
            _fill(frame)
        return ordered

    # ------------------------------------------------------------ values

    def value(self, value: Value, into: Frame) -> ast.expr:
        """An expression for a value at the end of a module's frame.

        Raises:
            OpaqueError: the value cannot be part of a stub.
        """
        match value:
            case Function():
                return self._function(value, into)
            case Bound(receiver=receiver, function=function):
                return self._bound(receiver, function, into)
            case Instance():
                return self._instance(value, into)
            case Class():
                return self._reach_class(value, into, typed=True, with_init=True)
            case Lambda(node=node, scope=scope):
                return expressions.lambda_(self, node, self.frame_of(scope))
            case Called():
                return self._called(value, into)
            case Const(value=constant):
                return ast.Constant(constant)
            case External(name=name):
                return self.external(name, into)
            case Either(options=options):
                return self.value(self.choose(options, None, None), into)
            case Unknown(reason=reason):
                raise OpaqueError(reason)
        raise OpaqueError("it is made when the code runs")

    def choose(self, options: tuple[Value, ...], scope: Scope | None, node: ast.AST | None) -> Value:
        """One of several possible values; says so when they may differ for the model."""
        callables = [o for o in options if isinstance(o, Function | Bound | Lambda | Called)]
        wrapping = [o for o in callables if isinstance(o, Function) and _wraps(o.node)]
        if not wrapping or len(wrapping) < len(callables):
            self.approximate("which of several definitions is used is decided at run time", scope, node)
        chosen = wrapping or callables
        return chosen[0] if chosen else options[-1]

    def _function(self, function: Function, into: Frame) -> ast.expr:
        final = self._decorated(function)
        if final is not function:
            return self.value(final, into)
        if function.owner is not None:
            host = self._host(function.owner, typed=False)
            classes.add_method(self, host, function)
            return ast.Attribute(self._reach(host, into), function.node.name, ast.Load())
        frame = self.frame_of(function.scope)
        self.define(function, frame)
        return self._reach_name(frame, function.node.name, into)

    def _decorated(self, function: Function) -> Value:
        """What the decorators make of a function: itself, or the wrapper that one of them returns."""
        key = (id(function.node), id(function.scope.arguments))
        if key in self._bare:
            return function
        self._bare.add(key)
        value: Value = function
        for decorator in reversed(function.node.decorator_list):
            value = self._decorate(decorator, value, function)
        return value

    def _decorate(self, decorator: ast.expr, value: Value, function: Function) -> Value:
        callee = evaluate(decorator, function.scope, self.world)
        name = decorator_name(callee)
        if name is not None and (name in KEPT_DECORATORS or name.startswith(TRANSPARENT_DECORATORS)):
            return value
        made = decorate(decorator, value, function, self.world)
        if isinstance(made, Either):
            made = self.choose(made.options, function.scope, decorator)
        match made:
            case Function() | Bound() | Called() | Instance() | Lambda():
                return made
        text = ast.unparse(decorator)
        self.approximate(
            f"what the decorator `@{text}` makes of it is only known when the code runs",
            function.scope,
            decorator,
        )
        return value

    def define(self, function: Function, frame: Frame) -> None:
        """Writes a function's skeleton into a frame, once."""
        name = function.node.name
        if name in frame.needed:
            return
        frame.needed[name] = None
        order = order_of(function.scope.module, function.scope.block, function.node)
        frame.add(order, expressions.function(self, function, frame))
        self._assigned_attributes(function, frame)

    def _assigned_attributes(self, function: Function, frame: Frame) -> None:
        """Models `f.__doc__ = "..."` and `f.__name__ = "..."` beside the definition."""
        for attr in ("__doc__", "__name__", "__signature__", "__annotations__"):
            for scope, change in _mutations(function, f"{function.node.name}.{attr}"):
                value = evaluate(change.value, scope, self.world)
                if isinstance(value, Const) and attr in {"__doc__", "__name__"}:
                    target = ast.Attribute(_name(function.node.name), attr, ast.Store())
                    if frame.parent is None:
                        order = order_of(scope.module, scope.block, change.node)
                        statement = ast.Assign(targets=[target], value=ast.Constant(value.value))
                        frame.add(order, statement)
                        continue
                self.approximate(f"`{attr}` is set when the code runs", scope, change.value)

    def _bound(self, receiver: Instance | Class, function: Function, into: Frame) -> ast.expr:
        cls = receiver.cls if isinstance(receiver, Instance) else receiver
        owner = function.owner or cls
        host = self._host(cls, typed=False)
        defining = self._host(owner, typed=False)
        classes.add_method(self, defining, function)
        expression = self._reach(host, into)
        if isinstance(receiver, Instance):
            expression = self._named_call(expression, [], into, host)
        return ast.Attribute(expression, function.node.name, ast.Load())

    def _instance(self, value: Instance, into: Frame) -> ast.expr:
        return classes.instance(self, value, into)

    def _host(self, cls: Class, *, typed: bool) -> Frame:
        frame = self.frame_of(Scope(cls.scope.module, cls.scope.block, cls.node, _outer(cls.scope)))
        if typed:
            classes.make_typed(self, frame)
        return frame

    def _reach_class(self, cls: Class, into: Frame, *, typed: bool, with_init: bool = False) -> ast.expr:
        frame = self._host(cls, typed=typed)
        if with_init:
            classes.add_init(self, frame)
        return self._reach(frame, into)

    def class_expression(self, cls: Class, into: Frame, *, typed: bool) -> ast.expr:
        """An expression for a class at module level."""
        return self._reach_class(cls, into, typed=typed)

    def host_frame(self, cls: Class, *, typed: bool) -> Frame:
        """The frame of a class's body."""
        return self._host(cls, typed=typed)

    def _called(self, value: Called, into: Frame) -> ast.expr:
        return expressions.called(self, value, into)

    def external(self, full: str, into: Frame) -> ast.expr:
        """A name for something of an allowed library.

        Raises:
            OpaqueError: stubs may not import it.
        """
        module, _, name = full.rpartition(".")
        if module == "builtins" and name in PLAIN_BUILTINS:
            return _name(name)
        if not (is_allowed_module(module) and is_allowed_name(module, name)):
            raise OpaqueError(f"`{full}` comes from a library that is not run for a preview")
        alias = into.module.fresh(name)
        names = [ast.alias(name, alias)]
        into.module.add(IMPORTS, ast.ImportFrom(module, names, 0))
        return _name(alias)

    # ------------------------------------------------------------ reaching what is nested

    def _reach(self, frame: Frame, into: Frame) -> ast.expr:
        """An expression, at module level, for the class or function that a frame stands for."""
        assert frame.parent is not None  # noqa: S101 - modules are reached by import
        assert frame.shell is not None  # noqa: S101
        return self._reach_name(frame.parent, frame.shell.name, into)

    def _reach_name(self, frame: Frame, name: str, into: Frame) -> ast.expr:
        if frame.parent is None:
            return self._reach_member(frame, name, into)
        if isinstance(frame.shell, ast.ClassDef):
            return ast.Attribute(self._reach(frame, into), name, ast.Load())
        if frame.result not in {None, name}:
            raise OpaqueError(f"`{frame.shell.name if frame.shell else ''}` makes several tools")
        frame.result = name
        callee = self._reach(frame, into)
        arguments = [
            ast.keyword(parameter, self._argument(parameter, value, frame, into))
            for parameter, value in frame.parameters.items()
        ]
        return self._named_call(callee, arguments, into, frame)

    def _argument(self, parameter: str, value: Value, frame: Frame, into: Frame) -> ast.expr:
        try:
            return self.value(value, into)
        except OpaqueError as opaque:
            self.approximate(opaque.reason, frame.scope, frame.scope.node)
            return ast.Constant(None)

    def _named_call(
        self, callee: ast.expr, keywords: list[ast.keyword], into: Frame, frame: Frame
    ) -> ast.expr:
        """`lens_call_0 = make(prefix="a")`: what a call gives, under a name of its own."""
        name = into.module.fresh("call")
        call = ast.Call(func=callee, args=[], keywords=keywords)
        into.module.add(LAST, ast.Assign([ast.Name(id=name, ctx=ast.Store())], call))
        return _name(name)

    def _reach_member(self, frame: Frame, name: str, into: Frame) -> ast.expr:
        if frame is into.module:
            return _name(name)
        alias = into.module.fresh(name)
        names = [ast.alias(name, alias)]
        into.module.add(IMPORTS, ast.ImportFrom(frame.scope.module.name, names, 0))
        into.module.uses.append(frame)
        return _name(alias)

    # ------------------------------------------------------------ names

    def need(self, name: str, frame: Frame) -> None:
        """Makes a name of the source mean in a frame what it means there.

        A name that nothing binds at run time is left alone, so that Python's own NameError comes out.

        Raises:
            OpaqueError: what the name stands for cannot be part of a stub.
        """
        current: Frame | None = frame
        while current is not None:
            is_class = isinstance(current.scope.node, ast.ClassDef)
            if (not is_class or current is frame) and self._need_here(name, current):
                return
            current = current.parent
        if name not in PLAIN_BUILTINS and hasattr(__builtins__, name):
            raise OpaqueError(f"the built-in `{name}` is not run for a preview")

    def _need_here(self, name: str, frame: Frame) -> bool:
        if name in frame.needed:
            reason = frame.needed[name]
            if reason is not None:
                raise OpaqueError(reason)
            return True
        if name in frame.parameters:
            return True
        if frame.scope.node is not None and name in frame.scope.arguments:
            frame.parameters[name] = frame.scope.arguments[name]
            _add_parameter(frame, name)
            return True
        live = self._live(name, frame)
        if live is None:
            return frame.parent is None and self._need_star(name, frame)
        frame.needed[name] = None
        try:
            if live:
                self._bind(name, *live[-1], frame)
        except OpaqueError as opaque:
            frame.needed[name] = opaque.reason
            raise
        return True

    def _live(self, name: str, frame: Frame) -> list[tuple[Scope, Binding]] | None:
        """The bindings of a name in a frame that may hold; None when it is not bound there."""
        scope = frame.scope
        if frame.parent is None:
            pairs = [
                (Scope(scope.module, block), binding)
                for block, binding in scope.module.bindings.get(name, ())
            ]
        else:
            names = scope.names
            found = names.bindings.get(name, ()) if names is not None else ()
            pairs = [(scope, binding) for binding in found]
        if not pairs:
            return None
        live = reachable(pairs, self.world)
        if len(live) > 1:
            reason = f"which definition of `{name}` holds is decided when the code runs"
            self.approximate(reason, live[-1][0], live[-1][1].node)
        return live

    def _need_star(self, name: str, frame: Frame) -> bool:
        module = frame.scope.module
        for star in reversed(module.stars):
            written = absolute(star, module)
            target = self.world.find(written, module)
            if target is not None and module_member(target, name, self.world) is not None:
                frame.needed[name] = None
                self._import_from(written, name, name, frame)
                return True
            if target is None and is_allowed_module(written) and is_allowed_name(written, name):
                frame.needed[name] = None
                frame.add(IMPORTS, ast.ImportFrom(written, [ast.alias(name)], 0))
                return True
        return False

    def _bind(self, name: str, scope: Scope, binding: Binding, frame: Frame) -> None:
        node = binding.node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                del frame.needed[name]
                self.define(Function(node, scope), frame)
            case ast.ClassDef():
                cls = Class(node, scope)
                self._host(cls, typed=True)
            case _ if binding.imported is not None:
                self._import(name, binding.imported, frame)
            case _ if binding.value is not None:
                order = order_of(scope.module, scope.block, node)
                frame.add(order, expressions.assignment(self, name, binding, frame))
            case _:
                raise OpaqueError(f"`{name}` gets its value when the code runs")

    def _import(self, name: str, what: tuple[str, str | None], frame: Frame) -> None:
        written, member = what
        module = frame.scope.module
        full = absolute(written, module)
        if member is None:
            if is_allowed_module(full):
                alias = ast.alias(full, name if name != full else None)
                frame.add(IMPORTS, ast.Import([alias]))
            return
        self._import_from(full, member, name, frame)

    def _import_from(self, full: str, member: str, name: str, frame: Frame) -> None:
        asname = name if name != member else None
        if is_allowed_module(full) or full == "google":
            if full != "google" and not is_allowed_name(full, member):
                raise OpaqueError(f"`{full}.{member}` is not run for a preview")
            frame.add(IMPORTS, ast.ImportFrom(full, [ast.alias(member, asname)], 0))
            return
        target = self.world.find(full, frame.scope.module)
        if target is None:
            raise OpaqueError(f"`{member}` comes from `{full}`, whose source was not found")
        value = module_member(target, member, self.world)
        if value is None:
            raise OpaqueError(f"`{full}` has no `{member}`")
        if isinstance(value, ModuleRef):
            return
        target_frame = self.module_frame(target)
        self.need(member, target_frame)
        frame.add(IMPORTS, ast.ImportFrom(target.name, [ast.alias(member, asname)], 0))
        frame.module.uses.append(target_frame)

    def member(self, module: Module, name: str, frame: Frame) -> ast.expr:
        """An expression for `module.name`, of a module of the project, in a frame.

        Raises:
            OpaqueError: what it stands for cannot be part of a stub.
        """
        value = module_member(module, name, self.world)
        if value is None:
            raise OpaqueError(f"`{module.name}` has no `{name}`")
        alias = frame.module.fresh(name)
        self._import_from(module.name, name, alias, frame.module)
        return _name(alias)


def decorator_name(callee: Value) -> str | None:
    """The full name of a decorator of a library, with or without arguments."""
    match callee:
        case External(name=name):
            return name
        case Called(callee=External(name=name)):
            return name
    return None


def _wraps(node: FunctionNode) -> bool:
    return any("wraps" in ast.unparse(decorator) for decorator in node.decorator_list)


def _outer(scope: Scope) -> Scope | None:
    return scope if scope.node is not None or scope.arguments else None


def _name(text: str) -> ast.Name:
    return ast.Name(id=text, ctx=ast.Load())


def _shell(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda,
) -> ast.FunctionDef | ast.ClassDef:
    """An empty definition of the same name."""
    if isinstance(node, ast.Lambda):
        raise OpaqueError("it is made inside a lambda")
    if isinstance(node, ast.ClassDef):
        shell: ast.FunctionDef | ast.ClassDef = ast.ClassDef(node.name, [], [], [], [])
    else:
        shell = ast.FunctionDef(node.name, expressions.no_arguments(), [], [], None)
    shell.type_params = []  # type: ignore[attr-defined, unused-ignore]
    return shell


def _add_parameter(frame: Frame, name: str) -> None:
    assert isinstance(frame.shell, ast.FunctionDef)  # noqa: S101 - classes have no arguments
    frame.shell.args.args.append(ast.arg(name))


def _fill(frame: Frame) -> None:
    for child in frame.children.values():
        _fill(child)
        if child.shell is not None:
            child.shell.body = child.body()


def _mutations(function: Function, name: str) -> Iterator[tuple[Scope, Mutation]]:
    scope = function.scope
    if scope.node is None:
        for block, change in scope.module.mutations.get(name, ()):
            yield Scope(scope.module, block), change
    elif isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
        for change in body_namespace(scope.node).mutations.get(name, ()):
            yield scope, change
