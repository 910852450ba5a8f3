"""Prints what a sqlite3 shell reads. The shell prints text only, so SQLite quotes every value as a
literal, which is exact: usage: read_shell.py SHELL FILE NAME..."""
import json, subprocess, sys

shell, file, *names = sys.argv[1:]


def ask(sql):
    # Between values 0x1F, after rows 0x1E.
    words = [shell, "-batch", "-bail", "-ascii", "-readonly", file, sql]
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    if ended.returncode or ended.stderr:
        sys.exit(ended.stderr)
    return [row.split("\x1f") for row in ended.stdout.split("\x1e")[:-1]]


def value(literal):
    if literal == "NULL":
        return None
    if literal.startswith("'"):
        return literal[1:-1].replace("''", "'")
    return int(literal) if literal.lstrip("-").isdigit() else float(literal)


print(json.dumps(ask("select sqlite_version()")[0][0]))
for name in names:
    columns = [row[1] for row in ask(f'pragma table_info("{name}")')]
    quoted = ", ".join(f'quote("{column}")' for column in columns)
    rows = ask(f'select {quoted} from "{name}"')
    print(json.dumps([name, [[value(cell) for cell in row] for row in rows]]))
