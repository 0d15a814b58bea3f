"""Names of the standard library that came after Python 3.10, for `try: from enum import StrEnum`."""

from __future__ import annotations

SINCE: dict[str, tuple[int, int]] = {
    "datetime.UTC": (3, 11),
    "enum.EnumCheck": (3, 11),
    "enum.FlagBoundary": (3, 11),
    "enum.ReprEnum": (3, 11),
    "enum.StrEnum": (3, 11),
    "enum.global_enum": (3, 11),
    "enum.member": (3, 11),
    "enum.nonmember": (3, 11),
    "enum.verify": (3, 11),
    "asyncio.TaskGroup": (3, 11),
    "asyncio.timeout": (3, 11),
    "http.HTTPMethod": (3, 11),
    "tomllib": (3, 11),
    "typing.LiteralString": (3, 11),
    "typing.Never": (3, 11),
    "typing.NotRequired": (3, 11),
    "typing.Required": (3, 11),
    "typing.Self": (3, 11),
    "typing.TypeVarTuple": (3, 11),
    "typing.Unpack": (3, 11),
    "typing.assert_never": (3, 11),
    "typing.assert_type": (3, 11),
    "typing.dataclass_transform": (3, 11),
    "typing.reveal_type": (3, 11),
    "collections.abc.Buffer": (3, 12),
    "itertools.batched": (3, 12),
    "typing.TypeAliasType": (3, 12),
    "typing.override": (3, 12),
    "copy.replace": (3, 13),
    "typing.NoDefault": (3, 13),
    "typing.ReadOnly": (3, 13),
    "typing.TypeIs": (3, 13),
    "warnings.deprecated": (3, 13),
}
"""By full name, the first version that has it (from the library's own "Added in version")."""


def is_there(name: str, python: tuple[int, int]) -> bool:
    """Whether a version of Python has a name, as far as the names that came late are concerned."""
    return python >= SINCE.get(name, (0, 0))
