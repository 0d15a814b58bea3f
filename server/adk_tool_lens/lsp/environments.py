"""Keeps up with what the interpreters of projects have installed: never waited for, and told once."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from adk_tool_lens.declaration.model import Environment
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide.session import Project

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

LOOK_SECONDS = 5.0
"""How often it is looked whether something was installed, or whether a problem is worth another try."""


class Environments:
    """What has been asked of the interpreters of a server's projects."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._asked: set[int] = set()
        self._looks = False

    def ask(self, project: Project) -> None:
        """Effect: asks on a thread what the project's interpreter has; takes it over when it is known."""
        self._asked.add(id(project))
        threading.Thread(target=self._wait, args=(project,), name="environment", daemon=True).start()
        if not self._looks and self._server.loop is not None:
            self._looks = True
            self._server.loop.call_later(LOOK_SECONDS, self._look)

    def _wait(self, project: Project) -> None:
        environment = project.client.environment()
        self._server.later(partial(self._take, project, environment))

    def _take(self, project: Project, environment: Environment) -> None:
        """Effect: shows what follows from another environment; of the same one nobody is told again."""
        self._asked.discard(id(project))
        is_shown = any(project is each for each in self._server.projects.values())
        if environment == project.environment or not (is_shown or self._is_variant(project)):
            return
        before, project.environment = project.python, environment
        project.failed.clear()
        if project.python != before:
            project.workspace.memo = Memo()
        if not environment.problem:
            project.client.warm()
        if is_shown:
            self._server.environment_came(project)

    def _is_variant(self, project: Project) -> bool:
        return any(project is each for each in self._server.variants.values())

    def _look(self) -> None:
        """Effect: asks again where an installation has changed, or where a problem has had its time."""
        server = self._server
        for project in (*server.projects.values(), *server.variants.values()):
            known = project.environment
            if known is not None and id(project) not in self._asked and project.client.known() != known:
                self.ask(project)
        if server.loop is not None and (server.projects or server.variants):
            server.loop.call_later(LOOK_SECONDS, self._look)
        else:
            self._looks = False
