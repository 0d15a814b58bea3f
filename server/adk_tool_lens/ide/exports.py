"""What `from library import *` binds, for the libraries that stubs may import and that are not read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name, is_listed
from adk_tool_lens.discovery.module import Binding, Module


def exports(library: str, source: Module | None, name: str) -> bool:
    """Whether a star import of a library binds a name.

    Args:
        library: The absolute name of the module.
        source: Its text, when it is at hand; of the standard library the names are known without.
        name: The name.
    """
    if name.startswith("_") or not is_allowed_module(library):
        return False
    if is_listed(library):
        return is_allowed_name(library, name)
    if source is None:
        return False
    listed = list(_listed(source))
    return name in listed if listed else bool(source.bindings.look(name))


def _listed(source: Module) -> Iterator[str]:
    """The texts in `__all__ = (...)`."""
    for _, binding in source.bindings.look("__all__"):
        yield from _texts(binding)


def _texts(binding: Binding) -> Iterator[str]:
    if isinstance(binding.value, ast.List | ast.Tuple):
        for element in binding.value.elts:
            if isinstance(element, ast.Constant) and isinstance(element.value, str):
                yield element.value
