"""The project's own tables and views, for the peers that fill the same database."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
MIGRATIONS = HERE.parents[1] / "migrations"
RELEASE = HERE / "release.sql"

# As published, by the source's name.
PRECISIONS = {"bfloat16": "BF16", "fp8": "FP8", "mxfp4": "MXFP4"}


def migrations():
    """The text that makes the tables and indexes, oldest migration first."""
    files = sorted(MIGRATIONS.glob("V*.sql"), key=lambda file: int(file.name[1:].split("__")[0]))
    return "".join(file.read_text() for file in files)


def views():
    """The text that makes the views. SQLite looks up what a view reads only when it is read."""
    return "".join(file.read_text() for file in sorted((MIGRATIONS / "views").glob("*.sql")))


def slug(name):
    """The name in lower case, every run of other characters than a-z and 0-9 one hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
