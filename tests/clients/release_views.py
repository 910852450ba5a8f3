"""Reads every table and view of a release's database with programs that ask for types first: SQLAlchemy
and ibis on the newest SQLite, and ibis on DuckDB with the database attached. No column may be without a
type, every value must be as SQLite has it, and DuckDB may take 10 s of a processor for each.

usage: release_views.py FOLDER"""
import math, pathlib, shutil, sys, tempfile, time

# What imports sqlite3 has the newest SQLite.
import pysqlite3

sys.modules["sqlite3"] = pysqlite3
sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

import duckdb, duckdb_extension_sqlite, ibis, sqlalchemy
from sqlalchemy.schema import CreateTable

# DuckDB takes 2 s for the slowest on an idle machine, and several times as long on a busy one. A view that
# joins everything with everything took half a minute.
LONGEST_S = 10
folder = pathlib.Path(sys.argv[1])
(database,) = folder.glob("energydb-*.sqlite")
connection = pysqlite3.connect(database.absolute().as_uri() + "?mode=ro", uri=True)
listed = "select name from sqlite_schema where type in ('table', 'view') and name not like 'refinery%' order by name"
names = [name for (name,) in connection.execute(listed)]
assert len(names) > 25, names


def cell(value):
    """A value as every program has it: a whole number may be a real, a missing one NaN, true is 1."""
    if value is None or value != value:
        return "null"
    return value if isinstance(value, str) else float(value).hex()


def rows(columns):
    """Rows in any order, from columns."""
    return sorted(zip(*([cell(value) for value in column] for column in columns)))


def expected(name):
    selected = connection.execute(f'select * from "{name}"').fetchall()
    return rows(zip(*selected)) if selected else []


engine = sqlalchemy.create_engine(f"sqlite:///{database.absolute()}", module=pysqlite3)
inspector = sqlalchemy.inspect(engine)
columns = 0
for name in names:
    for column in inspector.get_columns(name):
        assert not isinstance(column["type"], sqlalchemy.types.NullType), (name, column["name"])
        columns += 1
reflected = sqlalchemy.MetaData()
reflected.reflect(engine, views=True)
assert set(names) <= set(reflected.tables)
for name in names:
    str(CreateTable(reflected.tables[name]).compile(engine))

number = 0


def seconds(work):
    """How long a processor takes for it."""
    start = time.process_time()
    work()
    return time.process_time() - start


def check(reader, name, table):
    """Compares what ibis reads, and the names of its columns."""
    global number
    unknown = [column for column, kind in table.schema().items() if kind.is_unknown() or kind.is_null()]
    assert not unknown, f"{reader}: {name}: {unknown}"
    read = table.to_pyarrow()
    assert rows(read.column(at).to_pylist() for at in range(read.num_columns)) == expected(name), f"{reader}: {name}"
    number += read.num_rows


of_sqlite = ibis.sqlite.connect(database)
for name in names:
    check("ibis on SQLite", name, of_sqlite.table(name))

slowest = 0
with tempfile.TemporaryDirectory() as work:
    # DuckDB loads an extension from a file of its own name.
    packages = pathlib.Path(duckdb_extension_sqlite.__file__).parent
    copy = pathlib.Path(work) / "sqlite_scanner.duckdb_extension"
    shutil.copy(next(packages.rglob("*sqlite*.duckdb_extension")), copy)
    of_duckdb = ibis.duckdb.connect(allow_unsigned_extensions="true")
    of_duckdb.raw_sql(f"load '{copy}'")
    of_duckdb.raw_sql(f"attach '{database.absolute()}' as energy (type sqlite, read_only)")
    for name in names:
        took = seconds(lambda: of_duckdb.raw_sql(f'select * from energy."{name}"').fetchall())
        assert took < LONGEST_S, f"DuckDB takes {took:.1f} s for {name}"
        slowest = max(slowest, took)
        check("ibis on DuckDB", name, of_duckdb.table(name, database="energy.main"))

assert number, "nothing was read"
versions = f"SQLite {pysqlite3.sqlite_version}, SQLAlchemy {sqlalchemy.__version__}, ibis {ibis.__version__}, DuckDB {duckdb.__version__}"
print(f"{versions}: {len(names)} tables and views, {columns} columns with types, {number} rows the same; DuckDB took at most {slowest:.1f} s")
