'''SQL is put together from what the model chose.

## What it does
Reports a statement handed to a database that an argument of the tool is formatted into, or that is an
argument as a whole.

## Why it matters
Whoever can talk to the model, or writes a text that it reads, writes the SQL: `'; DROP TABLE orders; --` as a
customer's name is enough. Parameters of the statement keep the value a value.

## What it ignores
Statements with parameters (`execute("... = ?", (name,))`), arguments that the tool compares with something or
gives to a check first, numbers, and `Literal` types.

## Example
```python
import sqlite3


def find_orders(customer: str) -> dict:
    """Find the orders of a customer. Returns a dict with the orders.

    Args:
        customer: Name of the customer.
    """
    db = sqlite3.connect("orders.db")
    rows = db.execute(f"SELECT number FROM orders WHERE customer = '{customer}' LIMIT 10").fetchall()
    return {"status": "success", "orders": rows}
```

## Use instead
```python
import sqlite3


def find_orders(customer: str) -> dict:
    """Find the orders of a customer. Returns a dict with the orders.

    Args:
        customer: Name of the customer.
    """
    db = sqlite3.connect("orders.db")
    rows = db.execute("SELECT number FROM orders WHERE customer = ? LIMIT 10", (customer,)).fetchall()
    return {"status": "success", "orders": rows}
```

## Fix
None: the parameters' style depends on the database.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules._flows import Flow, flows, last
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "safety"
_RUNS = {"execute", "executemany", "executescript", "exec_driver_sql", "read_sql", "read_sql_query", "sql"}
_RUNS |= {"query", "fetch", "fetchrow", "fetchval", "fetch_all", "fetch_one", "raw", "query_and_wait"}
_SQL = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|TRUNCATE|REPLACE|MERGE|PRAGMA|EXPLAIN|CALL)\b",
    re.IGNORECASE,
)
_DATABASE = re.compile(
    r"sqlite3|psycopg|mysql|sqlalchemy|duckdb|bigquery|asyncpg|pyodbc|snowflake|oracledb|clickhouse|databricks"
    r"|\b(?:cursor|cur|conn|connection|engine)\b|read_sql",
    re.IGNORECASE,
)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for flow in flows(view, 0, ("sql", "query", "statement", "operation")):
        if last(flow.call.callee) not in _RUNS or not _is_sql(flow):
            continue
        what = f"{flow.listed} of `{view.tool.name}` {flow.verb}"
        how = (
            f"The model writes the SQL itself: {what} run as written. Offer single queries with parameters, "
            "or allow reading only."
            if flow.is_whole
            else f"{what} put into the text of the SQL, so whoever talks to the model can change the "
            "statement. Pass the value as a parameter of the statement."
        )
        yield Finding("sql-from-argument", SEVERITY, how, flow.argument.expression.place, view.tool.name)


def _is_sql(flow: Flow) -> bool:
    if isinstance(flow.argument.literal, str) and flow.argument.literal.strip():
        return _SQL.match(flow.argument.literal) is not None
    return _DATABASE.search(flow.call.callee) is not None
