"""Prints what DuckDB's sqlite extension reads. The extension is that of the package
duckdb-extension-sqlite; DuckDB loads it from a file of its own name: usage: read_duckdb.py FILE NAME..."""
import json, pathlib, shutil, sys, tempfile

import duckdb, duckdb_extension_sqlite

file, *names = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    packages = pathlib.Path(duckdb_extension_sqlite.__file__).parent
    extension = next(packages.rglob("*sqlite*.duckdb_extension"))
    copy = pathlib.Path(folder) / "sqlite_scanner.duckdb_extension"
    shutil.copy(extension, copy)
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"load '{copy}'")
    database.execute(f"attach '{file}' as energy (type sqlite, read_only)")
    database.execute("use energy")
    print(json.dumps(f"DuckDB {duckdb.__version__}"))
    for name in names:
        print(json.dumps([name, database.execute(f'select * from "{name}"').fetchall()]))
