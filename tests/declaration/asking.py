"""Builds requests from a few lines of stub."""

from __future__ import annotations

from textwrap import dedent

from adk_tool_lens.declaration.model import Backend, Provider, Request, Stub, StubModule


def ask(
    source: str,
    tool: str = "f",
    *,
    backend: Backend = Backend.GEMINI,
    provider: Provider = Provider.ADK,
    module: str = "tools",
    before: tuple[StubModule, ...] = (),
) -> Request:
    """A request for `tool`, an expression, after `source` has run."""
    text = f"{dedent(source)}\n__lens_tool__ = {tool}\n"
    return Request(Stub((*before, StubModule(module, text))), backend, provider)
