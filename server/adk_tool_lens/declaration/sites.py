"""Where something of the source is read, and where its copy goes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adk_tool_lens.declaration.frames import Frame
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.values import Scope, Value

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


@dataclass(frozen=True)
class Site:
    """Where something of the source is read, and the frame that gets the copy."""

    w: Writer
    frame: Frame
    scope: Scope
    """What names mean there: a module's scope with a block reads names as they are when the block runs."""
    texts: Frame
    """The frame that quoted annotations are read in."""
    own: frozenset[str] = frozenset()
    """Type parameters (PEP 695) that are bound there."""

    @classmethod
    def of(cls, w: Writer, frame: Frame, scope: Scope | None = None) -> Site:
        """A site in a frame; without a scope, names mean what they do when everything has run."""
        return cls(w, frame, scope or frame.scope, frame.module)

    @property
    def late(self) -> Site:
        """Where quoted annotations are read: when everything has run."""
        return replace(self, frame=self.texts, scope=self.texts.scope)

    def value(self, node: ast.expr) -> Value:
        """What an expression stands for."""
        return evaluate(node, self.scope, self.w.world)

    def approximate(self, reason: str, node: ast.AST) -> None:
        """Notes that a part of the stub is a stand-in."""
        self.w.approximate(reason, self.scope, node)
