"""Names that the server and its clients agree on beyond LSP's own."""

from lsprotocol import types

SOURCE = "adk-tool-lens"
"""The source of every diagnostic."""
FIX_ALL = "source.fixAll.adk-tool-lens"
REWRITE = types.CodeActionKind.RefactorRewrite.value
QUICK_FIX = types.CodeActionKind.QuickFix.value
KINDS = (QUICK_FIX, REWRITE, FIX_ALL)
"""The kinds of code action that are offered."""
FIX_WORKSPACE = "adkToolLens.fixWorkspace"
"""The command that repairs all files."""
PREVIEW = "adkToolLens/preview"
ENVIRONMENTS = "adkToolLens/environments"
AGENTS = "adkToolLens/agents"
AGENT_TOOLS = "adkToolLens/agentTools"
AGENTS_CHANGED = "adkToolLens/agentsChanged"
STATUS = "adkToolLens/status"
SHOW_PREVIEW = "adkToolLens.showPreview"
"""The client's command that a lens calls, with the document's URI and the key of a tool or agent."""
