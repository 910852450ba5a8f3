"""Read the rows into a DuckDB file with one flat table: INPUT OUTPUT FORM.

FORM is how: guessed, the document as published, as the documentation shows it first; declared, the
same with columns declared, which saves guessing them; array, with columns declared, the array of
its rows alone, which DuckDB splits over its threads and reads in pieces.
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
from read_json($source, maximum_object_size = $bytes{more})
"""

ARRAY = """
create table configurations as
select * from read_json($source, format = 'array', columns = {columns})
"""


def listed(columns):
    return "{" + ", ".join(f"{name}: '{type_}'" for name, type_ in columns.items()) + "}"


def main(source, destination, form):
    database = duckdb.connect(destination)
    if form == "array":
        database.execute(ARRAY.format(columns=listed(COLUMNS)), {"source": source})
    else:
        # The document is one object, which must fit.
        size = max(os.path.getsize(source) + 1, 16 << 20)
        more = "" if form == "guessed" else f", columns = {nested()}"
        database.execute(NESTED.format(more=more), {"source": source, "bytes": size})
    database.close()


def nested():
    row = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
    return listed({"configurations": f"STRUCT({row})[]", "task": "VARCHAR"})


main(*sys.argv[1:])
