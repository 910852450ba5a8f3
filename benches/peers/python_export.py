"""Write one JSON document per model, and an index, from a built database: DATABASE FOLDER."""

import json
import sqlite3
import sys
from pathlib import Path

SOURCE = [
    "name", "publisher", "url", "data_url", "version", "released", "compiled",
    "compiled_evidence", "retrieved", "licence", "licence_evidence", "workload", "method",
    "selection", "cite", "cite_url", "used_for", "configurations",
]  # fmt: skip

CONFIGURATIONS = """
select configuration_energy.*
from configuration_energy
where configuration_energy.task = :task and configuration_energy.model = :model
order by configuration_energy.gpu, configuration_energy.num_gpus,
    configuration_energy.avg_running_batch, configuration_energy.configuration_id
"""


def release_block(database, task):
    """What every document says first."""
    release = dict(database.execute("select * from release").fetchone())
    source = database.execute(
        """
        select sources.*
        from documents
        join tasks on tasks.task_id = documents.task_id
        join sources on sources.source_id = documents.source_id
        where tasks.task = :task
        order by documents.document_id
        limit 1
        """,
        {"task": task},
    ).fetchone()
    deadline = release["itl_deadline_ms"]
    block = {name: release[name] for name in ("version", "updated", "data_version", "unit")}
    block["itl_deadline_ms"] = int(deadline) if deadline == int(deadline) else deadline
    if source is not None:
        evidence = database.execute(
            "select evidence from licence_evidence where source_id = ? order by position",
            (source["source_id"],),
        )
        members = {**dict(source), "licence_evidence": [row["evidence"] for row in evidence]}
        block["source"] = {name: members[name] for name in SOURCE}
    block["caveat"] = release["caveat"]
    block["boundary"] = release["boundary"]
    return block


def published(row, deadline):
    """A configuration as published: rounded, under the published names."""
    return {
        "gpu": row["gpu"],
        "num_gpus": row["num_gpus"],
        "tensor_parallel": row["tensor_parallel"],
        "data_parallel": row["data_parallel"],
        "expert_parallel": row["expert_parallel"],
        "precision": row["precision"],
        "max_num_seqs": row["max_num_seqs"],
        "avg_requests_in_flight": round(row["avg_running_batch"], 1),
        "wh_per_million_output_tokens": round(row["wh_per_million_output_tokens"], 2),
        "joules_per_output_token": round(row["joules_per_output_token"], 7),
        "median_itl_ms": round(row["median_itl_ms"], 1),
        "p90_itl_ms": round(row["p90_itl_ms"], 1),
        "p99_itl_ms": round(row["p99_itl_ms"], 1),
        "tokens_per_second": round(row["tokens_per_second"], 1),
        "gpu_power_watts_total": round(row["power_watts"]),
        "avg_output_tokens": round(row["avg_output_tokens"]),
        "under_itl_deadline": row["median_itl_ms"] <= deadline,
        "avg_running_batch": round(row["avg_running_batch"], 1),
        "p95_itl_ms": round(row["p95_itl_ms"], 1),
        "row_id": row["row_id"],
        "repeat": row["repeat"],
    }


def best(rows, deadline):
    """The lowest energy within the deadline on each GPU, ties by latency, then first measured."""
    chosen = {}
    for row in rows:
        if row["median_itl_ms"] <= deadline:
            order = [row[name] for name in ("joules_per_output_token", "median_itl_ms")]
            order += [row[name] for name in ("p90_itl_ms", "p95_itl_ms", "p99_itl_ms")]
            candidate = (order, row["configuration_id"], row)
            if row["gpu"] not in chosen or candidate[:2] < chosen[row["gpu"]][:2]:
                chosen[row["gpu"]] = candidate
    return {gpu: published(chosen[gpu][2], deadline) for gpu in sorted(chosen)}


def described(model):
    return {
        "slug": model["model"],
        "name": model["model_name"],
        "model_id": model["hugging_face_id"],
        "params_b": model["params_b"],
        "active_params_b": model["active_params_b"],
        "architecture": model["architecture"],
    }


def write(file, document):
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")


def main(source, folder):
    database = sqlite3.connect(f"{Path(source).resolve().as_uri()}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    deadline = database.execute("select itl_deadline_ms from release").fetchone()[0]
    for (task,) in database.execute("select task from tasks order by task").fetchall():
        target = Path(folder, task)
        target.mkdir(parents=True)
        block = release_block(database, task)
        models = database.execute(
            """
            select distinct models.*
            from models
            join configurations on configurations.model_id = models.model_id
            join tasks on tasks.task_id = configurations.task_id
            where tasks.task = ?
            order by models.model
            """,
            (task,),
        ).fetchall()
        index = []
        for model in models:
            names = {"task": task, "model": model["model"]}
            rows = database.execute(CONFIGURATIONS, names).fetchall()
            gpus = sorted({row["gpu"] for row in rows})
            winners = best(rows, deadline)
            document = {
                **block,
                **described(model),
                "gpus": gpus,
                "configurations": [published(row, deadline) for row in rows],
                "best": winners,
            }
            write(target / f"{model['model']}.json", document)
            index.append({**described(model), "gpus": gpus, "best": winners})
        write(target / "index.json", {**block, "models": index})


main(*sys.argv[1:])
