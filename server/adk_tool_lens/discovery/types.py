"""Reads annotations as small trees of resolved type names, aliases followed, nothing executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.evaluate import World, bases, evaluate, reachable
from adk_tool_lens.discovery.model import TypeKind, TypeTree
from adk_tool_lens.discovery.module import Module, Place, absolute
from adk_tool_lens.discovery.values import Called, Class, External, ModuleRef, Scope, Value

_MAX_DEPTH = 12
_INNER = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"})
_TYPING = {"typing", "typing_extensions"}
_RENAMED = {
    "List": "builtins.list",
    "Dict": "builtins.dict",
    "Set": "builtins.set",
    "FrozenSet": "builtins.frozenset",
    "Tuple": "builtins.tuple",
    "Type": "builtins.type",
    "Text": "builtins.str",
    "Deque": "collections.deque",
    "DefaultDict": "collections.defaultdict",
    "OrderedDict": "collections.OrderedDict",
    "Counter": "collections.Counter",
    "Pattern": "re.Pattern",
}
_ABSTRACT = frozenset(
    (
        "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "Callable", "Collection",
        "Container", "Coroutine", "Generator", "Hashable", "Iterable", "Iterator", "Mapping",
        "MutableMapping", "MutableSequence", "MutableSet", "Sequence",
    )
)  # fmt: skip
_NEUTRAL = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
_MODELS = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.RootModel"})
_TYPED_DICTS = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
_NAMED_TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
_DATACLASS = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass"})
_MIXINS = {
    "builtins.str": "builtins.str",
    "builtins.int": "builtins.int",
    "enum.StrEnum": "builtins.str",
    "enum.IntEnum": "builtins.int",
    "enum.IntFlag": "builtins.int",
}


@dataclass(frozen=True, eq=False)
class _Spot:
    """Where a type is read."""

    scope: Scope
    world: World
    at: Place | None = None
    """Where the alias or the quotes around it stand: what is inside stands there, too."""
    depth: int = 0

    def place(self, node: ast.expr) -> Place:
        return self.at or self.scope.place(node)

    def inner(self, scope: Scope | None = None, at: Place | None = None) -> _Spot:
        return _Spot(scope or self.scope, self.world, at or self.at, self.depth + 1)


def type_tree(annotation: ast.expr | None, scope: Scope, world: World) -> TypeTree | None:
    """What a written annotation means; None for a parameter without one."""
    return None if annotation is None else _tree(annotation, _Spot(scope, world))


def _tree(node: ast.expr, spot: _Spot) -> TypeTree:
    where = spot.place(node)
    if spot.depth > _MAX_DEPTH:
        return TypeTree(TypeKind.UNKNOWN, "", where)
    match node:
        case ast.Constant(value=None):
            return TypeTree(TypeKind.NONE, "None", where)
        case ast.Constant(value=value) if value is ...:
            return TypeTree(TypeKind.ELLIPSIS, "...", where)
        case ast.Constant(value=str(text)):
            quoted = _parsed(text)
            if quoted is not None:
                return _tree(quoted, spot.inner(at=where))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _union((left, right), where, spot)
        case ast.Subscript():
            return _subscript(node, where, spot)
        case ast.Name() | ast.Attribute():
            return _named(node, where, spot)
        case ast.Call():
            return _made(evaluate(node, spot.scope, spot.world), where, spot)
    return TypeTree(TypeKind.UNKNOWN, "", where)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _union(nodes: Iterable[ast.expr], where: Place, spot: _Spot) -> TypeTree:
    members: list[TypeTree] = []
    for node in nodes:
        tree = _tree(node, spot.inner())
        members.extend(tree.arguments if tree.kind is TypeKind.UNION else (tree,))
    return TypeTree(TypeKind.UNION, "", where, tuple(members))


def _subscript(node: ast.Subscript, where: Place, spot: _Spot) -> TypeTree:
    base = _tree(node.value, spot.inner())
    module, _, form = base.name.rpartition(".")
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    special = _special_form(form, parts, where, spot) if module in _TYPING and parts else None
    if special is not None:
        return special
    arguments = tuple(_tree(part, spot.inner()) for part in parts)
    return TypeTree(base.kind, base.name, where, arguments, base.mixin)


def _special_form(form: str, parts: list[ast.expr], where: Place, spot: _Spot) -> TypeTree | None:
    if form in _INNER:
        return _tree(parts[0], spot.inner())
    if form == "Union":
        return _union(parts, where, spot)
    if form == "Optional":
        return _union((parts[0], ast.copy_location(ast.Constant(None), parts[0])), where, spot)
    return TypeTree(TypeKind.LITERAL, "typing.Literal", where) if form == "Literal" else None


# ---------------------------------------------------------------- names


def _named(node: ast.Name | ast.Attribute, where: Place, spot: _Spot) -> TypeTree:
    definition = _definition(node, spot)
    if definition is not None:
        expression, scope = definition
        return _tree(expression, spot.inner(scope, where))
    return _made(evaluate(node, spot.scope, spot.world), where, spot)


def _definition(node: ast.Name | ast.Attribute, spot: _Spot) -> tuple[ast.expr, Scope] | None:
    """What an alias was assigned: `Point = tuple[float, float]`, `type Point = ...`."""
    if isinstance(node, ast.Attribute):
        module = evaluate(node.value, spot.scope, spot.world)
        return _member(module.module, node.attr, spot.world) if isinstance(module, ModuleRef) else None
    current: Scope | None = spot.scope
    while current is not None:
        bindings = current.names.bindings.get(node.id) if current.names is not None else None
        if bindings:
            live = reachable([(current, binding) for binding in bindings], spot.world)
            return (live[0][1].value, current) if len(live) == 1 and live[0][1].value else None
        current = current.parent
    return _member(spot.scope.module, node.id, spot.world)


def _member(module: Module, name: str, world: World, depth: int = 0) -> tuple[ast.expr, Scope] | None:
    pairs = [(Scope(module, block), binding) for block, binding in module.bindings.get(name, ())]
    live = reachable(pairs, world)
    if len(live) != 1 or depth > _MAX_DEPTH:
        return None
    scope, binding = live[0]
    if binding.imported is not None:
        written, member = binding.imported
        target = world.find(absolute(written, module), module)
        return _member(target, member, world, depth + 1) if target is not None and member else None
    return None if binding.value is None else (binding.value, scope)


def _made(value: Value, where: Place, spot: _Spot) -> TypeTree:
    match value:
        case Class():
            return _class(value, where, spot.world)
        case External(name=name):
            return _external(name, where)
        case Called(callee=External(name=name)):
            return _called(name, value, where, spot)
    return TypeTree(TypeKind.UNKNOWN, "", where)


def _called(name: str, value: Called, where: Place, spot: _Spot) -> TypeTree:
    """Types that calls make: `NewType("UserId", int)`, `TypedDict("T", {...})`, `Enum("E", "A B")`."""
    last = name.rpartition(".")[2]
    if last == "NewType" and len(value.call.args) > 1:
        return _tree(value.call.args[1], spot.inner(value.scope, where))
    if name in _TYPED_DICTS | _NAMED_TUPLES or name.startswith("enum."):
        kind, mixin = _kind_of({name})
        return TypeTree(kind, name, where, mixin=mixin)
    return TypeTree(TypeKind.UNKNOWN, "", where)


def _external(name: str, where: Place) -> TypeTree:
    module, _, last = name.rpartition(".")
    if module in _TYPING:
        if last == "Any":
            return TypeTree(TypeKind.ANY, "typing.Any", where)
        abstract = f"collections.abc.{last}" if last in _ABSTRACT else f"typing.{last}"
        return TypeTree(TypeKind.EXTERNAL, _RENAMED.get(last, abstract), where)
    if name == "builtins.object":
        return TypeTree(TypeKind.ANY, name, where)
    if name in {"types.NoneType", "builtins.None"}:
        return TypeTree(TypeKind.NONE, "None", where)
    return TypeTree(TypeKind.EXTERNAL, name, where)


# ---------------------------------------------------------------- classes of the project


def _class(cls: Class, where: Place, world: World) -> TypeTree:
    kind, mixin = _kind_of(_lineage(cls, world))
    return TypeTree(kind, f"{cls.scope.module.name}.{cls.node.name}", where, mixin=mixin)


def _lineage(cls: Class, world: World) -> set[str]:
    """The full names of external bases and of class decorators, over all bases of the project."""
    found: set[str] = set()
    for base in bases(cls, world):
        if isinstance(base, External):
            found.add(base.name)
        else:
            found.update(_decorators(base, world))
    return found


def _decorators(cls: Class, world: World) -> Iterator[str]:
    for decorator in cls.node.decorator_list:
        match evaluate(decorator, cls.scope, world):
            case External(name=name) | Called(callee=External(name=name)) if name in _DATACLASS:
                yield name


def _kind_of(lineage: set[str]) -> tuple[TypeKind, str | None]:
    """What a class is by what it derives from, and for an enumeration the type its members are."""
    mixin = next((made for base, made in _MIXINS.items() if base in lineage), None)
    if any(name.startswith("enum.") for name in lineage):
        return TypeKind.ENUM, mixin
    for names, kind in (
        (_MODELS, TypeKind.MODEL),
        (_TYPED_DICTS, TypeKind.TYPED_DICT),
        (_NAMED_TUPLES, TypeKind.NAMED_TUPLE),
        (_DATACLASS, TypeKind.DATACLASS),
    ):
        if lineage & names:
            return kind, None
    return (TypeKind.UNKNOWN if lineage - _NEUTRAL else TypeKind.CLASS), None
