"""Prints what energydb reads: usage: read_energydb.py ENERGYDB FILE NAME..."""
import json, subprocess, sys

program, file, *names = sys.argv[1:]


def stored(cell):
    """SQL clients have 1 and 0 for what JSON calls true and false."""
    return int(cell) if isinstance(cell, bool) else cell


def rows(sql):
    words = [program, "query", "--db", file, "--format", "ndjson", "--sql", sql]
    printed = subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout
    return [[stored(cell) for cell in json.loads(line).values()] for line in printed.splitlines()]


print(json.dumps(rows("select sqlite_version() as version")[0][0]))
for name in names:
    print(json.dumps([name, rows(f'select * from "{name}"')]))
