"""The state of one stub while it is written: its frames, and what it only approximates."""

from __future__ import annotations

import ast

from adk_tool_lens.declaration import classes, syntax
from adk_tool_lens.declaration.frames import Approximation, Frame, OpaqueError, order_of
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import DefNode, Module, is_dunder
from adk_tool_lens.discovery.values import Scope


class Writer:
    """Grows the frames of one stub."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.approximations: list[Approximation] = []
        self.modules: dict[Module, Frame] = {}
        self.bare: set[tuple[int, int]] = set()
        """Functions whose decorators have been applied."""
        self.mattering: set[ast.ClassDef] = set()
        """Classes whose attributes something reads through a class that derives from them."""

    def approximate(self, reason: str, scope: Scope | None, node: ast.AST | None) -> None:
        """Notes that a part of the stub is a stand-in."""
        known = scope is not None and scope.block is not None and hasattr(node, "lineno")
        place = scope.place(node) if known and scope is not None and node is not None else None
        self.approximations.append(Approximation(reason, place))

    def module_frame(self, module: Module) -> Frame:
        """The frame of a module, with its `from __future__` import."""
        frame = self.modules.get(module)
        if frame is None:
            frame = self.modules[module] = Frame(Scope(module), names=set(module.bindings))
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
            if is_dunder(shell.name):
                # `__call__` of an object that is a decorator: a stub may not read it by that name.
                shell.name = around.fresh(shell.name.strip("_"))
            frame = Frame(scope, around, shell)
            around.children[key] = frame
            around.add(order_of(scope.module, scope.block, scope.node), shell)
            if isinstance(scope.node, ast.ClassDef):
                classes.begin(self, frame)
        return frame


def _shell(node: DefNode | ast.Lambda) -> DefNode:
    """An empty definition of the same name."""
    match node:
        case ast.Lambda():
            raise OpaqueError("it is made inside a lambda")
        case ast.ClassDef():
            return syntax.class_def(node.name)
    return syntax.function_def(ast.FunctionDef, node.name, syntax.no_arguments())
