"""What google-adk makes of the arguments that the model sends, before it calls the function."""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter, Tool, TypeKind, TypeTree


def is_made_by_1(tool: Tool, parameter: Parameter) -> bool:
    """Whether 1.x makes a model of the argument: for `Model` and `Optional[Model]` that are no texts.

    It looks at the annotation as Python keeps it: `Model | None`, `list[Model]` and, with `from __future__
    import annotations`, any other are left alone.
    """
    types = [] if parameter.type is None else list(parameter.type.alternatives)
    written = parameter.annotation.text if parameter.annotation is not None else ""
    return (
        len(types) == 1
        and types[0].kind is TypeKind.MODEL
        and not ("|" in written or written.startswith(("'", '"')) or tool.annotations_are_texts)
    )


def models(tree: TypeTree) -> Iterator[TypeTree]:
    """The models that 2.x makes: the argument itself, or the elements of a list."""
    for one in tree.alternatives:
        inner = one.arguments[:1] if one.name == "builtins.list" else ()
        yield from (each for each in (one, *inner) if each.kind is TypeKind.MODEL)
