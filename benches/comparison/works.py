"""The pieces of work, and who does each."""

from comparison import measure, named_query, probes
from comparison.contest import Contender

QUERY = {"task": "lm-arena-chat", "gpu": "B200"}
# The generated documents do not say which day they are of.
OF_A_DAY = ["--data-version", "2026-10-19"]


def build(setup, rows):
    """Read a task file into a database file."""
    source = str(setup.document(rows))
    array = str(setup.document(rows, bare_array=True))
    target = "{place}/out"

    def peer(name, file, *arguments, probe=probes.flat_sqlite_rows, **more):
        script = str(setup.peers / file)
        command = [setup.python, script] if file.endswith(".py") else [script]
        return Contender(name, [*command, *arguments], probes.whole(probe, rows), **more)

    duckdb = probes.duckdb_rows(setup.python)
    return [
        Contender("energydb", [setup.energydb, "build", *OF_A_DAY, source, "-o", target],
                  probes.whole(probes.sqlite_rows, rows)),
        peer("Python json + sqlite3", "python_sqlite3.py", source, target,
             probe=probes.sqlite_rows),
        peer("sqlite3 shell, json_each", "sqlite_json_each.sh", source, target,
             probe=probes.sqlite_rows, environment={"SQLITE3": setup.sqlite3}),
        peer("sqlite-utils, flat table", "sqlite_utils_insert.py", source, target, "plain"),
        peer("sqlite-utils, flat table, one transaction", "sqlite_utils_insert.py", source, target,
             "atomic"),
        peer("pandas, flat table", "pandas_to_sql.py", source, target),
        peer("DuckDB, flat table", "duckdb_read_json.py", source, target, "guessed", probe=duckdb),
        peer("DuckDB, flat table, columns declared", "duckdb_read_json.py", source, target,
             "declared", probe=duckdb),
        peer("DuckDB, flat table, columns declared, from a bare array", "duckdb_read_json.py",
             array, target, "array", probe=duckdb),
    ]  # fmt: skip


def query(setup, database, folder):
    """Answer `query best --gpu B200`, the whole process."""
    script = folder / "best.sql"
    text = (setup.root / "queries" / "best.sql").read_text(encoding="utf-8")
    script.write_text(named_query.shell_script(text, QUERY), encoding="utf-8")
    ours = [setup.energydb, "query", "best", "--gpu", QUERY["gpu"], "--db", str(database)]
    return [
        Contender("energydb", [*ours, "--format", "csv"], probes.csv_rows, output="stdout"),
        Contender("sqlite3 shell", [setup.sqlite3, "-readonly", str(database)], probes.csv_rows,
                  output="stdout", given=str(script)),
    ]  # fmt: skip


def export(setup, rows, database):
    """Publish one document per model, and the index."""
    ours = [setup.energydb, "export", "--db", str(database), "-o", "{place}/out"]
    script = str(setup.peers / "python_export.py")
    probe = probes.whole(probes.documents, rows)
    return [
        Contender("energydb", ours, probe),
        Contender("Python sqlite3 + json", [setup.python, script, str(database), "{place}/out"],
                  probe),
    ]  # fmt: skip


def built(setup, rows, folder, timeout):
    """A database built by energydb, for the works that read one."""
    database = folder / f"{rows}.sqlite"
    if not database.exists():
        command = [setup.energydb, "build", *OF_A_DAY, str(setup.document(rows)), "-o", str(database)]
        run = measure.time_of(command, folder / "build", timeout)
        if run.status != 0:
            raise ValueError(f"energydb could not build the database: {run.errors}")
    return database
