"""How google-adk calls callbacks: an agent's by keyword, with names of its own for the methods of plugins.

Read from `flows/llm_flows`, `agents/base_agent.py` and `plugins/plugin_manager.py`, and run (1.39.1,
2.9.0, 2.13.0).
"""

from __future__ import annotations

from adk_tool_lens.discovery.model import Callback
from adk_tool_lens.rules._versions import at_least
from adk_tool_lens.rules.model import CallbacksView

_TOOL = ("tool", "args", "tool_context")
_MODEL = {
    "before_model_callback": ("callback_context", "llm_request"),
    "after_model_callback": ("callback_context", "llm_response"),
    "on_model_error_callback": ("callback_context", "llm_request", "error"),
}
AGENT = {
    "before_tool_callback": _TOOL,
    "after_tool_callback": (*_TOOL, "tool_response"),
    "on_tool_error_callback": (*_TOOL, "error"),
    "before_agent_callback": ("callback_context",),
    "after_agent_callback": ("callback_context",),
    **_MODEL,
}
"""What an agent's callback is passed by keyword, in the order of the fall-back by position (from 2.9 on)."""
_IN_PLUGIN = ("tool", "tool_args", "tool_context")
PLUGIN = {
    "on_user_message_callback": ("invocation_context", "user_message"),
    "before_run_callback": ("invocation_context",),
    "after_run_callback": ("invocation_context",),
    "on_event_callback": ("invocation_context", "event"),
    "before_agent_callback": ("agent", "callback_context"),
    "after_agent_callback": ("agent", "callback_context"),
    "before_tool_callback": _IN_PLUGIN,
    "after_tool_callback": (*_IN_PLUGIN, "result"),
    "on_tool_error_callback": (*_IN_PLUGIN, "error"),
    **_MODEL,
}
"""What a plugin's method is passed, by keyword in every version."""
NOTIFIED = {
    "on_agent_error_callback": ("agent", "callback_context", "error"),
    "on_run_error_callback": ("invocation_context", "error"),
}
"""Methods of a plugin that 2.9 does not call and 2.13 does; an error in one is only logged."""
_NOTIFIES = "2.13"


def given(view: CallbacksView, callback: Callback) -> tuple[str, ...] | None:
    """The names of what google-adk passes; None for what it does not call."""
    if not view.in_plugin:
        return AGENT.get(callback.kind)
    if callback.kind in NOTIFIED and at_least(view.facts.adk, _NOTIFIES):
        return NOTIFIED[callback.kind]
    return PLUGIN.get(callback.kind)
