"""An agent is given a keyword that its class does not have.

## What it does
Reports a keyword argument of `Agent`, `LlmAgent`, `SequentialAgent`, `ParallelAgent` or `LoopAgent` that is
no field of the class in the project's google-adk: misspelled (`before_tools_callback`), of another class
(`tools` of a `SequentialAgent`) or of the generation config (`temperature`).

## Why it matters
The classes forbid unknown fields, so google-adk raises a ValidationError as soon as the module is imported.
Seen on every version from 1.5 to 2.13; `timeout`, `retry_config` and other fields of nodes came with 2.0.

## What it ignores
Classes of the project, which may have fields of their own; with a google-adk newer than 2.13, every keyword
that is not close to a known one.

## Example
```python
from google.adk.agents import Agent


def guard(tool, args, tool_context):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_tools_callback=guard)
```

## Use instead
```python
from google.adk.agents import Agent


def guard(tool, args, tool_context):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_tool_callback=guard)
```

## Fix
Writes the field that was probably meant. Not safe: it is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from adk_tool_lens.discovery.model import AgentKeyword
from adk_tool_lens.rules._versions import Versions, at_least
from adk_tool_lens.rules.model import AgentView, Finding, Fix, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
DIFFERS = (Versions(below="2.0"),)
_BASE = {"name", "description", "sub_agents", "parent_agent", "before_agent_callback", "after_agent_callback"}
_NODE = {
    *("input_schema", "output_schema", "rerun_on_resume", "retry_config", "state_schema", "timeout"),
    "wait_for_output",
}
"""Fields of every agent from 2.0 on."""
_LLM = {
    *("model", "instruction", "global_instruction", "static_instruction", "tools", "generate_content_config"),
    *("disallow_transfer_to_parent", "disallow_transfer_to_peers", "include_contents", "input_schema"),
    *("output_schema", "output_key", "planner", "code_executor", "before_model_callback"),
    *("after_model_callback", "on_model_error_callback", "before_tool_callback", "after_tool_callback"),
    *("on_tool_error_callback", "examples", "mode", "parallel_worker"),
}
_FIELDS = {
    "Agent": _LLM,
    "LlmAgent": _LLM,
    "SequentialAgent": set[str](),
    "ParallelAgent": set[str](),
    "LoopAgent": {"max_iterations"},
}
"""Fields beside those of `BaseAgent`; the union over 1.5 to 2.13, so that no version is blamed wrongly."""
_LAST_KNOWN = "2.14"
_CONFIG = {
    *("temperature", "top_p", "top_k", "max_output_tokens", "candidate_count", "stop_sequences", "seed"),
    *("safety_settings", "response_mime_type", "thinking_config"),
}
_RENAMED = {"system_instruction": "instruction", "response_schema": "output_schema", "prompt": "instruction"}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    kind = view.agent.kind.rpartition(".")[2]
    if view.agent.own_class or kind not in _FIELDS:
        return
    known = _BASE | _FIELDS[kind] | (_NODE if at_least(view.facts.adk, "2.0") else set())
    for given in view.agent.keywords:
        if given.name in known or given.name.startswith("_") or not given.name.isidentifier():
            continue
        meant = _meant(given, known, kind)
        advice = _advice(given, meant, kind)
        if advice is None:
            if at_least(view.facts.adk, _LAST_KNOWN):
                continue
            advice = "Remove it."
        yield Finding(
            "unknown-agent-keyword",
            SEVERITY,
            f"`{kind}` has no `{given.name}`, so google-adk refuses the agent. {advice}",
            given.place,
            fixes=(Fix("rename-keyword", (given.name, meant)),) if meant else (),
        )


def _meant(given: AgentKeyword, known: set[str], kind: str) -> str | None:
    """The field that was probably meant."""
    if given.name in _LLM or (given.name in _CONFIG and kind in {"Agent", "LlmAgent"}):
        return None
    if _RENAMED.get(given.name) in known:
        return _RENAMED[given.name]
    close = get_close_matches(given.name, known, n=1, cutoff=0.8)
    return close[0] if close else None


def _advice(given: AgentKeyword, meant: str | None, kind: str) -> str | None:
    if given.name in _CONFIG and kind in {"Agent", "LlmAgent"}:
        return f"Pass `generate_content_config=types.GenerateContentConfig({given.name}=...)`."
    if given.name in _LLM:
        return "Only an `LlmAgent` has it: give it to the agents in `sub_agents`."
    if meant is None:
        return None
    return f"Write `{meant}`." if given.name in _RENAMED else f"It is probably meant to be `{meant}`."
