"""Reads which model an agent uses and whose it is."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.evaluate import World, evaluate, keyword
from adk_tool_lens.discovery.texts import text_of
from adk_tool_lens.discovery.values import Called, Const, External, Scope

_MODEL_CLASSES = {
    "Claude": "anthropic",
    "AnthropicLlm": "anthropic",
    "Gemini": "gemini",
    "Gemma": "gemini",
}
_PREFIXES = (
    ("gemini", "gemini"),
    ("gemma", "gemini"),
    ("claude", "anthropic"),
    ("gpt-", "openai"),
    ("chatgpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
)
_ALIASES = {
    "ollama_chat": "ollama",
    "text-completion-openai": "openai",
    "google": "gemini",
    "vertex_ai_beta": "vertex_ai",
}


def model_of(node: ast.expr, scope: Scope, world: World) -> tuple[str | None, str | None]:
    """The name of the model and its provider, each None when it cannot be told."""
    match evaluate(node, scope, world):
        case Const(value=str(name)):
            return name, provider_of(name)
        case Called(callee=External(name=cls), call=call, scope=inner):
            return _model_object(cls.rpartition(".")[2], call, inner, world)
    return None, None


def _model_object(cls: str, call: ast.Call, scope: Scope, world: World) -> tuple[str | None, str | None]:
    """`LiteLlm(model="openai/gpt-4o")`, `Claude(model="claude-...")`, `Gemini(model="gemini-...")`."""
    argument = keyword(call, "model") or (call.args[0] if call.args else None)
    name = None if argument is None else text_of(argument, scope, world)
    if cls == "LiteLlm":
        return name, None if name is None else provider_of(name)
    return name, _MODEL_CLASSES.get(cls)


def provider_of(model: str) -> str | None:
    """Whose model a name means: as google-adk's registry and LiteLLM's `provider/model` have it."""
    prefix, slash, rest = model.partition("/")
    if model.startswith(("projects/", "models/", "publishers/", "endpoints/")):
        return "gemini" if "gemini" in model else None
    if slash and rest:
        return _ALIASES.get(prefix, prefix)
    return next((provider for start, provider in _PREFIXES if model.startswith(start)), None)
