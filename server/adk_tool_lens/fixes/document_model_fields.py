"""Copies the descriptions of a pydantic model's fields into the docstring's entry of its parameter.

They are copied, not moved: other code may use the model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.discovery.evaluate import bases
from adk_tool_lens.discovery.facts import external_bases, external_name
from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.discovery.values import Class, Const, Scope
from adk_tool_lens.discovery.world import evaluate
from adk_tool_lens.fixes.docstring_text import entries
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.nodes import exactly, scope_at

GROUPED = True
_MODEL = "pydantic.BaseModel"
_FIELDS = {"pydantic.Field", "pydantic.fields.Field"}


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when there is nothing to copy."""
    texts = {p.name: text for p in case.parameters() if (text := _text(case, p))}
    edits = entries(case, texts) if texts else None
    if not edits:
        return None
    names = list(texts)
    of = f"'{names[0]}'" if len(names) == 1 else f"{len(names)} models"
    return Repair(f"Copy descriptions of the fields of {of} to docstring Args", edits)


def _text(case: Case, parameter: Parameter) -> str:
    model = _model(case, parameter)
    if model is None:
        return ""
    said = dict(_descriptions(model, case))
    parts = [f"`{name}` ({text.rstrip('. ')})" for name, text in said.items()]
    return f"Has {', '.join(parts)}." if parts else ""


def _model(case: Case, parameter: Parameter) -> Class | None:
    """The one pydantic model in an annotation."""
    annotation = parameter.annotation
    module = case.module_of(annotation.place) if annotation is not None else None
    if annotation is None or module is None:
        return None
    node = exactly(annotation.place, ast.expr)
    scope = scope_at(module, annotation.place)
    found = [value for part in _names(node) if isinstance(value := evaluate(part, scope, case.world), Class)]
    models = [cls for cls in found if _MODEL in external_bases(cls, case.world)]
    return models[0] if len(models) == 1 else None


def _names(node: ast.AST | None) -> Iterator[ast.expr]:
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name | ast.Attribute):
            yield part


def _descriptions(model: Class, case: Case) -> Iterator[tuple[str, str]]:
    """The fields that have a description, those of base classes first."""
    for cls in reversed(list(bases(model, case.world))):
        if not isinstance(cls, Class):
            continue
        scope = Scope(cls.scope.module, cls.scope.block, cls.node, None)
        for statement in cls.node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                    parts = (value, *_metadata(annotation))
                    texts = (_description(part, scope, case) for part in parts)
                    text = next((text for text in texts if text), "")
                    if text:
                        yield name, " ".join(text.split())


def _metadata(annotation: ast.expr) -> list[ast.expr]:
    match annotation:
        case ast.Subscript(slice=ast.Tuple(elts=[_, *rest])):
            return rest
    return []


def _description(node: ast.expr | None, scope: Scope, case: Case) -> str:
    if not isinstance(node, ast.Call) or external_name(node.func, scope, case.world) not in _FIELDS:
        return ""
    value = next((k.value for k in node.keywords if k.arg == "description"), None)
    known = evaluate(value, scope, case.world) if value is not None else None
    return known.value if isinstance(known, Const) and isinstance(known.value, str) else ""
