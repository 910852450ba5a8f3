"""Prints what Datasette's own pages give as JSON, asked within this process: usage:
read_datasette.py FILE NAME..."""
import asyncio, json, pathlib, sqlite3, sys

from datasette import __version__
from datasette.app import Datasette

file, *names = sys.argv[1:]


async def main():
    # A page would otherwise end after 1,000 rows and a query after a second.
    settings = {"max_returned_rows": 1_000_000, "sql_time_limit_ms": 60_000}
    datasette = Datasette([file], settings=settings)
    print(json.dumps(f"Datasette {__version__}, SQLite {sqlite3.sqlite_version}"))
    for name in names:
        path = f"/{pathlib.Path(file).stem}/{name}.json?_shape=arrays&_size=max&_nocount=1"
        answer = await datasette.client.get(path)
        page = answer.json()
        assert answer.status_code == 200 and not page.get("truncated"), page
        assert page.get("next") is None, f"{name} has another page"
        shown = await datasette.client.get(f"/{pathlib.Path(file).stem}/{name}")
        assert shown.status_code == 200, shown.text
        rows = page["rows"]
        # A table whose key is no column has the row's number before the columns.
        if page["columns"][0] == "rowid":
            rows = [row[1:] for row in rows]
        print(json.dumps([name, rows]))


asyncio.run(main())
