"""Whether objects of a class can be hashed: google-adk 1.x and 2.0 to 2.9 refuse tools that cannot."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.evaluate import World, bases, evaluate
from adk_tool_lens.discovery.module import body_namespace
from adk_tool_lens.discovery.values import Called, Class, External, Value

_UNHASHABLE = frozenset(
    {"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.RootModel", "pydantic.root_model.RootModel"}
    | {f"builtins.{name}" for name in ("bytearray", "dict", "list", "set")}
    | {f"collections.{name}" for name in ("Counter", "OrderedDict", "UserDict", "UserList")}
    | {f"collections.{name}" for name in ("ChainMap", "defaultdict", "deque")}
)


def is_unhashable(cls: Class, world: World) -> bool:
    """Whether Python, dataclass or pydantic takes `__hash__` from the instances of a class."""
    for base in bases(cls, world):
        known = base.name in _UNHASHABLE or None if isinstance(base, External) else _decides(base, world)
        if known is not None:
            return known
    return False


def _decides(cls: Class, world: World) -> bool | None:
    """What the body and the decorators of a class say; None leaves it to its bases."""
    bindings = body_namespace(cls.node).bindings
    if "__hash__" in bindings:
        value = bindings["__hash__"][-1].value
        return isinstance(value, ast.Constant) and value.value is None
    for decorator in cls.node.decorator_list:
        known = _dataclass_decides(evaluate(decorator, cls.scope, world))
        if known is not None:
            return known
    if any(keyword.arg == "frozen" for keyword in cls.node.keywords) or _is_frozen(cls):
        return False
    return True if "__eq__" in bindings else None


def _dataclass_decides(decorator: Value) -> bool | None:
    """`@dataclass` compares by fields and takes `__hash__` away, unless it is frozen."""
    call = decorator.call if isinstance(decorator, Called) else None
    callee = decorator.callee if isinstance(decorator, Called) else decorator
    if not isinstance(callee, External) or not callee.name.endswith("dataclasses.dataclass"):
        return None
    given = {keyword.arg: keyword.value for keyword in call.keywords} if call is not None else {}
    if any(_is_true(given.get(name)) for name in ("frozen", "unsafe_hash")):
        return False
    return None if isinstance(given.get("eq"), ast.Constant) and not _is_true(given["eq"]) else True


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_frozen(cls: Class) -> bool:
    """`model_config = ConfigDict(frozen=True)`."""
    written = [binding.value for binding in body_namespace(cls.node).bindings.get("model_config", ())]
    return any(node is not None and "frozen" in ast.unparse(node) for node in written)
