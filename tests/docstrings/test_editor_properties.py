"""What holds for every edit of every docstring, looked for with generated functions.

`ADK_TOOL_LENS_TESTS=long` looks a hundred times as long.
"""

from __future__ import annotations

import inspect
import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adk_tool_lens.docstrings import editor
from adk_tool_lens.docstrings.literal import parse
from adk_tool_lens.docstrings.model import Docstring
from adk_tool_lens.docstrings.reader import read
from adk_tool_lens.source.edits import Edit
from docstrings.functions import docstring_of, edited, function_text, without_docstring
from docstrings.generated import PROFILE, STYLES, Case, cases, descriptions

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")


def said(docstring: Docstring) -> list[tuple[str, str | None, str]]:
    return [(x.name, x.type, x.description) for x in docstring.entries]


def normal(text: str) -> str:
    return " ".join(text.split())


def refusable(case: Case, description: str) -> bool:
    """A raw literal may be unable to hold a text: quotes cannot be escaped in it."""
    return case.raw and ('"""' in description or "'''" in description)


def check_everything_else_is_kept(case: Case, edits: tuple[Edit, ...], after: str) -> None:
    assert without_docstring(after) == without_docstring(case.source)
    before = function_text(case.source)
    assert list(edits) == sorted(edits, key=lambda edit: edit.start)
    place = before.docstring or (before.header_end, before.body_start)
    for edit in edits:
        assert before.header_end <= edit.start <= edit.end <= place[1]
        assert not case.source[edit.start : edit.end].strip()
    lone = after.replace("\r\n", "")
    assert "\r" not in lone
    assert "\n" not in lone or "\r\n" not in case.source


@settings(PROFILE)
@given(cases(), st.data())
def test_a_description_arrives_and_nothing_else_changes(case: Case, data: st.DataObject) -> None:
    wanted = data.draw(st.dictionaries(st.sampled_from(case.order), descriptions(), min_size=1))
    style = data.draw(st.sampled_from(STYLES))

    def write(source: str) -> tuple[Edit, ...] | None:
        return editor.set_entries(
            function_text(source), wanted, order=case.order, style=style, summary="Calls it."
        )

    edits = write(case.source)
    if edits is None:
        assert any(refusable(case, text) for text in wanted.values())
        return
    after = edited(case.source, edits)
    check_everything_else_is_kept(case, edits, after)
    old = read(docstring_of(case.source) or "", case.order)
    for value in (docstring_of(after) or "", inspect.cleandoc(docstring_of(after) or "")):
        new = read(value, case.order)
        for name, text in wanted.items():
            entry, previous = new.entry(name), old.entry(name)
            assert entry is not None
            if previous is None or not previous.description:
                assert normal(entry.description) == normal(text)
            else:
                assert entry.description.startswith(previous.description)
                assert normal(text).rstrip(".").casefold() in normal(entry.description).casefold()
        assert [x for x in said(new) if x[0] not in wanted] == [x for x in said(old) if x[0] not in wanted]
        assert new.returns == old.returns
        known = [x.name for x in new.entries]
        if not case.documented:
            assert known == [name for name in case.order if name in wanted]
        elif list(case.documented) == sorted(case.documented, key=case.order.index):
            assert known == sorted(known, key=case.order.index)
    assert write(after) == ()


@settings(PROFILE)
@given(cases(with_docstring=True), descriptions(), st.data())
def test_removing_what_was_added_restores_what_is_said(
    case: Case, description: str, data: st.DataObject
) -> None:
    new_names = [name for name in case.order if name not in case.documented]
    assume(new_names)
    name = data.draw(st.sampled_from(new_names))
    fn = function_text(case.source)
    added = editor.set_entry(fn, name, description, order=case.order)
    if added is None:
        assert refusable(case, description)
        return
    between = edited(case.source, added)
    removed = editor.remove_entry(function_text(between), name, order=case.order)
    after = edited(between, removed)
    assert without_docstring(after) == without_docstring(case.source)
    old, new = (read(docstring_of(text) or "", case.order) for text in (case.source, after))
    assert (new.summary, new.body, new.returns, said(new)) == (
        old.summary, old.body, old.returns, said(old),
    )  # fmt: skip


@settings(PROFILE)
@given(cases(with_docstring=True), st.data())
def test_a_renamed_entry_says_the_same(case: Case, data: st.DataObject) -> None:
    assume(case.documented)
    old_name = data.draw(st.sampled_from(case.documented))
    edits = editor.rename_entry(function_text(case.source), old_name, "fresh", order=case.order)
    after = edited(case.source, edits)
    assert without_docstring(after) == without_docstring(case.source)
    order = [*case.order, "fresh"]
    old, new = (read(docstring_of(text) or "", order) for text in (case.source, after))
    assert said(new) == [("fresh" if n == old_name else n, t, d) for n, t, d in said(old)]
    assert editor.rename_entry(function_text(after), old_name, "fresh", order=case.order) == ()


@settings(PROFILE)
@given(cases(with_docstring=True), st.data())
def test_reordered_entries_say_the_same_in_order(case: Case, data: st.DataObject) -> None:
    order = data.draw(st.permutations(case.order))
    edits = editor.reorder_entries(function_text(case.source), order)
    after = edited(case.source, edits)
    assert without_docstring(after) == without_docstring(case.source)
    old, new = (read(docstring_of(text) or "", case.order) for text in (case.source, after))
    assert said(new) == sorted(said(old), key=lambda entry: order.index(entry[0]))
    assert editor.reorder_entries(function_text(after), order) == ()


@settings(PROFILE)
@given(cases(with_docstring=True), st.sampled_from(("int", "dict[str, int]", None)), st.data())
def test_a_type_is_written_changed_and_taken_out(case: Case, kind: str | None, data: st.DataObject) -> None:
    assume(case.documented)
    name = data.draw(st.sampled_from(case.documented))
    edits = editor.set_entry_type(function_text(case.source), name, kind, order=case.order)
    after = edited(case.source, edits)
    assert without_docstring(after) == without_docstring(case.source)
    old, new = (read(docstring_of(text) or "", case.order) for text in (case.source, after))
    assert said(new) == [(n, kind if n == name else t, d) for n, t, d in said(old)]
    again = editor.set_entry_type(function_text(after), name, kind, order=case.order)
    assert again == ()


@settings(PROFILE)
@given(cases(), descriptions(), st.sampled_from(("", "dict[str, int]")))
def test_a_result_is_described(case: Case, description: str, kind: str) -> None:
    edits = editor.set_returns(
        function_text(case.source),
        description,
        order=case.order,
        style=case.style,
        summary="Calls.",
        kind=kind,
    )
    if edits is None:
        assert refusable(case, description)
        return
    after = edited(case.source, edits)
    check_everything_else_is_kept(case, edits, after)
    old, new = (read(docstring_of(text) or "", case.order) for text in (case.source, after))
    assert (new.returns or "").startswith(old.returns or "")
    assert normal(description).rstrip(".").casefold() in normal(new.returns or "").casefold()
    assert said(new) == said(old)
    again = editor.set_returns(function_text(after), description, order=case.order)
    assert again == ()


@settings(PROFILE)
@given(cases(with_docstring=False), descriptions(), st.sampled_from(("", "dict[str, int]")), st.data())
def test_a_docstring_is_written_whole(case: Case, returns: str, kind: str, data: st.DataObject) -> None:
    wanted = data.draw(st.dictionaries(st.sampled_from(case.order), descriptions()))
    style = data.draw(st.sampled_from(STYLES))

    def write(source: str) -> tuple[Edit, ...] | None:
        return editor.write_docstring(
            function_text(source),
            wanted,
            returns,
            order=case.order,
            style=style,
            summary="Calls it.",
            kind=kind,
        )

    edits = write(case.source)
    assert edits is not None
    after = edited(case.source, edits)
    check_everything_else_is_kept(case, edits, after)
    new = read(docstring_of(after) or "", case.order)
    assert new.summary == "Calls it."
    assert [entry.name for entry in new.entries] == [name for name in case.order if name in wanted]
    assert all(normal(entry.description) == normal(wanted[entry.name]) for entry in new.entries)
    assert normal(returns).rstrip(".").casefold() in normal(new.returns or "").casefold()
    assert write(after) == ()


@settings(PROFILE)
@given(st.text(st.characters(codec="utf-8"), max_size=40), st.sampled_from(("", "r", "u", "R")))
def test_a_literal_maps_each_code_point_of_its_value(body: str, prefix: str) -> None:
    for quotes in ('"""', "'''", '"', "'"):
        source = f"x\n{prefix}{quotes}{body}{quotes}"
        start = source.index(prefix + quotes, 1)
        literal = parse(source, start, len(source))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(source[start:])
        except (SyntaxError, ValueError):
            continue
        if literal is None:
            assert body.count(quotes[0])
            continue
        assert literal.value == value
        assert len(literal.offsets) == len(value) + 1
        assert list(literal.offsets) == sorted(literal.offsets)
        assert literal.offsets[-1] == len(source) - len(quotes)
