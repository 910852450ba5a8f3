"""Compares what a client read with what energydb itself gives: every value, reals to the last bit.

usage: compare.py EXPECTED CLIENT [--one-number-type]

Both files hold one JSON document a line: first the client's version of SQLite, then for every table
and view its name and rows. The order of rows is the client's own. With --one-number-type a whole
real and an integer are the same, as in JavaScript. Prints the version, the number of tables and
views, and the number of rows, with tabs between."""
import json, sys


def read(path):
    with open(path, encoding="utf-8") as lines:
        version = json.loads(next(lines))
        return version, dict(json.loads(line) for line in lines)


def comparable(row, one_number_type):
    def cell(value):
        if one_number_type and isinstance(value, int):
            value = float(value)
        return type(value).__name__, value.hex() if isinstance(value, float) else str(value)

    return [cell(value) for value in row]


def main(expected_path, client_path, *options):
    one_number_type = options == ("--one-number-type",)
    _, expected = read(expected_path)
    version, found = read(client_path)
    if found.keys() != expected.keys():
        sys.exit(f"read {sorted(found)}, not {sorted(expected)}")
    number = 0
    for name, rows in expected.items():
        want = sorted(comparable(row, one_number_type) for row in rows)
        have = sorted(comparable(row, one_number_type) for row in found[name])
        if want != have:
            pair = next(((w, h) for w, h in zip(want, have) if w != h), (len(want), len(have)))
            sys.exit(f"{name}: expected {pair[0]}, read {pair[1]}")
        number += len(rows)
    print(version, len(expected), number, sep="\t")


main(*sys.argv[1:])
