"""Reads every CSV of a release with pandas and with Python's csv, and compares each value with the
database's, reals to the last bit.

usage: release_pandas.py FOLDER"""
import csv, math, pathlib, sqlite3, sys

import pandas

folder = pathlib.Path(sys.argv[1])
(database,) = folder.glob("energydb-*.sqlite")
connection = sqlite3.connect(database.absolute().as_uri() + "?mode=ro", uri=True)
views = [name for (name,) in connection.execute("select name from sqlite_master where type = 'view'")]
assert {path.stem for path in (folder / "csv").iterdir()} == set(views)


def comparable(row):
    def cell(value):
        if value is None or isinstance(value, float) and math.isnan(value):
            return "null"
        # pandas makes reals of whole numbers where one is missing.
        return value if isinstance(value, str) else float(value).hex()

    return tuple(map(cell, row))


def typed(texts, numeric):
    """What a reader of plain CSV takes the texts for."""
    pairs = zip(texts, numeric)
    return [None if text == "" else float(text) if is_numeric else text for text, is_numeric in pairs]


number = 0
for view in views:
    path = folder / "csv" / f"{view}.csv"
    rows = connection.execute(f'select * from "{view}"').fetchall()
    expected = sorted(map(comparable, rows))
    frame = pandas.read_csv(path)
    read = sorted(map(comparable, frame.itertuples(index=False, name=None)))
    assert read == expected, f"pandas: {view}"
    numeric = [any(isinstance(cell, (int, float)) for cell in column) for column in zip(*rows)]
    with path.open(newline="", encoding="utf-8") as lines:
        _, *read = csv.reader(lines, strict=True)
    read = sorted(comparable(typed(texts, numeric)) for texts in read)
    assert read == expected, f"csv: {view}"
    number += len(rows)
assert number, "nothing was read"
print(f"{len(views)} views, {number} rows: the same")
