"""Finds the plugins that a module defines: classes that derive from google-adk's `BasePlugin`.

A plugin's callbacks are its methods, whatever registers it: `App(plugins=[...])`, `Runner(plugins=[...])`
or a command line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.discovery.effects import PLUGIN_RESPONSES, effects_of
from adk_tool_lens.discovery.evaluate import World, class_member
from adk_tool_lens.discovery.facts import external_bases, known_tool, name_place
from adk_tool_lens.discovery.model import Callback, Plugin
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.values import Bound, Class, Instance, Scope

PLUGIN_CALLBACKS = (
    "on_user_message_callback",
    "before_run_callback",
    "after_run_callback",
    "on_event_callback",
    "before_agent_callback",
    "after_agent_callback",
    "on_agent_error_callback",
    "before_model_callback",
    "after_model_callback",
    "on_model_error_callback",
    "before_tool_callback",
    "after_tool_callback",
    "on_tool_error_callback",
    "on_run_error_callback",
)
"""The methods of google-adk's `plugins.base_plugin.BasePlugin` that are called back (1.39 to 2.13)."""


def plugins(module: Module, world: World) -> Iterator[Plugin]:
    """The plugins among a module's classes, in the order they are written."""
    for block in module.blocks:
        if "class" not in block.text or "_callback" not in block.text or block.tree is None:
            continue
        for node in _classes(block.tree.body):
            cls = Class(node, Scope(module, block))
            if _is_plugin(cls, world):
                yield Plugin(node.name, name_place(node, cls.scope), tuple(_callbacks(cls, world)))


def _classes(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    """The classes that running the module makes; those of a function are made anew with each call."""
    for statement in body:
        match statement:
            case ast.ClassDef():
                yield statement
            case ast.If(body=inner, orelse=rest) | ast.Try(body=inner, orelse=rest):
                yield from _classes([*inner, *rest])


def _is_plugin(cls: Class, world: World) -> bool:
    """Whether a class derives from `BasePlugin`, or from a plugin that google-adk brings."""
    return bool(cls.node.bases) and any(
        name.startswith("google.adk") and name.endswith("Plugin") for name in external_bases(cls, world)
    )


def _callbacks(cls: Class, world: World) -> Iterator[Callback]:
    """The callbacks that the class itself defines; those of its bases belong to them."""
    receiver = Instance(cls, None, cls.scope)
    defined = {
        part.name for part in cls.node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for kind in PLUGIN_CALLBACKS:
        method = class_member(cls, kind, world, receiver) if kind in defined else None
        if not isinstance(method, Bound):
            continue
        tool = known_tool(method, world)
        if tool is not None:
            yield Callback(kind, tool.place, tool, effects_of(method, kind, PLUGIN_RESPONSES))
