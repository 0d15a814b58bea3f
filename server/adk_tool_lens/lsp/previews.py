"""`adkToolLens/preview` and `adkToolLens/environments`: what the model is told, under any choice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.declaration.model import Backend, Provider, Request
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.forms import own_provider
from adk_tool_lens.ide.preview import Choice, Preview, marks, preview, questions
from adk_tool_lens.ide.session import Project, open_project
from adk_tool_lens.ide.subjects import Subject, key_of, subject_at, subject_named
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document
from adk_tool_lens.project.files import UnreadableError, read
from adk_tool_lens.project.interpreters import environments_near, installed_version

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


@dataclass(frozen=True)
class Asked:
    """A request for a preview, read without trusting its shape."""

    uri: str
    position: Any = None
    subject: str | None = None
    backend: Backend | None = None
    provider: Provider | None = None
    """None leaves it to the agent's model."""
    interpreter: str | None = None
    saved: bool = False
    """Whether the text on disk is to be compared with."""


def read_params(params: Any) -> Asked:
    """The parameters of `adkToolLens/preview`."""
    backend, provider = _word(params, "backend"), _word(params, "provider")
    return Asked(
        str(getattr(getattr(params, "textDocument", None), "uri", "")),
        getattr(params, "position", None),
        _word(params, "subject"),
        Backend(backend) if backend in {each.value for each in Backend} else None,
        Provider(provider) if provider in {each.value for each in Provider} else None,
        _word(params, "interpreter"),
        getattr(params, "saved", None) is True,
    )


def _word(params: Any, name: str) -> str | None:
    value = getattr(params, name, None)
    return value if isinstance(value, str) and value else None


# ---------------------------------------------------------------- the preview


async def previewed(server: Server, params: Any) -> dict[str, Any] | None:
    """The answer to `adkToolLens/preview`; None where there is neither a tool nor an agent."""
    asked = read_params(params)
    found = server.analysis(asked.uri)
    if found is None:
        return None
    document, analysis = found
    subject = _subject(server, document, analysis, asked)
    if subject is None:
        return None
    key = key_of(analysis, subject)
    project = await _project(server, server.project_of(asked.uri), asked)
    choice = Choice(
        asked.backend or analysis.facts.backend, asked.provider or own_provider(analysis, subject)
    )
    now = await _made(project, _read_by(project, analysis), key, choice)
    if now is not None and now.missing is not None and asked.provider is None:
        missing, choice = now.missing, replace(choice, provider=Provider.ADK)
        now = await _made(project, _read_by(project, analysis), key, choice)
        now = None if now is None else replace(now, notes=(*now.notes, missing))
    if now is None:
        return None
    before = await _saved(project, analysis, key, choice) if asked.saved else None
    return _answer(now, before)


def _subject(server: Server, document: Document, analysis: Analysis, asked: Asked) -> Subject | None:
    if asked.subject is not None:
        return subject_named(analysis, asked.subject)
    if asked.position is None:
        return None
    return subject_at(analysis, convert.offset_of(document.source, asked.position, server.encoding))


async def _made(project: Project, analysis: Analysis, key: str, choice: Choice) -> Preview | None:
    subject = subject_named(analysis, key)
    if subject is None:
        return None
    asked = questions(analysis, subject, choice)
    answers = await asyncio.gather(*(asyncio.wrap_future(project.client.submit(each)) for each in asked))
    return preview(analysis, subject, choice, dict(zip(asked, answers, strict=True)))


def _read_by(project: Project, analysis: Analysis) -> Analysis:
    """The document as a project with another interpreter reads it."""
    if analysis.facts == project.facts_of(analysis.module.path):
        return analysis
    return project.analysed(analysis.module, _unasked)


def _unasked(_request: Request) -> None:
    """No answer: what is previewed is asked for by itself."""


async def _saved(project: Project, analysis: Analysis, key: str, choice: Choice) -> Preview | None:
    """The preview of the text on disk; None when there is no such tool or agent in it."""
    path = analysis.module.path
    if path is None:
        return None
    try:
        module = project.workspace.module_of(read(path).text, path, analysis.module)
    except UnreadableError:
        return None
    world = replace(project.workspace.world(project.python), memo=None)
    return await _made(project, project.analysed(module, _unasked, world), key, choice)


def _answer(now: Preview, before: Preview | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "title": now.title,
        "languageId": now.language,
        "text": now.text,
        "subject": now.subject,
        "notes": list(now.notes),
        "tokens": now.tokens,
        "json": now.json,
        "detail": now.detail,
        "backend": now.choice.backend.value,
        "provider": now.choice.provider.value,
    }
    if before is not None:
        difference = marks(before.text, now.text)
        found["saved"] = before.text
        found["changedLines"] = list(difference.changed)
        found["removedBefore"] = list(difference.removed)
    return found


# ---------------------------------------------------------------- other environments


async def _project(server: Server, own: Project, asked: Asked) -> Project:
    """The project whose google-adk is asked: the document's own, or one with another interpreter."""
    other = asked.interpreter
    project = own
    if other is not None and other != own.interpreter.path and server.options.trusted:
        project = _variant(server, own, other)
    if project.environment is None:
        loop = asyncio.get_running_loop()
        project.environment = await loop.run_in_executor(None, project.client.environment)
    return project


def _variant(server: Server, own: Project, interpreter: str) -> Project:
    """The same folder with another interpreter; its worker is started when it is first asked."""
    key = (own.folder, interpreter)
    project = server.variants.get(key)
    if project is None:
        project = server.variants[key] = open_project(
            own.folder,
            explicit=interpreter,
            backend=own.backend if own.backend_is_chosen else None,
            cache_dir=default_cache_dir(),
            settings=own.configuration,
        )
    project.workspace.overlays = own.workspace.overlays
    project.index = own.index
    return project


def environments(server: Server, params: Any) -> list[dict[str, Any]]:
    """The answer to `adkToolLens/environments`: interpreters that have a google-adk, the one in use first.

    Nothing is started to find out; in an untrusted workspace there is only the one in use.
    """
    uri = str(getattr(getattr(params, "textDocument", None), "uri", ""))
    own = server.project_for(server.path_of(uri))
    paths = [own.interpreter.path]
    if server.options.trusted:
        paths += _candidates(server, own, params)
    rows = [(path, installed_version(path, "google-adk")) for path in dict.fromkeys(paths)]
    return [
        {"interpreter": path, "adkVersion": version, "inUse": path == own.interpreter.path}
        for path, version in rows
        if version is not None
    ]


def _candidates(server: Server, own: Project, params: Any) -> Iterator[str]:
    yield from (project.interpreter.path for project in server.projects.values())
    folders = [project.folder for project in (own, *server.projects.values())]
    for folder in folders:
        yield from environments_near(folder) if folder is not None else ()
    given = getattr(params, "candidates", None)
    for path in given if isinstance(given, list | tuple) else ():
        if isinstance(path, str) and Path(path).is_file():
            yield path
