"""Write the rows to one flat table with pandas: INPUT OUTPUT."""

import json
import sqlite3
import sys

import pandas


def main(source, destination):
    with open(source, encoding="utf-8") as file:
        document = json.load(file)
    frame = pandas.DataFrame.from_records(document["configurations"])
    choice = ["model_id", "gpu_model", "num_gpus", "max_num_seqs"]
    frame["repeat"] = frame.groupby(choice).cumcount() + 1
    database = sqlite3.connect(destination)
    frame.to_sql("configurations", database, index=False)
    for name, columns in {
        "configurations_by_key": [*choice, "repeat"],
        "configurations_by_energy": [*choice[:2], "energy_per_token_joules", "median_itl_ms"],
    }.items():
        unique = "unique" if "repeat" in columns else ""
        listed = ", ".join(columns)
        database.execute(f"create {unique} index {name} on configurations ({listed})")
    database.commit()
    database.close()


main(*sys.argv[1:])
