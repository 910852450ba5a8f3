"""Insert the rows into one flat table with sqlite-utils: INPUT OUTPUT FORM.

FORM is how: plain, as the documentation shows it first, where every batch is a transaction; atomic,
all in one transaction.
"""

import json
import sys
from collections import Counter
from contextlib import nullcontext

import sqlite_utils

CHOICE = ("model_id", "gpu_model", "num_gpus", "max_num_seqs")


def numbered(rows):
    """The rows with the count of their choice, which sets a repeated measurement apart."""
    measured = Counter()
    for row in rows:
        choice = tuple(row[name] for name in CHOICE)
        measured[choice] += 1
        yield {**row, "repeat": measured[choice]}


def main(source, destination, form):
    with open(source, encoding="utf-8") as file:
        document = json.load(file)
    database = sqlite_utils.Database(destination)
    table = database["configurations"]
    with database.atomic() if form == "atomic" else nullcontext():
        table.insert_all(numbered(document["configurations"]), pk=(*CHOICE, "repeat"))
        table.create_index(["model_id", "gpu_model", "energy_per_token_joules", "median_itl_ms"])
    database.conn.close()


main(*sys.argv[1:])
