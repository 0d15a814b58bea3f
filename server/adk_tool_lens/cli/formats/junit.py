"""JUnit XML, as Jenkins, GitLab and Azure DevOps read it: a suite for each file, a failure for each finding.

The form: `junit-10.xsd` of Jenkins' xUnit plugin.
"""

from __future__ import annotations

import re
from collections import defaultdict
from xml.etree import ElementTree as ET

from adk_tool_lens.cli.formats import Report, relative
from adk_tool_lens.cli.rows import Row

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The report as XML; a file without findings is a passed test."""
    by_path: defaultdict[str, list[Row]] = defaultdict(list)
    for row in report.rows:
        by_path[row.path].append(row)
    total = str(len(report.rows))
    tests = len(report.rows) + sum(1 for file in report.files if file not in by_path)
    root = ET.Element("testsuites", name="adk-tool-lens", tests=str(tests), failures=total, errors="0")
    for path in sorted({*report.files, *by_path}):
        _suite(root, path, by_path[path])
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, path: str, rows: list[Row]) -> None:
    name = _text(relative(path) or path)
    count = str(len(rows))
    suite = ET.SubElement(root, "testsuite", name=name, tests=str(len(rows) or 1), failures=count, errors="0")
    if not rows:
        ET.SubElement(suite, "testcase", name="all rules", classname=name)
    for row in rows:
        where = row.where.removeprefix(f"{row.path}:")
        case = ET.SubElement(suite, "testcase", name=f"{row.rule} ({where})", classname=name)
        failure = ET.SubElement(case, "failure", type=row.severity.value, message=_text(row.message))
        failure.text = _text(f"{name}:{where}: {row.severity.value}[{row.rule}] {row.message}")


def _text(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
