"""Reads every CSV of a release with pandas and with Python's csv, and compares each value with the
database's, reals to the last bit.

usage: release_pandas.py FOLDER"""
import csv, math, pathlib, sqlite3, sys

import pandas

folder = pathlib.Path(sys.argv[1])
(database,) = folder.glob("energydb-*.sqlite")
connection = sqlite3.connect(database.absolute().as_uri() + "?mode=ro", uri=True)
tables = "select name from sqlite_master where type in ('table', 'view') and name not like 'refinery%'"
tables = [name for (name,) in connection.execute(tables)]
assert {path.stem for path in (folder / "csv").iterdir()} == set(tables)
CONDITIONS = {"true": 1.0, "false": 0.0}


def comparable(row):
    def cell(value):
        if value is None or isinstance(value, float) and math.isnan(value):
            return "null"
        # pandas makes reals of whole numbers where one is missing.
        return value if isinstance(value, str) else float(value).hex()

    return tuple(map(cell, row))


def typed(texts, numeric):
    """What a reader of plain CSV takes the texts for."""
    number = lambda text: CONDITIONS[text] if text in CONDITIONS else float(text)
    pairs = zip(texts, numeric)
    return [None if text == "" else number(text) if is_numeric else text for text, is_numeric in pairs]


number = 0
for table in tables:
    path = folder / "csv" / f"{table}.csv"
    cursor = connection.execute(f'select * from "{table}"')
    names, rows = [name for name, *_ in cursor.description], cursor.fetchall()
    expected = sorted(map(comparable, rows))
    # A text such as the version 1 is a number to a reader that is not told.
    text = {name: str for name, column in zip(names, zip(*rows)) if any(isinstance(cell, str) for cell in column)}
    frame = pandas.read_csv(path, dtype=text, keep_default_na=False, na_values=[""])
    read = sorted(map(comparable, frame.itertuples(index=False, name=None)))
    assert read == expected, f"pandas: {table}"
    numeric = [any(isinstance(cell, (int, float)) for cell in column) for column in zip(*rows)]
    with path.open(newline="", encoding="utf-8") as lines:
        _, *read = csv.reader(lines, strict=True)
    read = sorted(comparable(typed(texts, numeric)) for texts in read)
    assert read == expected, f"csv: {table}"
    number += len(rows)
assert number, "nothing was read"
print(f"{len(tables)} tables, {number} rows: the same")
