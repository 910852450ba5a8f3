"""Read the rows into a DuckDB file with one flat table: INPUT OUTPUT [nested | array].

nested reads the document as published; array reads the array of its rows alone, which DuckDB
splits over its threads and reads in pieces. Columns are declared, which saves guessing them.
"""

import os
import sys

import duckdb

COLUMNS = {
    "activated_params_billions": "DOUBLE",
    "architecture": "VARCHAR",
    "avg_batch_size": "DOUBLE",
    "avg_output_len": "DOUBLE",
    "avg_power_watts": "DOUBLE",
    "data_parallel": "INTEGER",
    "energy_per_request_joules": "DOUBLE",
    "energy_per_token_joules": "DOUBLE",
    "expert_parallel": "INTEGER",
    "gpu_model": "VARCHAR",
    "max_num_seqs": "INTEGER",
    "median_itl_ms": "DOUBLE",
    "model_id": "VARCHAR",
    "nickname": "VARCHAR",
    "num_gpus": "INTEGER",
    "output_throughput_tokens_per_sec": "DOUBLE",
    "p90_itl_ms": "DOUBLE",
    "p95_itl_ms": "DOUBLE",
    "p99_itl_ms": "DOUBLE",
    "tensor_parallel": "INTEGER",
    "total_params_billions": "DOUBLE",
    "weight_precision": "VARCHAR",
}

NESTED = """
create table configurations as
select unnest(configurations, recursive := true)
from read_json($source, format = 'auto', maximum_object_size = $bytes, columns = {columns})
"""

ARRAY = """
create table configurations as
select * from read_json($source, format = 'array', columns = {columns})
"""


def listed(columns):
    return "{" + ", ".join(f"{name}: '{type_}'" for name, type_ in columns.items()) + "}"


def main(source, destination, form="nested"):
    database = duckdb.connect(destination)
    if form == "array":
        database.execute(ARRAY.format(columns=listed(COLUMNS)), {"source": source})
    else:
        row = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
        columns = listed({"configurations": f"STRUCT({row})[]", "task": "VARCHAR"})
        # The document is one object, which must fit.
        size = max(os.path.getsize(source) + 1, 16 << 20)
        database.execute(NESTED.format(columns=columns), {"source": source, "bytes": size})
    database.close()


main(*sys.argv[1:])
