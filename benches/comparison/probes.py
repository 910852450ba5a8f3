"""What a finished run has made, in a form that can be compared with what another has made."""

import csv
import math
import sqlite3
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def sqlite_rows(path, column="joules_per_output_token"):
    """Number of rows, and the sum of their energy figures, of a complete SQLite file."""
    for beside in ("-journal", "-wal"):
        if Path(f"{path}{beside}").exists():
            raise ValueError(f"{path.name}{beside} is left: the file is not complete")
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return database.execute(f"select count(*), sum({column}) from configurations").fetchone()
    finally:
        database.close()


def whole(probe, rows):
    """The probe, which must count so many rows first."""

    def counting(path):
        made = probe(path)
        if made[0] != rows:
            raise ValueError(f"{made[0]} rows, not {rows}")
        return made

    return counting


def flat_sqlite_rows(path):
    return sqlite_rows(path, "energy_per_token_joules")


def duckdb_rows(python):
    """The same of a DuckDB file, read in a process of its own by the Python that has DuckDB."""

    def probe(path):
        if Path(f"{path}.wal").exists():
            raise ValueError(f"{path.name}.wal is left: the file is not complete")
        script = (
            "import duckdb, sys; print(*duckdb.connect(sys.argv[1], read_only=True).execute("
            "'select count(*), sum(energy_per_token_joules) from configurations').fetchone())"
        )
        count, total = answer([python, "-c", script, path]).split()
        return int(count), float(total)

    return probe


def documents(path):
    """Number of configurations and documents, and a digest of what they say."""
    configurations, count, digest = answer([sys.executable, HERE / "digest.py", path]).split()
    return int(configurations), int(count), digest


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip().splitlines()[-1])
    return done.stdout


def csv_rows(path):
    """Rows of a CSV file, numbers as numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [[value(cell) for cell in row] for row in csv.reader(file)]
    if len(rows) < 2:
        raise ValueError("no rows")
    return rows


def value(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def same(one, other):
    """Whether two have made the same, figures to nine digits."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other
