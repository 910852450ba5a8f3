"""Prints what energydb reads: usage: read_energydb.py ENERGYDB FILE NAME..."""
import json, subprocess, sys

program, file, *names = sys.argv[1:]


def rows(sql):
    words = [program, "query", "--db", file, "--format", "ndjson", "--sql", sql]
    printed = subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout
    return [list(json.loads(line).values()) for line in printed.splitlines()]


print(json.dumps(rows("select sqlite_version() as version")[0][0]))
for name in names:
    print(json.dumps([name, rows(f'select * from "{name}"')]))
