"""Build the same database with Python's own json and sqlite3: INPUT OUTPUT."""

import hashlib
import json
import sqlite3
import sys
from collections import Counter
from pathlib import Path

import schema


def numbered(names):
    """A key for each distinct name, in order of first appearance."""
    return {name: key for key, name in enumerate(dict.fromkeys(names), start=1)}


# The columns that the documents have, in the order of configurations() below.
COLUMNS = [
    "configuration_id", "task_id", "model_id", "gpu_id", "source_id", "num_gpus",
    "tensor_parallel", "data_parallel", "expert_parallel", "precision_id", "max_num_seqs",
    "repeat", "avg_running_batch", "tokens_per_second", "power_watts",
    "joules_per_output_token", "joules_per_request", "median_itl_ms", "p90_itl_ms",
    "p95_itl_ms", "p99_itl_ms", "avg_output_tokens", "document_id", "document_position",
]  # fmt: skip


def configurations(rows, models, gpus, precisions):
    repeats = Counter()
    for position, row in enumerate(rows):
        model, gpu = models[row["model_id"]], gpus[row["gpu_model"]]
        choice = (model, gpu, row["num_gpus"], row["max_num_seqs"])
        repeats[choice] += 1
        yield (
            position + 1,
            1,
            model,
            gpu,
            1,
            row["num_gpus"],
            row["tensor_parallel"],
            row["data_parallel"],
            row["expert_parallel"],
            precisions[row["weight_precision"]],
            row["max_num_seqs"],
            repeats[choice],
            row["avg_batch_size"],
            row["output_throughput_tokens_per_sec"],
            row["avg_power_watts"],
            row["energy_per_token_joules"],
            row["energy_per_request_joules"],
            row["median_itl_ms"],
            row["p90_itl_ms"],
            row["p95_itl_ms"],
            row["p99_itl_ms"],
            row["avg_output_len"],
            1,
            position,
        )


def insert(database, table, rows, columns=None):
    """Inserts rows into all columns of a table, or into those named."""
    if columns is None:
        names = database.execute("select name from pragma_table_info(?)", (table,))
        columns = [name for (name,) in names]
    marks = ", ".join("?" * len(columns))
    database.executemany(f"insert into {table} ({', '.join(columns)}) values ({marks})", rows)


def main(source, destination):
    data = Path(source).read_bytes()
    document = json.loads(data)
    rows = document["configurations"]

    database = sqlite3.connect(destination)
    database.execute("pragma cache_size = -262144")
    database.executescript(schema.migrations())
    # Indexes go faster when made once, of rows that are already there.
    indexes = database.execute(
        "select name, sql from sqlite_master where type = 'index' and tbl_name = 'configurations'"
    ).fetchall()
    for name, _ in indexes:
        database.execute(f"drop index {name}")

    database.executescript(schema.RELEASE.read_text())
    task = (1, document["task"], document.get("task_display_name"))
    insert(database, "tasks", [task], ["task_id", "task", "display_name"])
    sha256 = hashlib.sha256(data).hexdigest()
    name = Path(source).name
    insert(database, "sources", [(1, "published")], ["source_id", "source"])
    columns = ["document_id", "task_id", "source_id", "name", "kind", "sha256", "bytes"]
    insert(database, "documents", [(1, 1, 1, name, "task-file", sha256, len(data))], columns)

    described = {row["model_id"]: row for row in rows}
    models = numbered((row["model_id"] for row in rows))
    gpus = numbered((row["gpu_model"] for row in rows))
    precisions = numbered((row["weight_precision"] for row in rows))
    insert(
        database,
        "models",
        (
            (
                key,
                schema.slug(described[model]["nickname"]),
                described[model]["nickname"],
                model,
                described[model]["total_params_billions"],
                described[model]["activated_params_billions"],
                described[model]["architecture"],
            )
            for model, key in models.items()
        ),
    )
    insert(database, "gpus", ((key, gpu) for gpu, key in gpus.items()), ["gpu_id", "gpu"])
    insert(
        database,
        "precisions",
        ((key, schema.PRECISIONS[source], source) for source, key in precisions.items()),
    )
    insert(database, "configurations", configurations(rows, models, gpus, precisions), COLUMNS)
    pairs = sorted({(models[row["model_id"]], gpus[row["gpu_model"]]) for row in rows})
    insert(database, "measured", ((1, model, gpu, 1) for model, gpu in pairs))

    for _, sql in indexes:
        database.execute(sql)
    database.commit()
    database.executescript(schema.views())
    database.close()


main(*sys.argv[1:])
