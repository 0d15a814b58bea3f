"""Writes skeletons of classes into a stub: as types with bases and fields, or as hosts of methods."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import calls, expressions, hints, signatures, syntax, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError, Order, order_of
from adk_tool_lens.declaration.sites import Site
from adk_tool_lens.declaration.worker import BINDABLE_DUNDERS
from adk_tool_lens.discovery.attributes import class_scope
from adk_tool_lens.discovery.conditions import truth
from adk_tool_lens.discovery.evaluate import bases, class_member, evaluate
from adk_tool_lens.discovery.facts import external_bases
from adk_tool_lens.discovery.module import Binding, FunctionNode, body_namespace, is_dunder
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    External,
    Function,
    Instance,
    Scope,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_HOOKS = frozenset(
    {
        "__get_pydantic_core_schema__",
        "__get_pydantic_json_schema__",
        "__modify_schema__",
        "__new__",
        "__init_subclass__",
        "__pydantic_init_subclass__",
        "__class_getitem__",
        "_generate_next_value_",
    }
)
"""Methods that may change a class's schema when they run."""
_SCHEMA_DECORATORS = (
    "dataclasses.dataclass",
    "pydantic.dataclasses.dataclass",
    "pydantic.with_config",
    "pydantic.config.with_config",
)
_IRRELEVANT = frozenset(
    {"__tablename__", "__table_args__", "__mapper_args__", "__abstract__", "__version__", "__author__"}
    | {"__test__", "__repr__", "__str__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__"}
    | {"__len__", "__iter__", "__contains__", "__getitem__", "__setitem__", "__add__", "__or__", "__and__"}
)
"""Names of Python's kind that no schema is made of."""
_BARE_BASES = ("builtins.", "abc.", "typing.", "typing_extensions.", "enum.", "dataclasses.")
"""Libraries whose classes have no methods that tools are made of."""
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC"})


def _class(frame: Frame) -> Class:
    assert isinstance(frame.scope.node, ast.ClassDef)  # noqa: S101
    around = frame.scope.parent or Scope(frame.scope.module, frame.scope.block)
    return Class(frame.scope.node, around)


def begin(w: Writer, frame: Frame) -> None:
    """A class frame as a host of methods: its docstring and the project's bases, for theirs."""
    cls = _class(frame)
    for statement in syntax.docstring(cls.node):
        frame.add((-1, 0, 0), statement)
    _docstring_by_name(w, cls, frame)
    assert isinstance(frame.shell, ast.ClassDef)  # noqa: S101
    for base in direct_bases(cls, w):
        if base.scope.node is None and base.node is not cls.node:
            frame.shell.bases.append(values.class_expression(w, base, frame.module, typed=False))


def _docstring_by_name(w: Writer, cls: Class, frame: Frame) -> None:
    """`__doc__ = "..."` in the body of a class."""
    for binding in _bindings(cls, "__doc__"):
        known = None if binding.value is None else evaluate(binding.value, class_scope(cls), w.world)
        if isinstance(known, Const) and isinstance(known.value, str) and not binding.guards:
            frame.add((-1, 0, 1), ast.Assign([syntax.target("__doc__")], ast.Constant(known.value)))
        else:
            w.approximate(f"`{cls.node.name}.__doc__` is set when the code runs", cls.scope, cls.node)


def _bindings(cls: Class, name: str) -> Sequence[Binding]:
    """What binds a name in the body of a class."""
    return body_namespace(cls.node).bindings.get(name, ())


def direct_bases(cls: Class, w: Writer) -> list[Class]:
    """The classes of the project that a class names as its bases."""
    written = [base.value if isinstance(base, ast.Subscript) else base for base in cls.node.bases]
    found = [evaluate(base, cls.scope, w.world) for base in written]
    return [base for base in found if isinstance(base, Class)]


def make_typed(w: Writer, frame: Frame) -> None:
    """Gives a class frame its bases, keywords, decorators and fields, once."""
    if frame.typed:
        return
    frame.typed = True
    cls = _class(frame)
    shell = frame.shell
    assert isinstance(shell, ast.ClassDef)  # noqa: S101
    assert frame.parent is not None  # noqa: S101
    around, parameters = signatures.type_params(Site.of(w, frame.parent, cls.scope), cls.node)
    syntax.set_type_params(shell, parameters)
    shell.decorator_list = _decorators(around, cls)
    matters = (
        bool(shell.decorator_list)
        or cls.node in w.mattering
        or any(name not in _PLAIN_BASES for name in external_bases(cls, w.world))
    )
    if matters:
        w.mattering.update(base.node for base in bases(cls, w.world) if isinstance(base, Class))
    shell.bases = _bases(around, cls)
    shell.keywords = _keywords(around, cls)
    site = Site(w, frame, frame.scope, frame, around.own)
    _body(_Body(site, cls, matters), cls.node.body)


def _bases(site: Site, cls: Class) -> list[ast.expr]:
    copies = (_base(site, base, cls) for base in cls.node.bases)
    return [copy for copy in copies if copy is not None]


def _base(site: Site, base: ast.expr, cls: Class) -> ast.expr | None:
    try:
        return hints.base(site, base)
    except OpaqueError as opaque:
        text = ast.unparse(base)
        reason = f"the base class `{text}` of `{cls.node.name}` is left out: {opaque.reason}"
        site.approximate(reason, base)
        return None


def _keywords(site: Site, cls: Class) -> list[ast.keyword]:
    copies = (_keyword(site, keyword, cls) for keyword in cls.node.keywords)
    return [copy for copy in copies if copy is not None]


def _keyword(site: Site, keyword: ast.keyword, cls: Class) -> ast.keyword | None:
    try:
        _refuse_metaclass(site, keyword)
        return ast.keyword(keyword.arg, expressions.expression(site, keyword.value))
    except OpaqueError as opaque:
        reason = f"`{keyword.arg}=` of `{cls.node.name}` is left out: {opaque.reason}"
        site.approximate(reason, keyword.value)
        return None


def _refuse_metaclass(site: Site, keyword: ast.keyword) -> None:
    if keyword.arg == "metaclass" and isinstance(site.value(keyword.value), Class):
        raise OpaqueError("it runs when the class is made")


def _decorators(site: Site, cls: Class) -> list[ast.expr]:
    copies = []
    for decorator in cls.node.decorator_list:
        callee = site.value(decorator)
        name = callee.name if isinstance(callee, External) else ""
        if isinstance(callee, Called):
            name = callee.callee.name
        if name in _SCHEMA_DECORATORS:
            copies.append(expressions.expression(site, decorator))
        elif not name.startswith(("enum.", "functools.", "typing.", "typing_extensions.", "abc.")):
            text = ast.unparse(decorator)
            reason = f"what `@{text}` makes of `{cls.node.name}` is only known when the code runs"
            site.approximate(reason, decorator)
    return copies


@dataclass(frozen=True)
class _Body:
    """The body of a class that is copied as a type."""

    site: Site
    cls: Class
    matters: bool
    """Whether something reads the class's attributes: pydantic, enum, dataclass."""

    def approximate(self, what: str, node: ast.AST) -> None:
        if self.matters:
            self.site.approximate(f"`{self.cls.node.name}{what}", node)


def _body(body: _Body, statements: list[ast.stmt]) -> None:
    before: ast.stmt | None = None
    for node in statements:
        match before, node:
            case ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text))):
                # The description of the field above, where `use_attribute_docstrings` is set.
                body.site.frame.add(_order(body, node), ast.Expr(ast.Constant(text)))
            case _:
                _member(body, node)
        before = node


def _member(body: _Body, node: ast.stmt) -> None:  # noqa: C901 - one table
    match node:
        case ast.AnnAssign(target=ast.Name()):
            _field(body, node)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _attribute(body, node, target, value)
        case ast.ClassDef(name="Config"):
            values.host_frame(body.site.w, Class(node, body.site.frame.scope), typed=True)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            _method_of_type(body, node, name)
        case ast.If(test=test, body=then, orelse=otherwise):
            match truth(test, body.site.scope, body.site.w.world):
                case True:
                    _body(body, then)
                case False:
                    _body(body, otherwise)
                case None:
                    text = ast.unparse(test)
                    body.approximate(f"` has parts that depend on `{text[:80]}`", node)
        case ast.Expr() | ast.Pass() | ast.ClassDef():
            pass
        case _:
            body.approximate(f"` is made by `{ast.unparse(node)[:80]}`, which only runs with the code", node)


def _order(body: _Body, node: ast.stmt) -> Order:
    return order_of(body.cls.scope.module, body.cls.scope.block, node)


def _field(body: _Body, node: ast.AnnAssign) -> None:
    assert isinstance(node.target, ast.Name)  # noqa: S101 - the caller looked
    name = node.target.id
    frame = body.site.frame
    default = None if node.value is None else _value(body, name, node.value)
    if default is not None:
        frame.needed[name] = None
    copy = hints.hint(body.site, node.annotation)
    target = syntax.target(name)
    frame.add(_order(body, node), ast.AnnAssign(target=target, annotation=copy, value=default, simple=1))


def _attribute(body: _Body, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
    match target, value:
        case ast.Name(id=name), _ if is_dunder(name) and name not in BINDABLE_DUNDERS:
            if name not in _IRRELEVANT:
                body.approximate(f".{name}` is set when the code runs", node)
        case ast.Name(id=name), _:
            if name == "model_config" and "json_schema_mode_override" in ast.unparse(value):
                body.approximate(".model_config` asks for what serializers give when they run", node)
            default = _value(body, name, value)
            if default is not None:
                body.site.frame.needed[name] = None
                body.site.frame.add(_order(body, node), ast.Assign([syntax.target(name)], default))
        case ast.Tuple(elts=parts), ast.Tuple(elts=values_) if len(parts) == len(values_):
            for part, part_value in zip(parts, values_, strict=True):
                _attribute(body, node, part, part_value)
        case _:
            body.approximate(f".{ast.unparse(target)}` gets its value when the code runs", node)


def _value(body: _Body, name: str, node: ast.expr) -> ast.expr | None:
    try:
        return expressions.expression(body.site, node)
    except OpaqueError as opaque:
        if not body.matters:
            return None
        body.approximate(f".{name}` is not known: {opaque.reason}", node)
        return ast.Constant(f"<{ast.unparse(node)[:80]}>")


def _method_of_type(body: _Body, node: FunctionNode, name: str) -> None:
    changes = any(_changes_schema(decorator) for decorator in node.decorator_list)
    if name in _HOOKS or changes:
        # pydantic asks any class for its hooks, whatever it derives from.
        body.site.approximate(f"`{body.cls.node.name}.{name}` may change the schema when it runs", node)


def _changes_schema(decorator: ast.expr) -> bool:
    """`@field_validator("x", mode="plain")` takes the place of the field's own schema."""
    if not isinstance(decorator, ast.Call) or "validator" not in ast.unparse(decorator.func):
        return False
    return any(
        k.arg == "json_schema_input_type" or (k.arg == "mode" and ast.unparse(k.value) == "'plain'")
        for k in decorator.keywords
    )


def add_method(w: Writer, host: Frame, function: Function, name: str = "") -> None:
    """Puts a method's skeleton into its class, under its own name or that of `__call__ = run`."""
    name = name or function.node.name
    if f"{name}()" in host.needed:
        return
    host.needed[f"{name}()"] = None
    order = order_of(function.scope.module, function.scope.block, function.node)
    copy = signatures.function(w, function, host)
    copy.name = name
    host.add(order, copy)


def add_inherited(w: Writer, cls: Class, function: Function) -> None:
    """The method of a base class whose docstring an undocumented one inherits (`inspect.getdoc`)."""
    if syntax.docstring(function.node):
        return
    name = function.node.name
    for base in bases(cls, w.world):
        if isinstance(base, External):
            if not (name.startswith("__") or base.name.startswith(_BARE_BASES)):
                reason = f"`{cls.node.name}.{name}` may inherit its docstring from `{base.name}`"
                w.approximate(reason, function.scope, function.node)
            continue
        member = class_member(Class(base.node, base.scope), name, w.world, base)
        inherited = member.function if isinstance(member, Bound) else member
        if isinstance(inherited, Function) and inherited.owner is not None:
            add_method(w, values.host_frame(w, inherited.owner, typed=False), inherited)
            if syntax.docstring(inherited.node):
                return


def add_init(w: Writer, host: Frame) -> None:
    """The signature of `__init__`, for a class that is itself handed over as a tool."""
    cls = _class(host)
    member = class_member(cls, "__init__", w.world, Instance(cls, None, cls.scope))
    if isinstance(member, Bound) and member.function.owner is not None:
        owner = values.host_frame(w, member.function.owner, typed=True)
        add_method(w, owner, member.function)
    for name in ("__new__", "__signature__", "__text_signature__"):
        if class_member(cls, name, w.world, cls) is not None:
            reason = f"`{cls.node.name}.{name}` may change the signature when it runs"
            w.approximate(reason, cls.scope, cls.node)


def note_made_docstring(w: Writer, cls: Class, frame: Frame) -> None:
    """The docstring that a dataclass without one is given shows annotations as they are written."""
    assert frame.shell is not None  # noqa: S101
    if not frame.shell.decorator_list or syntax.docstring(cls.node):
        return
    kept = {ast.unparse(n.annotation) for _, n in frame.ordered() if isinstance(n, ast.AnnAssign)}
    for node in cls.node.body:
        match node:
            case ast.AnnAssign(annotation=hint) if ast.unparse(hint) not in kept and _is_text(hint, cls):
                reason = f"the docstring of `{cls.node.name}` is made when the code runs"
                w.approximate(reason, cls.scope, node)


def _is_text(hint: ast.expr, cls: Class) -> bool:
    """Whether an annotation is, or has in it, a text for typing to read."""
    texts = (isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(hint))
    return cls.scope.module.postponed or any(texts)


def note_code(site: Site, cls: Class, node: ast.AST) -> None:
    """Says so when making an instance runs code of the project."""
    for name in ("__init__", "__post_init__", "model_post_init"):
        member = class_member(cls, name, site.w.world, Instance(cls, None, cls.scope))
        if isinstance(member, Bound):
            site.approximate(f"`{cls.node.name}.{name}` runs when the instance is made", node)
    for base in bases(cls, site.w.world):
        if isinstance(base, Class):
            _note_factories(site, base, node)


def _note_factories(site: Site, cls: Class, node: ast.AST) -> None:
    """Validators and default factories of a class run when an instance is made."""
    inside = Site.of(site.w, site.frame, class_scope(cls))
    for part in ast.walk(cls.node):
        match part:
            case ast.keyword(arg="default_factory" | "factory", value=value):
                if calls.factory(inside, value) is None:
                    site.approximate(f"`{ast.unparse(value)[:80]}` runs when the instance is made", node)
            case ast.FunctionDef(decorator_list=[*decorators]) if any(map(_validates, decorators)):
                site.approximate(f"`{cls.node.name}.{part.name}` runs when the instance is made", node)


def _validates(decorator: ast.expr) -> bool:
    return "validator" in ast.unparse(decorator) or "serializer" in ast.unparse(decorator)
