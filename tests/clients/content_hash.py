#!/usr/bin/env python3
"""Computes the content hash of an energydb database, with Python's standard library only, from its
definition: the comment of the table content_hash. Prints it, and fails if the file records another.

usage: content_hash.py energy.sqlite"""
import hashlib, pathlib, sqlite3, struct, sys

database = sqlite3.connect(pathlib.Path(sys.argv[1]).absolute().as_uri() + "?mode=ro", uri=True)
sha256 = hashlib.sha256()

def add(letter, content):
    sha256.update(b"%s%d:%s" % (letter, len(content), content))

for (table,) in database.execute(
    "select name from sqlite_master where type = 'table' and substr(name, 1, 7) <> 'sqlite_' "
    "and name not in ('content_hash', 'refinery_schema_history') order by name"
):
    add(b"T", table.encode())
    columns = database.execute(f'pragma table_info("{table}")').fetchall()
    key = [name for _, name, *_, place in sorted(columns, key=lambda column: column[5]) if place]
    for row in database.execute(f'select * from "{table}" order by {", ".join(key)}'):
        for value in row:
            if value is None: add(b"n", b"")
            elif isinstance(value, int): add(b"i", b"%d" % value)
            elif isinstance(value, float): add(b"r", struct.pack(">d", value))
            elif isinstance(value, str): add(b"t", value.encode())
            else: add(b"b", value)

print(sha256.hexdigest())
if database.execute("select sha256 from content_hash").fetchall() != [(sha256.hexdigest(),)]:
    sys.exit("the file records another")
