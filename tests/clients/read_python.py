"""Prints what Python's own sqlite3 reads: usage: read_python.py FILE NAME..."""
import json, pathlib, sqlite3, sys

file, *names = sys.argv[1:]
database = sqlite3.connect(pathlib.Path(file).absolute().as_uri() + "?mode=ro", uri=True)
print(json.dumps(sqlite3.sqlite_version))
for name in names:
    print(json.dumps([name, database.execute(f'select * from "{name}"').fetchall()]))
