"""Reads every file of tables in a release with the programs that read such files: Parquet with pyarrow,
DuckDB, Polars, pandas and datasets, CSV with DuckDB, Polars and pandas, all by Croissant, and the
split folder with pyarrow, Polars and DuckDB. Each value is compared with the database's, reals to the last
bit, and each type with that of datapackage.json.

usage: release_readers.py FOLDER CACHE"""
import datetime, json, math, pathlib, sqlite3, sys

import datasets, duckdb, mlcroissant, pandas, polars, pyarrow.dataset, pyarrow.parquet

folder = pathlib.Path(sys.argv[1]).absolute()
(database,) = folder.glob("energydb-*.sqlite")
connection = sqlite3.connect(database.as_uri() + "?mode=ro", uri=True)
package = json.loads((folder / "datapackage.json").read_text())
tables = [of for of in package["resources"] if of.get("profile") == "tabular-data-resource"]
names = {name for (name,) in connection.execute("select name from sqlite_master where type in ('table', 'view')")}
assert {table["name"] for table in tables} == {name for name in names if "refinery" not in name}

ARROW = {"boolean": "bool", "integer": "int64", "number": "double", "string": "string", "date": "date32[day]"}
DUCKDB = {"boolean": "BOOLEAN", "integer": "BIGINT", "number": "DOUBLE", "string": "VARCHAR", "date": "DATE"}
POLARS = {"boolean": "Boolean", "integer": "Int64", "number": "Float64", "string": "String", "date": "Date"}


def cell(value):
    """A value as every program has it, whatever its own type is."""
    if isinstance(value, bytes):
        value = value.decode()
    if value is None or value is pandas.NaT or isinstance(value, float) and math.isnan(value):
        return "null"
    if isinstance(value, (pandas.Timestamp, datetime.datetime)):
        value = value.date()
    if isinstance(value, str):
        return "text " + value
    # Whole numbers may be reals where one is missing, and true is one.
    return float(value).hex() if not isinstance(value, datetime.date) else "text " + value.isoformat()


def rows(columns):
    """Rows in any order, from columns."""
    return sorted(zip(*([cell(value) for value in column] for column in columns)))


def looks_typed(values):
    """Whether a program may take texts for something else, such as a version that is 1."""
    present = [value for value in values if value is not None]
    return not present or all(value.replace(".", "", 1).isdigit() for value in present)


def from_arrow(table, fields):
    return [table.column(field["name"]).to_pylist() for field in fields]


number = 0
croissant = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
has_parquet = (folder / "parquet").is_dir()
for table in tables:
    name, fields = table["name"], table["schema"]["fields"]
    # The columns in SQLite, each as its declared type has it.
    selected = connection.execute(f'select * from "{name}"').fetchall()
    columns = [list(column) for column in zip(*selected)] or [[] for _ in fields]
    expected = rows(columns)
    number += len(selected)

    def check(reader, read, types=None, known=None):
        assert rows(read) == expected, f"{reader}: {name}: other values"
        for field, kind, values in zip(fields, types or [], columns):
            wanted = known[field["type"]]
            assert str(kind) == wanted, f"{reader}: {name}.{field['name']}: {kind}, not {wanted}"

    csv = str(folder / table["path"])
    if selected:
        relation = duckdb.sql(f"from read_csv('{csv}')")
        kinds = dict(zip(relation.columns, relation.types))
        for field, values in zip(fields, columns):
            told, wanted = str(kinds[field["name"]]), DUCKDB[field["type"]]
            assert told == wanted or (field["type"] == "string" and looks_typed(values)) or all(
                value is None for value in values
            ), f"DuckDB: {name}.{field['name']}: {told}, not {wanted}"
        typed = {field["name"]: DUCKDB[field["type"]] for field in fields}
        check("DuckDB CSV", list(zip(*duckdb.sql(f"from read_csv('{csv}', types={typed})").fetchall())))
        as_text = {field["name"]: str for field in fields if field["type"] == "string"}
        frame = pandas.read_csv(csv, dtype=as_text, keep_default_na=False, na_values=[""])
        check("pandas CSV", [frame[field["name"]].tolist() for field in fields])
        untyped = pandas.read_csv(csv)
        for field, values in zip(fields, columns):
            told = untyped[field["name"]].dtype
            # pandas makes reals of whole numbers, and objects of conditions, where one is missing.
            is_whole = all(value is not None for value in values)
            if field["type"] in ("integer", "boolean") and is_whole:
                assert told == {"integer": "int64", "boolean": "bool"}[field["type"]], (name, field, told)
            if field["type"] == "number":
                assert told == "float64", (name, field, told)
        frame = polars.read_csv(csv, infer_schema_length=None, schema_overrides={name: polars.String for name in as_text}, try_parse_dates=True)
        check("Polars CSV", [frame[field["name"]].to_list() for field in fields])
    if has_parquet:
        path = str(folder / "parquet" / f"{name}.parquet")
        read = pyarrow.parquet.read_table(path)
        check("pyarrow", from_arrow(read, fields), [read.schema.field(field["name"]).type for field in fields], ARROW)
        metadata = pyarrow.parquet.read_metadata(path)
        told = {key.decode(): value.decode() for key, value in metadata.metadata.items()}
        assert told["description"] == table["description"], name
        for field in fields:
            for what in ("description", "unit"):
                assert told.get(f"{field['name']}.{what}") == field.get(what), (name, field)
        for group in range(metadata.num_row_groups):
            for at, field in enumerate(fields):
                statistics = metadata.row_group(group).column(at).statistics
                present = [value for value in columns[at] if value is not None]
                assert statistics.null_count == len(selected) - len(present), (name, field)
            assert metadata.row_group(group).column(0).compression == "ZSTD"
        # pyarrow does not yet know the order in which reals are compared.
        ends = duckdb.sql(f"select stats_min_value, stats_max_value from parquet_metadata('{path}') order by row_group_id, column_id")
        for (least, most), field, values in zip(ends.fetchall(), fields, columns):
            present = [value for value in values if value is not None]
            if present and field["type"] in ("integer", "number"):
                assert [float(least), float(most)] == [min(present), max(present)], (name, field)
        relation = duckdb.sql(f"from '{path}'")
        check("DuckDB", list(zip(*relation.fetchall())) or [[] for _ in fields], relation.types, DUCKDB)
        frame = polars.read_parquet(path)
        check("Polars", [frame[field["name"]].to_list() for field in fields], frame.dtypes, POLARS)
        frame = pandas.read_parquet(path)
        check("pandas", [frame[field["name"]].tolist() for field in fields])
    if selected:
        columns_of = {field["name"]: [] for field in fields}
        for record in croissant.records(name):
            for field in fields:
                columns_of[field["name"]].append(record[f"{name}/{field['name']}"])
        check("Croissant", list(columns_of.values()))
        loaded = datasets.load_dataset(str(folder), name, cache_dir=sys.argv[2])["train"]
        check("datasets", [loaded[field["name"]][:] for field in fields])
    split = folder / "hive" / name
    if split.is_dir():
        read = pyarrow.dataset.dataset(str(split), partitioning="hive").to_table()
        check("pyarrow, split", from_arrow(read, fields))
        frame = polars.read_parquet(split, hive_partitioning=True)
        check("Polars, split", [frame[field["name"]].to_list() for field in fields])
        by_name = ", ".join(f'"{field["name"]}"' for field in fields)
        relation = duckdb.sql(f"select {by_name} from read_parquet('{split}/**/*.parquet', hive_partitioning = true)")
        check("DuckDB, split", list(zip(*relation.fetchall())))
configurations = datasets.get_dataset_config_names(str(folder))
with_rows = [table["name"] for table in tables if connection.execute(f'select exists (select 1 from "{table["name"]}")').fetchone()[0]]
assert sorted(configurations) == sorted(with_rows), configurations
# Without a name the hub shows one table whole, and takes no document for a split of it.
usual = datasets.load_dataset(str(folder), cache_dir=sys.argv[2])
assert list(usual) == ["train"], usual
of_example = connection.execute("select count(*) from best_configurations").fetchone()[0]
assert usual["train"].num_rows == of_example > 1, usual
assert number, "nothing was read"
print(f"{len(tables)} tables, {number} rows: the same everywhere")
