"""Prints what apsw reads, which carries the newest SQLite: usage: read_apsw.py FILE NAME..."""
import json, sys

import apsw

file, *names = sys.argv[1:]
database = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READONLY)
print(json.dumps(apsw.sqlite_lib_version()))
for name in names:
    print(json.dumps([name, list(database.execute(f'select * from "{name}"'))]))
