"""The declaration worker: asks the project's own google-adk what it tells the model about a tool.

Started as `INTERPRETER -I worker.py` with a working directory outside the workspace. Standard library
only until the first request; google-adk and pydantic are imported by functions. The server imports
this file too, for `verify`, `ALLOWED_MODULES` and `PROTOCOL`, and then nothing of google is needed.

Wire: one JSON object a line. The worker speaks first (`{"hello": {...}}`), then answers
`{"id", "op": "ping" | "warm" | "declare", "backend", "provider", "modules": [{"name", "source"}]}`
with the same id and one of `pong`, `warmed`, `declared`, `refused`, `unavailable`.

Three walls keep a stub harmless, each enough for the attacks known to us:

1. `verify` accepts a whitelist of syntax: no dunder is read, no loop, no comprehension, no f-string, and
   function bodies hold nothing but a docstring and a return of a name.
2. At run time a stub sees few built-ins, imports come through `_ModuleView`, which hands out checked
   names instead of modules, and every attribute and every callee passes `_checked_attribute` and
   `_checked_callee`. Texts in annotations pass the same way when `typing` compiles them.
3. An audit hook refuses processes, sockets, files, ctypes and unverified code while a stub runs.

The parameter names and the order of steps follow google-adk: `agents/llm_agent.py`
(`_convert_tool_union_to_tools`), `tools/function_tool.py` (`_get_declaration`) and
`utils/variant_utils.py` (which back end), read in 1.18, 1.39.1, 2.9.0 and 2.13.0.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import datetime
import gc
import importlib
import importlib.util
import json
import linecache
import logging
import os
import platform
import sys
import types
import warnings
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

PROTOCOL = 1
"""Grows whenever the same stub may get another answer from this file; part of the cache's key."""

OLDEST_PYTHON = (3, 10)
TOOL_NAME = "__lens_tool__"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- what a stub may import --------------------------------------------------------------------

_TYPING = _words(
    "AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator "
    "Awaitable BinaryIO ByteString Callable ChainMap ClassVar Collection Concatenate Container "
    "ContextManager Coroutine Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable "
    "IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match "
    "MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional "
    "OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required Reversible "
    "Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex "
    "SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeAliasType TypeGuard "
    "TypeIs TypeVar TypeVarTuple TypedDict Union Unpack ValuesView final no_type_check overload override "
    "runtime_checkable"
)
_STDLIB: dict[str, frozenset[str]] = {
    "__future__": frozenset({"annotations"}),
    "abc": frozenset({"ABC", "ABCMeta", "abstractmethod"}),
    "annotated_doc": frozenset({"Doc"}),
    "annotated_types": _words(
        "BaseMetadata Ge GroupedMetadata Gt Interval IsAscii IsDigits IsFinite IsInfinite IsNan "
        "IsNotFinite IsNotInfinite IsNotNan Le Len LowerCase Lt MaxLen MinLen MultipleOf Not Timezone Unit "
        "UpperCase doc DocInfo"
    ),
    "collections": frozenset(
        {
            "ChainMap",
            "Counter",
            "OrderedDict",
            "UserDict",
            "UserList",
            "defaultdict",
            "deque",
            "namedtuple",
        }
    ),
    "collections.abc": _words(
        "AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable Collection "
        "Container Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView "
        "MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"
    ),
    "dataclasses": frozenset({"InitVar", "KW_ONLY", "MISSING", "dataclass", "field"}),
    "datetime": frozenset(
        {"MAXYEAR", "MINYEAR", "UTC", "date", "datetime", "time", "timedelta", "timezone", "tzinfo"}
    ),
    "decimal": frozenset({"Decimal"}),
    "enum": _words(
        "CONFORM CONTINUOUS EJECT Enum EnumCheck EnumMeta EnumType FlagBoundary Flag IntEnum IntFlag "
        "KEEP NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE auto member nonmember property unique verify"
    ),
    "fractions": frozenset({"Fraction"}),
    "functools": frozenset({"cache", "cached_property", "lru_cache", "partial", "partialmethod", "wraps"}),
    "http": frozenset({"HTTPMethod", "HTTPStatus"}),
    "ipaddress": _words("IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network"),
    "math": frozenset({"e", "inf", "nan", "pi", "tau"}),
    "numbers": frozenset({"Complex", "Integral", "Number", "Rational", "Real"}),
    "pathlib": frozenset(
        {"Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath", "WindowsPath"}
    ),
    "re": frozenset({"Match", "Pattern"}),
    "types": frozenset(
        {
            "EllipsisType",
            "GenericAlias",
            "MappingProxyType",
            "NoneType",
            "NotImplementedType",
            "SimpleNamespace",
        }
        | {"UnionType"}
    ),
    "typing": _TYPING,
    "typing_extensions": _TYPING | {"Buffer", "Doc", "NoDefault", "TypeForm", "deprecated", "disjoint_base"},
    "uuid": frozenset({"SafeUUID", "UUID", "uuid1", "uuid3", "uuid4", "uuid5"}),
    "zoneinfo": frozenset({"ZoneInfo"}),
}
_PYDANTIC = frozenset(
    {"pydantic"}
    | {
        "pydantic." + name
        for name in _words(
            "alias_generators aliases annotated_handlers color config dataclasses errors fields "
            "functional_serializers functional_validators json_schema main networks root_model type_adapter "
            "types version warnings"
        )
    }
    | {"pydantic.experimental.missing_sentinel"}
)
_ADK_PACKAGES = _words(
    "a2a agents apps artifacts auth code_executors errors events examples flows integrations memory models "
    "planners platform plugins sessions skills tools utils workflow"
)

ALLOWED_MODULES = frozenset(
    set(_STDLIB)
    | _PYDANTIC
    | {"google.adk", "google.genai", "google.genai.types"}
    | {f"google.adk.{name}" for name in _ADK_PACKAGES}
    | {f"google.adk.{name}.*" for name in _ADK_PACKAGES}
)
"""The modules a stub may import besides its own; `x.*` stands for every module below `x`."""

_DENIED_NAMES = frozenset(
    # They import or build what a text names, or hand out the run-time's own objects.
    _words(
        "ImportString PyObject create_model validate_call validate_arguments parse_obj_as parse_raw_as "
        "parse_file_as schema_of schema_json_of ForwardRef get_type_hints getattr_migration load_str_bytes "
        "load_file import_string TypeAdapter from_config resolve_code_reference resolve_callbacks"
    )
)
_PACKAGE_PARENTS = frozenset({"google"})


def is_allowed_module(name: str) -> bool:
    """Whether a stub may import the module (`from name import ...` or `import name`)."""
    if name in ALLOWED_MODULES:
        return True
    if any(part.startswith("_") for part in name.split(".")):
        return False
    parents = name.split(".")[:-1]
    return any(".".join(parents[:end]) + ".*" in ALLOWED_MODULES for end in range(3, len(parents) + 1))


def is_listed(module: str) -> bool:
    """Whether the names that may be taken from an allowed module are listed one by one."""
    return module in _STDLIB


def is_allowed_name(module: str, name: str) -> bool:
    """Whether the name may be taken from an allowed module; what it is gets checked at run time too."""
    if name.startswith("_") or name in _DENIED_NAMES:
        return False
    listed = _STDLIB.get(module)
    return listed is None or name in listed or is_allowed_module(module + "." + name)


# --- wall 1: the syntax ------------------------------------------------------------------------

_BANNED_BUILTINS = _words(
    "BaseExceptionGroup __build_class__ __import__ __loader__ __spec__ aiter anext ascii breakpoint "
    "compile copyright credits delattr dir eval exec exit format getattr globals hasattr help input "
    "license locals memoryview open pow print quit setattr sum super vars"
)
_READABLE_DUNDERS = frozenset({TOOL_NAME})
BINDABLE_DUNDERS = frozenset(
    {
        TOOL_NAME,
        "__all__",
        "__doc__",
        "__hash__",
        "__match_args__",
        "__pydantic_config__",
        "__pydantic_extra__",
        "__slots__",
    }
)
"""Names of Python's kind that a stub may bind."""
_SETTABLE_DUNDERS = frozenset({"__doc__", "__name__", "__qualname__"})
_BANNED_METHODS = frozenset(
    {"__import__", "__build_class__", "__class__", "__subclasses__", "__mro_entries__"}
)
_BANNED_ATTRIBUTES = _words(
    "ag_await ag_code ag_frame cr_await cr_code cr_frame cr_origin f_back f_builtins f_code f_globals "
    "f_lasti f_locals f_trace format format_map from_config from_orm func_code func_globals gi_code "
    "gi_frame gi_yieldfrom mro parse_file parse_raw tb_frame tb_lasti tb_next with_traceback"
)
_FREE_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Add, ast.Sub, ast.Div)
_MAX_SOURCE = 2_000_000
_MAX_DEPTH = 60
_MAX_INT_BITS = 4096
_MAX_REPEAT = 65_536


class StubRejectedError(Exception):
    """The stub contains what stubs must not contain; ours to mend, never the user's."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        _run.denials.append(what)


def verify(source: str, modules: Iterable[str] = ()) -> list[str]:
    """Returns what keeps the text from being run as a stub, one sentence each; empty when nothing does.

    Args:
        source: The text of one stub module.
        modules: The names of the stub's earlier modules, which this one may import.
    """
    if len(source) > _MAX_SOURCE:
        return [f"the stub is longer than {_MAX_SOURCE} characters"]
    tree = _parse(source, "exec")
    if isinstance(tree, str):
        return [tree]
    verifier = _Verifier(frozenset(modules), _bound_names(tree))
    try:
        verifier.module(tree)
    except RecursionError:
        return ["the stub is nested too deeply"]
    return verifier.problems


def verify_expression(source: str, bound: Iterable[str] = ()) -> list[str]:
    """Like `verify`, for one expression, as in an annotation written as text.

    Args:
        source: The expression.
        bound: Names that the stub binds itself, and which therefore hide a built-in.
    """
    tree = _parse(source.strip(), "eval")
    if isinstance(tree, str):
        return [tree]
    verifier = _Verifier(frozenset(), frozenset(bound))
    try:
        verifier.expression(tree.body, 0)
    except RecursionError:
        return ["the expression is nested too deeply"]
    return verifier.problems


def _parse(source: str, mode: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"this is no Python that this interpreter can read: {error}"


def _bound_names(tree: ast.AST) -> frozenset[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return frozenset(names)


class _Verifier:
    """Walks one stub module; what is not named here is refused."""

    def __init__(self, modules: frozenset[str], bound: frozenset[str]) -> None:
        self.problems: list[str] = []
        self._modules = modules
        self._bound = bound
        self._imported: set[str] = set()
        self._aliases: dict[str, str] = {}

    def _refuse(self, node: ast.AST, what: str) -> None:
        self.problems.append(f"line {getattr(node, 'lineno', 1)}: {what}")

    # statements

    def module(self, tree: ast.Module) -> None:
        for statement in tree.body:
            if isinstance(statement, ast.Import):
                self._import(statement)
            elif isinstance(statement, ast.ImportFrom):
                self._import_from(statement)
            else:
                self._declaration(statement, 0)

    def _declaration(self, node: ast.stmt, depth: int) -> None:
        """A statement of a module or of a class body."""
        if depth > _MAX_DEPTH:
            self._refuse(node, "the stub is nested too deeply")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, depth)
        elif isinstance(node, ast.ClassDef):
            self._class(node, depth)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._target(target)
            self.expression(node.value, depth)
        elif isinstance(node, ast.AnnAssign):
            self._target(node.target)
            self._annotation(node.annotation, depth)
            self._optional(node.value, depth)
        elif isinstance(node, ast.Expr):
            self._bare_expression(node, depth)
        elif type(node).__name__ == "TypeAlias":
            self._type_alias(node, depth)
        elif not isinstance(node, ast.Pass):
            self._refuse(node, f"a stub has no `{type(node).__name__}` statement")

    def _bare_expression(self, node: ast.Expr, depth: int) -> None:
        value = node.value
        rebuilds = (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr == "model_rebuild"
            and isinstance(value.func.value, ast.Name)
            and not value.args
            and not value.keywords
        )
        if rebuilds or isinstance(value, ast.Constant):
            self.expression(value, depth)
        else:
            self._refuse(node, "an expression stands alone only as a docstring, `...` or `X.model_rebuild()`")

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            local = alias.asname or alias.name.split(".")[0]
            self._imported.add(local)
            self._aliases[local] = alias.name if alias.asname else local
            self._binding(local, node)
            if not (alias.name in self._modules or is_allowed_module(alias.name)):
                self._refuse(node, f"`{alias.name}` is no module that a stub may import")

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            self._refuse(node, "a relative import")
            return
        own = module in self._modules
        if not (own or module in _PACKAGE_PARENTS or is_allowed_module(module)):
            self._refuse(node, f"`{module}` is no module that a stub may import")
            return
        for alias in node.names:
            self._binding(alias.asname or alias.name, node)
            if alias.name == "*":
                self._refuse(node, "`import *`")
            elif own:
                if _is_dunder(alias.name):
                    self._refuse(node, f"`{alias.name}` of a stub module")
                continue
            elif module in _PACKAGE_PARENTS and not is_allowed_module(f"{module}.{alias.name}"):
                self._refuse(node, f"`{module}.{alias.name}` is no module that a stub may import")
            elif not is_allowed_name(module, alias.name):
                self._refuse(node, f"`{alias.name}` of `{module}` is nothing that a stub may import")
            self._imported.add(alias.asname or alias.name)
            if is_allowed_module(f"{module}.{alias.name}"):
                self._aliases[alias.asname or alias.name] = f"{module}.{alias.name}"

    def _class(self, node: ast.ClassDef, depth: int) -> None:
        self._binding(node.name, node)
        self._decorators(node, depth)
        self._type_parameters(node, depth)
        for base in node.bases:
            self.expression(base, depth)
        for keyword in node.keywords:
            self._keyword(keyword, depth)
        for statement in node.body:
            self._declaration(statement, depth + 1)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> None:
        if node.name in _BANNED_METHODS or node.name.startswith("__lens"):
            self._refuse(node, f"a function called `{node.name}`")
        self._decorators(node, depth)
        self._type_parameters(node, depth)
        self._arguments(node.args, depth)
        if node.returns is not None:
            self._annotation(node.returns, depth)
        for statement in node.body:
            self._body_statement(statement, depth + 1)

    def _body_statement(self, node: ast.stmt, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self._refuse(node, "the stub is nested too deeply")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, depth)
        elif isinstance(node, (ast.ClassDef, ast.Assign)):
            self._declaration(node, depth)
        elif isinstance(node, ast.Return):
            self._returned(node, depth)
        elif isinstance(node, ast.Expr):
            value = node.value
            inner = value.value if isinstance(value, ast.Yield) else value
            if inner is not None and not isinstance(inner, ast.Constant):
                self._refuse(node, "a function of a stub computes something")
        elif not isinstance(node, ast.Pass):
            self._refuse(node, f"a function of a stub has no `{type(node).__name__}` statement")

    def _returned(self, node: ast.Return, depth: int) -> None:
        value = node.value
        called = value.func if isinstance(value, ast.Call) else value
        while isinstance(called, ast.Attribute):
            called = called.value
        if called is not None and not isinstance(called, (ast.Name, ast.Constant)):
            self._refuse(node, "a function of a stub returns a name, a constant or a call, nothing else")
        self._optional(value, depth)

    def _decorators(self, node: Any, depth: int) -> None:
        for decorator in node.decorator_list:
            self.expression(decorator, depth)

    def _type_parameters(self, node: Any, depth: int) -> None:
        for parameter in getattr(node, "type_params", ()):
            self._binding(parameter.name, parameter)
            self._optional(getattr(parameter, "bound", None), depth)
            self._optional(getattr(parameter, "default_value", None), depth)

    def _type_alias(self, node: Any, depth: int) -> None:
        self._target(node.name)
        self._type_parameters(node, depth)
        self.expression(node.value, depth)

    def _arguments(self, arguments: ast.arguments, depth: int) -> None:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        for argument in every:
            if argument.annotation is not None:
                self._annotation(argument.annotation, depth)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            self._optional(default, depth)

    # names that get bound

    def _target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self._binding(node.id, node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.expression(node.value, 0)
            if node.value.id in self._imported:
                self._refuse(node, "an attribute of something imported is set")
            if node.attr.startswith("_") and node.attr not in _SETTABLE_DUNDERS:
                self._refuse(node, f"the attribute `{node.attr}` is set")
        elif isinstance(node, ast.Tuple) and all(isinstance(part, ast.Name) for part in node.elts):
            for part in node.elts:
                self._target(part)
        else:
            self._refuse(node, "an assignment to something else than a name or its attribute")

    def _binding(self, name: str, node: ast.AST) -> None:
        if _is_reserved(name) and name not in BINDABLE_DUNDERS:
            self._refuse(node, f"the name `{name}` is bound")

    # expressions

    def _optional(self, node: ast.expr | None, depth: int) -> None:
        if node is not None:
            self.expression(node, depth)

    def _annotation(self, node: ast.expr, depth: int) -> None:
        self.expression(node, depth)
        for text in _annotation_texts(node):
            inner = _parse(text.strip(), "eval")
            if not isinstance(inner, str):
                self._annotation(inner.body, depth + 1)

    def expression(self, node: ast.expr, depth: int) -> None:
        if depth > _MAX_DEPTH:
            self._refuse(node, "an expression is nested too deeply")
            return
        handler = getattr(self, "on_" + type(node).__name__.lower(), None)
        if handler is None:
            self._refuse(node, f"an expression of the kind `{type(node).__name__}`")
        else:
            handler(node, depth + 1)

    def _all(self, nodes: Iterable[ast.expr | None], depth: int) -> None:
        for node in nodes:
            self._optional(node, depth)

    def on_constant(self, node: ast.Constant, _depth: int) -> None:
        if isinstance(node.value, int) and node.value.bit_length() > _MAX_INT_BITS:
            self._refuse(node, "a number of unreasonable size")

    def on_name(self, node: ast.Name, _depth: int) -> None:
        if _is_reserved(node.id) and node.id not in _READABLE_DUNDERS:
            self._refuse(node, f"the name `{node.id}`")
        elif node.id in _BANNED_BUILTINS and node.id not in self._bound:
            self._refuse(node, f"the built-in `{node.id}`")

    def on_attribute(self, node: ast.Attribute, depth: int) -> None:
        self.expression(node.value, depth)
        if node.attr.startswith("__") or node.attr in _BANNED_ATTRIBUTES:
            self._refuse(node, f"the attribute `{node.attr}`")
        elif node.attr.startswith("_") and _root_name(node) in self._imported:
            self._refuse(node, f"the private attribute `{node.attr}` of something imported")
        elif not isinstance(node.value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            self._refuse(node, f"the attribute `{node.attr}` of a literal")
        elif (module := self._module_of(node.value)) is not None:
            below = f"{module}.{node.attr}"
            if not (self._is_module(below) or is_allowed_name(module, node.attr)):
                self._refuse(node, f"`{node.attr}` of `{module}`")

    def _module_of(self, node: ast.expr) -> str | None:
        """The module that an expression like `collections.abc` means, if an import made it one."""
        if isinstance(node, ast.Name):
            module = self._aliases.get(node.id)
        elif isinstance(node, ast.Attribute):
            parent = self._module_of(node.value)
            module = None if parent is None else f"{parent}.{node.attr}"
        else:
            return None
        return module if module is not None and self._is_module(module) else None

    def _is_module(self, name: str) -> bool:
        own = any(one == name or one.startswith(name + ".") for one in self._modules)
        return not own and (name in _PACKAGE_PARENTS or is_allowed_module(name))

    def on_subscript(self, node: ast.Subscript, depth: int) -> None:
        self.expression(node.value, depth)
        self.expression(node.slice, depth)

    def on_call(self, node: ast.Call, depth: int) -> None:
        callee = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        if isinstance(callee, ast.Name) and callee.id == "type" and "type" not in self._bound:
            self._refuse(node, f"a call of `{callee.id}`")
        root = callee
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            self._refuse(node, "a call of something that is no name")
        self.expression(node.func, depth)
        self._all(node.args, depth)
        for keyword in node.keywords:
            self._keyword(keyword, depth)

    def _keyword(self, node: ast.keyword, depth: int) -> None:
        if node.arg is not None and node.arg.startswith("__"):
            self._refuse(node.value, f"the keyword argument `{node.arg}`")
        if node.arg is None and not isinstance(node.value, (ast.Name, ast.Dict)):
            self._refuse(node.value, "`**` of something that is no name")
        self.expression(node.value, depth)

    def on_dict(self, node: ast.Dict, depth: int) -> None:
        if None in node.keys:
            self._refuse(node, "`**` in a dict")
        self._all(node.keys, depth)
        self._all(node.values, depth)

    def on_tuple(self, node: Any, depth: int) -> None:
        self._all(node.elts, depth)

    on_list = on_set = on_tuple

    def on_starred(self, node: ast.Starred, depth: int) -> None:
        self.expression(node.value, depth)

    def on_unaryop(self, node: ast.UnaryOp, depth: int) -> None:
        self.expression(node.operand, depth)

    def on_binop(self, node: ast.BinOp, depth: int) -> None:
        self.expression(node.left, depth)
        self.expression(node.right, depth)
        if isinstance(node.op, _FREE_OPERATORS):
            return
        if isinstance(node.op, ast.Mult):
            self._multiplication(node)
        elif not (_is_number(node.left) and _is_number(node.right)):
            self._refuse(node, f"`{type(node.op).__name__}` of something else than two numbers")
        elif isinstance(node.op, (ast.Pow, ast.LShift)):
            self._power(node)

    def _multiplication(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, (ast.List, ast.Tuple, ast.JoinedStr)) or _is_text(one):
                times = other.value if isinstance(other, ast.Constant) else None
                if not isinstance(times, int) or times * max(_length(one), 1) > _MAX_REPEAT:
                    self._refuse(node, "a repetition of unreasonable size")

    def _power(self, node: ast.BinOp) -> None:
        left, right = _number(node.left), _number(node.right)
        if left is None or right is None:
            self._refuse(node, "a power of something else than two plain numbers")
        elif isinstance(left, int) and isinstance(right, int) and right > 0:
            bits = right + left.bit_length() if isinstance(node.op, ast.LShift) else right * left.bit_length()
            if bits > _MAX_INT_BITS:
                self._refuse(node, "a number of unreasonable size")

    def on_lambda(self, node: ast.Lambda, depth: int) -> None:
        self._arguments(node.args, depth)
        for part in ast.walk(node.body):
            if not isinstance(
                part,
                (
                    ast.Constant,
                    ast.Name,
                    ast.List,
                    ast.Dict,
                    ast.Set,
                    ast.Tuple,
                    ast.expr_context,
                    ast.UnaryOp,
                    ast.unaryop,
                ),
            ):
                self._refuse(node, "a lambda computes something")
                return
        self.expression(node.body, depth)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_reserved(name: str) -> bool:
    return _is_dunder(name) or name.startswith("__lens")


def _root_name(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _annotation_texts(node: ast.expr) -> Iterator[str]:
    """The texts in an annotation that typing will read as code: not those of `Literal` or metadata."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.BinOp):
        yield from _annotation_texts(node.left)
        yield from _annotation_texts(node.right)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _annotation_texts(part)
    elif isinstance(node, ast.Subscript):
        form = node.value.attr if isinstance(node.value, ast.Attribute) else _root_name(node.value)
        if form == "Annotated" and isinstance(node.slice, ast.Tuple) and node.slice.elts:
            yield from _annotation_texts(node.slice.elts[0])
        elif form != "Literal":
            yield from _annotation_texts(node.slice)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _length(node: Any) -> int:
    part: Any = node.value if isinstance(node, ast.Constant) else getattr(node, "elts", ())
    return len(part)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))


def _number(node: ast.expr) -> int | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = _number(node.operand)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else inner
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) else None


# --- wall 2: what a running stub can reach ------------------------------------------------------

_PLAIN_BUILTINS = _words(
    "ArithmeticError Ellipsis False None NotImplemented True abs all any bin bool bytearray bytes callable "
    "chr classmethod complex dict divmod enumerate filter float frozenset hash hex id int isinstance "
    "issubclass iter len list map max min next object oct ord property range repr reversed round set slice "
    "sorted staticmethod str tuple type zip"
)
_TEXT_METHODS = _words("capitalize casefold lower lstrip rstrip strip swapcase title upper")
_HARMLESS_METHODS: tuple[tuple[type, frozenset[str]], ...] = (
    (str, _TEXT_METHODS),
    (bytes, _TEXT_METHODS),
    (datetime.date, frozenset({"today"})),
    (datetime.datetime, frozenset({"now", "today", "utcnow"})),
)
"""What stubs may name, as a validator or a default factory, though it is not theirs; it cannot be called."""
_FUNCTION_TYPES = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
)
_UNCALLABLE = (
    types.FunctionType,
    types.CodeType,
    types.ModuleType,
    types.MethodType,
    types.CellType,
    types.FrameType,
    types.TracebackType,
)


class _Run:
    """One request's stub while it runs: its modules by the names the stub uses for them."""

    def __init__(self) -> None:
        self.modules: dict[str, types.ModuleType] = {}
        self.denials: list[str] = []
        """What was refused: google-adk swallows exceptions, and a declaration without it would lie."""
        self.active = False

    def owns(self, value: Any) -> bool:
        """Whether a function (or the function of a bound method) was written in this stub."""
        function = getattr(value, "__func__", value)
        namespace = getattr(function, "__globals__", None)
        return any(namespace is vars(module) for module in self.modules.values())

    def owns_class(self, cls: Any) -> bool:
        """Whether a class was made by this stub."""
        return getattr(cls, "__module__", None) in {module.__name__ for module in self.modules.values()}

    def binds(self, name: str) -> bool:
        """Whether any module of the stub binds the name, hiding a built-in."""
        return any(name in vars(module) for module in self.modules.values())


_run = _Run()


class _ModuleView:
    """What a stub gets in place of a module: an object that hands out checked names only."""

    __slots__ = ("_children", "_module", "_name")

    def __init__(
        self, name: str, module: types.ModuleType | None, children: dict[str, Any] | None = None
    ) -> None:
        self._name = name
        self._module = module
        self._children = children if children is not None else {}

    def __repr__(self) -> str:
        return f"<module {self._name!r}>"

    def __getattr__(self, name: str) -> Any:
        if name in self._children:
            return self._children[name]
        if self._module is None or name.startswith("_"):
            raise AttributeError(f"module {self._name!r} has no attribute {name!r}")
        if self._name in _run.modules:
            return getattr(self._module, name)
        return _checked_export(self._name, self._module, name)


def _checked_export(module_name: str, module: types.ModuleType, name: str) -> Any:
    """Returns `module.name` when a stub may have it.

    Raises:
        StubRejectedError: It is a module, a denied name or a function that is not known to be harmless.
        AttributeError: As for the module itself.
    """
    if not is_allowed_name(module_name, name):
        raise StubRejectedError(f"`{name}` of `{module_name}` is nothing that a stub may have")
    value = getattr(module, name)
    if isinstance(value, types.ModuleType):
        below = f"{module_name}.{name}"
        # `agents.run_config.sys` has the path of an allowed module, and is none.
        if not (is_allowed_module(below) and sys.modules.get(below) is value):
            raise StubRejectedError(f"`{below}` is a module that a stub may not have")
        return _ModuleView(below, value)
    if module_name in _STDLIB or isinstance(value, type) or _is_harmless_export(value):
        return value
    raise StubRejectedError(f"`{module_name}.{name}` is something that a stub may not have")


def _is_harmless_export(value: Any) -> bool:
    """Functions that build or are tools, forms of typing, constants, ready-made tools; no containers."""
    if isinstance(value, _FUNCTION_TYPES):
        home = getattr(value, "__module__", None) or ""
        return home.startswith(("pydantic.", "google.adk.tools.", "google.adk.agents."))
    if value is None or isinstance(value, (str, int, float)):
        return True
    home = type(value).__module__.partition(".")[0]
    return home in {"typing", "types", "typing_extensions", "google", "pydantic", "pydantic_core"}


def _stub_import(
    name: str, _globals: Any = None, _locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Stands for `__import__` in stubs."""
    if level:
        raise StubRejectedError("a relative import")
    if name in _run.modules:
        return _run.modules[name] if fromlist else _view_of_root(name)
    if not (is_allowed_module(name) or (fromlist and name in _PACKAGE_PARENTS)):
        raise StubRejectedError(f"`{name}` is no module that a stub may import")
    with _unguarded():
        module = importlib.import_module(name)
        for wanted in fromlist or ():
            if is_allowed_name(name, wanted) and not hasattr(module, wanted):
                _import_below(module, wanted)
    return _ModuleView(name, module) if fromlist else _view_of_root(name)


def _import_below(module: types.ModuleType, wanted: str) -> None:
    """`from package import submodule`.

    Raises:
        ImportError: In Python's words, when there is neither such a name nor such a module.
    """
    below = f"{module.__name__}.{wanted}"
    is_package = hasattr(module, "__path__")
    if is_package and is_allowed_module(below) and importlib.util.find_spec(below) is not None:
        importlib.import_module(below)
        return
    place = getattr(module, "__file__", None) or "unknown location"
    raise ImportError(f"cannot import name {wanted!r} from {module.__name__!r} ({place})")


def _view_of_root(name: str) -> _ModuleView:
    """`import a.b` binds `a`: a view of `a` that knows `b`, and what was imported below `a` before."""
    parts = name.split(".")
    view = _own_or_real_view(name)
    for end in range(len(parts) - 1, 0, -1):
        parent = _own_or_real_view(".".join(parts[:end]))
        parent._children[parts[end]] = view
        view = parent
    return view


def _own_or_real_view(name: str) -> _ModuleView:
    if name in _run.modules:
        return _ModuleView(name, _run.modules[name])
    below = {own.split(".")[name.count(".") + 1]: own for own in _run.modules if own.startswith(name + ".")}
    children = {child: _own_or_real_view(f"{name}.{child}") for child in below}
    real = sys.modules.get(name) if is_allowed_module(name) else None
    return _ModuleView(name, real, children)


def _checked_attribute(owner: Any, name: str) -> Any:
    """Stands for `owner.name` in stubs.

    Raises:
        StubRejectedError: The value is a module, or a function the stub did not write.
        AttributeError: As in Python.
    """
    if name.startswith("__") or name in _BANNED_ATTRIBUTES:
        raise StubRejectedError(f"the attribute `{name}`")
    value = getattr(owner, name)
    if isinstance(value, types.ModuleType):
        raise StubRejectedError(f"the attribute `{name}` is a module")
    if isinstance(owner, _ModuleView) or not isinstance(value, _FUNCTION_TYPES):
        return value
    if _run.owns(value) or any(owner is cls and name in names for cls, names in _HARMLESS_METHODS):
        return value
    if isinstance(owner, property) and name in {"getter", "setter", "deleter"}:
        return value
    if name == "model_rebuild" and isinstance(owner, type) and _run.owns_class(owner):
        return value
    raise StubRejectedError(f"the method `{name}` is not the stub's own")


def _checked_item(owner: Any, index: Any) -> Any:
    """Stands for `owner[index]` in stubs.

    Raises:
        StubRejectedError: The value is a module, or a function the stub did not write.
        KeyError, IndexError, TypeError: As in Python.
    """
    value = owner[index]
    if isinstance(value, types.ModuleType):
        raise StubRejectedError("an item is a module")
    if isinstance(value, _FUNCTION_TYPES) and not _run.owns(value):
        raise StubRejectedError("an item is a function that is not the stub's own")
    return value


def _set_attribute(owner: Any, name: str, value: Any) -> None:
    """Stands for `owner.name = value` in stubs: only what the stub made can be changed."""
    is_class = isinstance(owner, type)
    made_here = _run.owns_class(owner) if is_class else _run.owns(owner) or _run.owns_class(type(owner))
    if not (made_here or (not is_class and _is_own_tool(owner))):
        raise StubRejectedError(f"the attribute `{name}` of something that is not the stub's own is set")
    setattr(owner, name, value)


def _is_own_tool(value: Any) -> bool:
    """A `FunctionTool(f)` of the stub, never one of google-adk's ready-made tools."""
    return _run.owns(getattr(value, "func", None))


def _checked_callee(callee: Any) -> Any:
    """Stands around every callee and decorator of stubs.

    Raises:
        StubRejectedError: Calling it could reach outside the stub.
    """
    target = getattr(callee, "__origin__", callee) if not isinstance(callee, type) else callee
    while hasattr(target, "func") and type(target).__name__ == "partial":
        target = target.func
    if isinstance(target, type):
        if issubclass(target, type) or target in _UNCALLABLE:
            raise StubRejectedError(f"a call of `{target.__name__}`")
    elif isinstance(target, _FUNCTION_TYPES) and not _run.owns(target):
        home = getattr(target, "__module__", None) or ""
        if isinstance(getattr(target, "__self__", None), property):
            return callee
        if isinstance(target, types.BuiltinFunctionType) or home.startswith("google."):
            raise StubRejectedError(f"a call of `{getattr(target, '__name__', '?')}`")
    return callee


def _stub_builtins() -> dict[str, Any]:
    names = {
        name: value
        for name, value in vars(builtins).items()
        if name in _PLAIN_BUILTINS or (isinstance(value, type) and issubclass(value, BaseException))
    }
    names["__build_class__"] = builtins.__build_class__
    names["__import__"] = _stub_import
    names["__lens_attribute__"] = _checked_attribute
    names["__lens_item__"] = _checked_item
    names["__lens_set_attribute__"] = _set_attribute
    names["__lens_callee__"] = _checked_callee
    return names


class _Guard(ast.NodeTransformer):
    """Puts `_checked_attribute`, `_set_attribute` and `_checked_callee` into a verified tree."""

    def __init__(self, *, lazy_annotations: bool) -> None:
        self._lazy = lazy_annotations

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return self._call("__lens_attribute__", node, node.value, ast.Constant(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return self._call("__lens_item__", node, node.value, node.slice)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        node.func = self._call("__lens_callee__", node.func, node.func)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Attribute):
            call = self._call(
                "__lens_set_attribute__", node, target.value, ast.Constant(target.attr), node.value
            )
            return ast.copy_location(ast.Expr(call), node)
        if any(isinstance(one, ast.Attribute) for one in node.targets):
            raise StubRejectedError("an attribute is set together with something else")
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if isinstance(node.target, ast.Attribute):
            raise StubRejectedError("an attribute is set with an annotation")
        return self._but_annotation(node, "annotation")

    def visit_arg(self, node: ast.arg) -> Any:
        return self._but_annotation(node, "annotation")

    def visit_FunctionDef(self, node: Any) -> Any:
        result = self._but_annotation(node, "returns")
        self._guard_decorators(node)
        return result

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast wants

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.generic_visit(node)
        self._guard_decorators(node)
        return node

    def _guard_decorators(self, node: Any) -> None:
        node.decorator_list = [self._call("__lens_callee__", one, one) for one in node.decorator_list]

    def _but_annotation(self, node: Any, field: str) -> Any:
        """With `from __future__ import annotations` the text is kept as the user wrote it."""
        kept = getattr(node, field)
        if self._lazy:
            setattr(node, field, None)
        self.generic_visit(node)
        if self._lazy:
            setattr(node, field, kept)
        return node

    @staticmethod
    def _call(name: str, place: ast.AST, *arguments: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
        return ast.fix_missing_locations(ast.copy_location(call, place))


def _compile_stub(
    source: str, modules: Iterable[str], file: str
) -> tuple[types.CodeType, types.CodeType | None]:
    """Verifies, guards and compiles a stub module; its last statement apart if it constructs the tool.

    Raises:
        StubRejectedError: `verify` found something.
        SyntaxError: The stub needs a newer Python than this one, as the user's module does.
    """
    tree = ast.parse(source)
    problems = verify(source, modules)
    if problems:
        raise StubRejectedError("; ".join(problems[:5]))
    lazy = any(isinstance(one, ast.ImportFrom) and one.module == "__future__" for one in tree.body)
    constructs = bool(tree.body) and _constructs_tool(tree.body[-1])
    guarded = ast.fix_missing_locations(_Guard(lazy_annotations=lazy).visit(tree))
    last = ast.Module([guarded.body.pop()], []) if constructs else None
    with _unguarded():  # for the text of an error Python opens the file
        return (
            compile(guarded, file, "exec", dont_inherit=True),
            None if last is None else compile(last, file, "exec", dont_inherit=True),
        )


def _constructs_tool(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == TOOL_NAME
    )


def _compile_annotation(
    source: Any, filename: str = "<string>", mode: str = "eval", *rest: Any, **more: Any
) -> Any:
    """Stands for `compile` in `typing`: texts of annotations are held to the stub's rules.

    Raises:
        StubRejectedError: The text is no expression of a stub.
        NameError: The text names a built-in that stubs do not have; what Python would find, user code
            cannot mean as a type.
        SyntaxError: As in Python.
    """
    if not _run.active or not isinstance(source, str):
        return compile(source, filename, mode, *rest, **more)
    if mode != "eval":
        raise StubRejectedError(f"text is compiled as {mode}")
    compile(source, filename, "eval", ast.PyCF_ONLY_AST)
    problems = verify_expression(source, _BANNED_BUILTINS)
    if problems:
        raise StubRejectedError(problems[0])
    tree = ast.parse(source.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in _BANNED_BUILTINS and not _run.binds(node.id):
            raise NameError(f"name {node.id!r} is not defined")
    guarded = ast.fix_missing_locations(_Guard(lazy_annotations=False).visit(tree))
    return compile(guarded, filename, "eval", dont_inherit=True)


def _eval_annotation(source: Any, *namespaces: Any, **named: Any) -> Any:
    """Stands for `eval` in the modules that read annotations themselves."""
    code = _compile_annotation(source) if isinstance(source, str) else source
    return eval(code, *namespaces, **named)  # noqa: S307 - verified


def _evaluate_as_stub() -> None:
    """Makes typing, inspect and typing_extensions read texts of annotations through wall 2."""
    import inspect
    import typing

    for module in (typing, inspect, sys.modules.get("typing_extensions")):
        if module is not None:
            vars(module)["compile"] = _compile_annotation
            vars(module)["eval"] = _eval_annotation
    # A text is evaluated with real built-ins where a library passes no name space of its own.
    for name in ("__lens_attribute__", "__lens_callee__", "__lens_item__"):
        setattr(builtins, name, _stub_builtins()[name])


# --- wall 3: the audit hook ---------------------------------------------------------------------

_DENIED_EVENTS = (
    "ctypes.", "fcntl.", "ftplib.", "http.client", "imaplib.", "msvcrt.", "nntplib.", "os.add_dll",
    "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.exec", "os.fork", "os.kill", "os.link",
    "os.listxattr", "os.lockf", "os.mkdir", "os.posix_spawn", "os.remove", "os.removexattr",
    "os.rename", "os.rmdir", "os.setxattr", "os.spawn", "os.startfile", "os.symlink", "os.system",
    "os.truncate",
    "os.utime", "pickle.", "poplib.", "pty.", "shutil.", "signal.", "smtplib.", "socket.",
    "sqlite3.", "subprocess.", "syslog.", "telnetlib.", "tempfile.", "urllib.", "webbrowser.", "winreg.",
    "_winapi.", "code.__new__", "sys.settrace", "sys.setprofile", "gc.", "cpython.run_",
)  # fmt: skip
# Those that write code themselves; `ast` (and this file) only when they parse.
_CODE_WRITERS = frozenset({"ast", "collections", "dataclasses", "attr._make", __name__})


def _audit(event: str, arguments: Any) -> None:
    if not _run.active:
        return
    if event == "open":
        if not (_is_library_source(arguments) or _is_importing()):
            raise _denied(f"a stub may not open {arguments[0]!r}")
    elif event == "compile":
        _audit_compile(arguments[0])
    elif event.startswith(_DENIED_EVENTS) and not _is_importing():
        raise _denied(f"a stub may not do this: {event}")


def _denied(what: str) -> PermissionError:
    _run.denials.append(what)
    return PermissionError(what)


def _is_library_source(arguments: Any) -> bool:
    """Whether `inspect` reads the text of an installed module, which no stub can get hold of."""
    path, mode, flags = arguments
    reads = mode in {"r", "rb"} or (mode is None and not flags & (os.O_WRONLY | os.O_RDWR))
    return (
        reads
        and isinstance(path, str)
        and path.endswith(".py")
        and path.startswith((sys.prefix, sys.base_prefix))
    )


def _audit_compile(source: Any) -> None:
    """Text that is compiled while a stub runs is the standard library's own or a verified expression."""
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    if not isinstance(text, str):
        return
    caller = sys._getframe(2).f_globals.get("__name__")
    if caller in _CODE_WRITERS or _is_importing():
        return
    problems = verify_expression(text)
    if problems:
        raise StubRejectedError(problems[0])


def _is_importing() -> bool:
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def _guarded() -> Iterator[None]:
    _run.active = True
    try:
        yield
    finally:
        _run.active = False


@contextlib.contextmanager
def _unguarded() -> Iterator[None]:
    before, _run.active = _run.active, False
    try:
        yield
    finally:
        _run.active = before


# --- asking google-adk --------------------------------------------------------------------------

_PROTECTED_ROOTS = frozenset({"google", "pydantic", "pydantic_core", "litellm", "anthropic", "openai", "mcp"})
_ENTERPRISE = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE")
_INSTALL = {
    "litellm": "the openai form needs the package litellm in this environment: pip install litellm",
    "anthropic": "the anthropic form needs the package anthropic in this environment: pip install anthropic",
}


def _module_name(name: str) -> str:
    """The name to register a stub module under: never one that something else owns.

    It is kept whenever possible, because pydantic shows it where two classes have the same name.
    """
    root = name.partition(".")[0]
    taken = name in sys.modules or root in sys.modules
    if taken or root in _PROTECTED_ROOTS or root in sys.stdlib_module_names:
        return name + "_"
    return name


@contextlib.contextmanager
def _stub_modules(modules: list[dict[str, str]]) -> Iterator[list[tuple[types.ModuleType, str]]]:
    """Registers empty modules for the stub and takes them away again, whatever happens.

    A name that comes again goes on with its module: parts of modules that import one another.
    """
    made: list[tuple[types.ModuleType, str]] = []
    by_name: dict[str, types.ModuleType] = {}
    try:
        for spec in modules:
            module = by_name.get(spec["name"]) or types.ModuleType(_module_name(spec["name"]))
            by_name[spec["name"]] = module
            made.append((module, spec["source"]))
            sys.modules[module.__name__] = module
        yield made
    finally:
        for module in by_name.values():
            if sys.modules.get(module.__name__) is module:
                del sys.modules[module.__name__]
            linecache.cache.pop(vars(module).get("__file__", ""), None)
            vars(module).clear()
        _run.modules.clear()
        _run.denials.clear()


@contextlib.contextmanager
def _backend(backend: str) -> Iterator[None]:
    """Makes google-adk believe in the back end (`utils/variant_utils.get_google_llm_variant`)."""
    before = {name: os.environ.get(name) for name in _ENTERPRISE}
    for name in _ENTERPRISE:
        os.environ[name] = "1" if backend == "vertex" else "0"
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Collector(logging.Handler):
    """Keeps what is logged at WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}"[:2000])


@contextlib.contextmanager
def _collected_logs() -> Iterator[list[str]]:
    collector = _Collector()
    root = logging.getLogger()
    root.addHandler(collector)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for quiet in (
            DeprecationWarning,
            PendingDeprecationWarning,
            ResourceWarning,
            ImportWarning,
        ):
            warnings.simplefilter("ignore", quiet)
        try:
            yield collector.lines
        finally:
            root.removeHandler(collector)
            for warning in caught:
                if str(warning.message).startswith("[EXPERIMENTAL]"):
                    continue  # says something about the process, once, and nothing about the tool
                collector.lines.append(f"WARN {warning.category.__name__}: {warning.message}"[:2000])


class _Failed(Exception):  # noqa: N818 - it says where, not what
    """Where the work ended, and why."""

    def __init__(self, stage: str, cause: BaseException) -> None:
        super().__init__(stage)
        if _run.denials and not isinstance(cause, StubRejectedError):
            # What came after a denial is not what google-adk would have done.
            stage, cause = "stub", StubRejectedError("; ".join(_run.denials[:5]))
        self.stage = stage
        self.cause = cause
        self.renamed = {
            module.__name__: name for name, module in _run.modules.items() if module.__name__ != name
        }


@contextlib.contextmanager
def _stage(stage: str) -> Iterator[None]:
    try:
        yield
    except _Failed:
        raise
    except BaseException as error:
        raise _Failed(stage, error) from error


def _declare(request: dict[str, Any]) -> dict[str, Any]:
    """Answers one `declare` request."""
    provider = request.get("provider", "adk")
    try:
        converter = _converter(provider)
        with _backend(request.get("backend", "gemini")), _collected_logs() as logs:
            declared = _run_stub(request["modules"], converter)
    except _Failed as failed:
        return {"refused": _refusal(failed)}
    return {"declared": {**declared, "logs": logs}}


def _run_stub(modules: list[dict[str, str]], converter: Callable[[Any], Any] | None) -> dict[str, Any]:
    with _stub_modules(modules) as made, _guarded():
        with _stage("stub"):
            module, construction = _execute(modules, made)
        with _stage("construct"):
            tool = _as_tool(_tool_of(module, construction))
        with _stage("declare"):
            declaration = tool._get_declaration()
            shown = None if declaration is None else declaration.model_dump(exclude_none=True, mode="json")
        with _stage("convert"):
            form = converter(declaration) if converter and declaration is not None else None
        if _run.denials:
            raise _Failed("stub", StubRejectedError("; ".join(_run.denials[:5])))
        return {
            "tool_class": type(tool).__name__,
            "name": str(tool.name),
            "declaration": shown,
            "provider_form": form,
        }


def _execute(
    modules: list[dict[str, str]], made: list[tuple[types.ModuleType, str]]
) -> tuple[types.ModuleType, types.CodeType | None]:
    """Runs the stub; returns its last module, and its last statement if that constructs the tool."""
    last: tuple[types.ModuleType, types.CodeType | None] | None = None
    for spec, (module, source) in zip(modules, made, strict=True):
        file = f"<{module.__name__} as read by adk-tool-lens>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        code, construction = _compile_stub(source, list(_run.modules), file)
        vars(module)["__builtins__"] = _stub_builtins()
        vars(module)["__file__"] = file
        _run.modules[spec["name"]] = module
        exec(code, vars(module))
        last = module, construction
    if last is None:
        raise StubRejectedError("the stub has no module")
    return last


def _tool_of(module: types.ModuleType, construction: types.CodeType | None) -> Any:
    if construction is not None:
        exec(construction, vars(module))
    if TOOL_NAME not in vars(module):
        raise StubRejectedError(f"the stub does not bind {TOOL_NAME}")
    return vars(module)[TOOL_NAME]


def _as_tool(value: Any) -> Any:
    """What `LlmAgent(tools=[value])` makes of the value.

    Source: `agents/llm_agent.py`, `_convert_tool_union_to_tools`. What is neither a tool nor callable is
    given to an agent, for its own error.
    """
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.function_tool import FunctionTool

    node = _wrapped_node(value)
    if node is not None:
        return node
    if isinstance(value, BaseTool):
        return value
    if callable(value):
        return FunctionTool(func=value)
    from google.adk.agents.llm_agent import LlmAgent

    LlmAgent(name="agent", tools=[value])
    raise TypeError(
        f"a {type(value).__name__} is a set of tools or no tool: it has no declaration of its own"
    )


def _wrapped_node(value: Any) -> Any:
    """Workflow nodes are tools too since google-adk 2.10."""
    module: Any = sys.modules.get("google.adk.agents.llm_agent")
    base, wrap = getattr(module, "BaseNode", None), getattr(module, "_wrap_base_node_as_tool", None)
    return wrap(value) if base is not None and wrap is not None and isinstance(value, base) else None


def _converter(provider: str) -> Callable[[Any], Any] | None:
    """The function of the libraries that puts a declaration into the provider's form.

    Raises:
        _Failed: A package is missing or the library has no such function.
    """
    with _stage("convert"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if provider == "gemini":
            return _gemini_form
        if provider == "openai":
            _require("litellm")
            from google.adk.models.lite_llm import _function_declaration_to_tool_param

            return _json_of(_function_declaration_to_tool_param)
        if provider == "anthropic":
            _require("anthropic")
            from google.adk.models.anthropic_llm import function_declaration_to_tool_param

            return _json_of(function_declaration_to_tool_param)
    return None


def _require(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(_INSTALL[package])


def _json_of(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def converted(declaration: Any) -> Any:
        return json.loads(json.dumps(convert(declaration), default=_plain))

    return converted


def _plain(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(exclude_none=True, mode="json") if dump else getattr(value, "value", str(value))


def _gemini_form(declaration: Any) -> Any:
    """The declaration as google-genai puts it into the request: `models._Tool_to_mldev` or `_to_vertex`."""
    from google.genai import models
    from google.genai import types as genai_types

    plain = declaration.model_dump(exclude_none=True, mode="json", by_alias=True)
    name = "_Tool_to_vertex" if os.environ.get(_ENTERPRISE[0]) == "1" else "_Tool_to_mldev"
    transform = getattr(models, name, None)
    if transform is None:
        return plain
    sent = _call_transform(transform, genai_types.Tool(function_declarations=[declaration]))
    items = sent.get("functionDeclarations") if isinstance(sent, dict) else None
    if not items:
        return plain
    item = items[0]
    return plain if hasattr(item, "model_dump") else json.loads(json.dumps(item, default=_plain))


def _call_transform(transform: Callable[..., Any], tool: Any) -> Any:
    """google-genai before 1.20 wanted its API client first."""
    try:
        return transform(tool)
    except TypeError:
        return transform(None, tool)


def _refusal(failed: _Failed) -> dict[str, str]:
    cause = failed.cause
    try:
        message = str(cause)
    except BaseException:
        message = ""
    for registered, name in failed.renamed.items():
        message = message.replace(registered + ".", name + ".")
    return {"stage": failed.stage, "type": type(cause).__name__, "message": message[:20_000]}


# --- the process --------------------------------------------------------------------------------

_ready = False


def _warm() -> str | None:
    """Imports google-adk once; returns why it cannot be used, or None."""
    global _ready  # noqa: PLW0603 - one process, one state
    if _ready:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import google.adk.agents.llm_agent
            import google.adk.tools.base_tool
            import google.adk.tools.function_tool  # noqa: F401 - it is enough to have it imported
    except BaseException as error:
        return f"google-adk cannot be imported in {sys.executable}: {type(error).__name__}: {error}"
    _declare_once()
    _evaluate_as_stub()
    sys.addaudithook(_audit)
    _limit_memory()
    gc.collect()
    gc.freeze()
    _ready = True
    return None


def _declare_once() -> None:
    """Gets over what google-adk does and warns of only the first time, whatever the tool."""

    def first(text: str = "") -> str:
        """Nothing."""
        return text

    for backend in ("gemini", "vertex"):
        with contextlib.suppress(Exception), _backend(backend), _collected_logs():
            _as_tool(first)._get_declaration()


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except Exception:
        return None


def _site_of(package: str) -> str | None:
    from importlib import metadata

    try:
        return str(metadata.distribution(package).locate_file(""))
    except Exception:
        return None


def _hello() -> dict[str, Any]:
    python = platform.python_version()
    hello: dict[str, Any] = {
        "protocol": PROTOCOL,
        "python": python,
        "adk": None,
        "genai": None,
        "pydantic": None,
    }
    here = f"{sys.executable} (Python {python})"
    if sys.version_info < OLDEST_PYTHON:
        hello["problem"] = (
            f"{here} is too old: google-adk needs Python 3.10 or newer; choose another interpreter"
        )
        return hello
    hello.update(adk=_version("google-adk"), genai=_version("google-genai"), pydantic=_version("pydantic"))
    hello["site"] = _site_of("google-adk")
    if hello["adk"] is None:
        import sysconfig

        hello["site"] = sysconfig.get_paths()["purelib"]
        hello["problem"] = (
            f"google-adk is not installed in {here}: install it there (pip install google-adk) "
            "or choose another interpreter"
        )
    return hello


def _limit(name: str, amount: int) -> None:
    try:
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            amount = min(amount, hard)
        resource.setrlimit(kind, (amount, hard))
    except (ImportError, AttributeError, ValueError, OSError):
        return


def _limit_memory() -> None:
    _limit("RLIMIT_DATA", 2 << 30)
    _limit("RLIMIT_AS", 8 << 30)


def _limit_cpu(seconds: int) -> None:
    used = sum(os.times()[:2])
    _limit("RLIMIT_CPU", int(used) + seconds)


def _choose_bytecode(prefix: str | None) -> None:
    """Writes nothing into the project's environment: its own bytecode is used if it is there."""
    sys.dont_write_bytecode = True
    if prefix is None:
        return
    site = _site_of("google-adk")
    if site is None:
        return
    probe = Path(site, "google", "adk", "agents", "llm_agent.py")
    if not Path(importlib.util.cache_from_source(str(probe))).exists():
        sys.pycache_prefix = prefix
        sys.dont_write_bytecode = False


def _answer(line: bytes) -> dict[str, Any]:
    request = json.loads(line)
    op, answer = request.get("op"), {"id": request.get("id")}
    if op == "ping":
        return {**answer, "pong": True}
    problem = _warm()
    if problem is not None:
        return {**answer, "unavailable": problem}
    if op == "warm":
        return {**answer, "warmed": True}
    if op == "declare":
        _limit_cpu(60)
        return {**answer, **_declare(request), "memory": _memory()}
    return {**answer, "unavailable": f"the worker knows no operation {op!r}"}


def _forget(count: int) -> None:
    """Drops what libraries keep of a stub's classes, so that memory stays bounded."""
    import typing

    for clear in getattr(typing, "_cleanups", ()):
        clear()
    function_tool: Any = sys.modules.get("google.adk.tools.function_tool")
    clear = getattr(getattr(function_tool, "_build_declaration_cached", None), "cache_clear", None)
    if clear is not None:
        clear()
    if count % 16 == 0:
        gc.collect()


def _safe_answer(line: bytes) -> dict[str, Any]:
    try:
        return _answer(line)
    except BaseException as error:
        _run.active = False
        identity = None
        with contextlib.suppress(Exception):
            identity = json.loads(line).get("id")
        return {
            "id": identity,
            "unavailable": f"the worker failed: {type(error).__name__}: {error}",
        }


def _memory() -> int | None:
    """Bytes that this process takes: now on Linux, at most so far elsewhere; None where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    try:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    except (ImportError, AttributeError, OSError):
        return None
    return most if sys.platform == "darwin" else most * 1024


def main(arguments: list[str]) -> None:
    """Speaks the protocol on the standard streams until the input ends."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n")
        answers.flush()

    say({"hello": _hello()})
    _choose_bytecode(arguments[0] if arguments else None)
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_FSIZE", 8 << 20)
    for count, line in enumerate(requests, 1):
        say(_safe_answer(line))
        _forget(count)


if __name__ == "__main__":
    main(sys.argv[1:])
