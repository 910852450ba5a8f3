"""Compares what energydb reads from result folders of the ML.ENERGY benchmark with what the
benchmark's own toolkit, the package mlenergy-data, makes of the same folders.

    toolkit.py compare PROGRAM TREES   invented trees, each read by both, and all runs as the toolkit's
                                       tables of runs, written as Parquet by pandas, Polars and DuckDB
    toolkit.py store FILE              a few small ones with the toolkit's figures, and its tables of them
                                       beside, for the ordinary tests
"""

import dataclasses
import importlib.metadata
import json
import logging
import math
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow.parquet
from mlenergy.data.records import DiffusionRuns, LLMRuns

PACKAGE = "mlenergy-data"
TOLERANCE = 1e-12
RATED_WATTS = {"H100": 700, "B200": 1000, "A100": 400}
TEXT_TASKS = {
    "lm-arena-chat": "llm",
    "gpqa": "llm",
    "sourcegraph-fim": "llm",
    "image-chat": "mllm",
    "video-chat": "mllm",
}
# Columns of energydb, and the toolkit's fields of the same.
TEXT = {
    "joules_per_output_token": "energy_per_token_joules",
    "joules_per_request": "energy_per_request_joules",
    "tokens_per_second": "output_throughput_tokens_per_sec",
    "requests_per_second": "request_throughput_req_per_sec",
    "power_watts": "avg_power_watts",
    "avg_output_tokens": "avg_output_len",
    "median_itl_ms": "p50_itl_ms",
    "p90_itl_ms": "p90_itl_ms",
    "p95_itl_ms": "p95_itl_ms",
    "p99_itl_ms": "p99_itl_ms",
    "avg_running_batch": "avg_batch_size",
    "steady_state_s": "steady_state_duration_seconds",
    "requests": "completed_requests",
    "num_gpus": "num_gpus",
    "max_num_seqs": "max_num_seqs",
    "tensor_parallel": "tensor_parallel",
    "expert_parallel": "expert_parallel",
    "data_parallel": "data_parallel",
    "architecture": "architecture",
}
DIFFUSION = {
    "joules_per_output": "energy_per_generation_joules",
    "batch_latency_s": "batch_latency_s",
    "outputs_per_second": "throughput_generations_per_sec",
    "power_watts": "avg_power_watts",
    "num_gpus": "num_gpus",
    "batch_size": "batch_size",
    "inference_steps": "inference_steps",
    "height_pixels": "height",
    "width_pixels": "width",
    "num_frames": "num_frames",
    "frames_per_second": "fps",
    "ulysses_degree": "ulysses_degree",
    "ring_degree": "ring_degree",
}
BOTH = {
    "task": "task",
    "gpu": "gpu_model",
    "hugging_face_id": "model_id",
    "model_name": "nickname",
    "params_b": "total_params_billions",
    "active_params_b": "activated_params_billions",
    "precision": "weight_precision",
}
# The view and table of each kind, and the table's key.
OF_KIND = {
    "text": ("configuration_energy", "configurations", "configuration_id"),
    "diffusion": ("diffusion_energy", "diffusion_configurations", "diffusion_configuration_id"),
}
PRECISIONS = {"BF16": "bfloat16", "FP8": "fp8", "MXFP4": "mxfp4"}


class Tree:
    """The files of one invented result folder, as paths with what they hold."""

    def __init__(self, number, is_small=False):
        self.chance = random.Random(number)
        self.number = number
        self.is_small = is_small
        self.files = {}
        # What energydb must ask for, where a file is missing without which the toolkit has no row.
        self.asks = None
        if number % 4 == 3:
            self.diffusion()
        else:
            self.text()

    def one_in(self, of):
        return self.chance.random() * of < 1

    def model_info(self, folder, is_text):
        choose = self.chance.choice
        total = choose([7, 7.6, 14.8, 32.0])
        info = {
            "nickname": f"Acme Née {self.number}",
            "total_parameters_billion": total,
            "active_parameters_billion": choose([total, total / 2]),
            "weight_precision": choose(["bfloat16", "fp8", "mxfp4"]),
            "architecture": choose(["Dense Transformer", "MoE"]),
        }
        for name in list(info):
            if name != "total_parameters_billion" and self.one_in(4):
                del info[name]
        self.files[f"{folder}/model_info.json"] = info

    def text(self):
        choose, between = self.chance.choice, self.chance.uniform
        task = choose(list(TEXT_TASKS))
        gpu, gpus = choose(list(RATED_WATTS)), choose([1, 1, 2, 4, 8])
        name = choose(["Acme-7B", "Acme-7B-FP8", "DeepSeek-R1"])
        model = f"acme/{name}-{self.number}"
        config = f"configs/vllm/{task}/{model}"
        self.model_info(config, True)
        lines = ["max-num-batched-tokens: 8192", "dtype: auto"]
        if self.one_in(2):
            lines.append(f"tensor-parallel-size: {gpus}")
        if self.one_in(3):
            lines.append(f"enable-expert-parallel: {choose(['true', 'false'])}")
            if self.one_in(2):
                lines.append(f"expert-parallel-size: {choose([1, gpus])}")
        if self.one_in(3):
            lines.append(f"data-parallel-size: {choose([0, 1, gpus])}")
        self.files[f"{config}/{gpu}/monolithic.config.yaml"] = "\n".join(lines) + "\n"
        if self.one_in(12) and gpus > 1 and not self.is_small:
            del self.files[f"{config}/{gpu}/monolithic.config.yaml"]
            self.asks = "tensor_parallel"
        elif self.one_in(20) and not self.is_small:
            del self.files[f"{config}/model_info.json"]
            self.asks = "precision"
        results = f"llm/{gpu.lower()}/current/run/{TEXT_TASKS[task]}/{task}/results/{model}/{gpu}"
        limits = sorted(self.chance.sample([8, 16, 32, 64, 128, 256], choose([1, 2, 3, 4])))
        for limit in limits[: 2 if self.is_small else None]:
            for seed in range(choose([1, 1, 1, 2])):
                for repeats in range(1, choose([2, 2, 3])):
                    settings = (
                        f"num_gpus+{gpus}+max_num_seqs+{limit}+num_request_repeats+{repeats}"
                        f"+num_requests+1024+seed+{seed}"
                    )
                    rated = RATED_WATTS[gpu] * gpus
                    self.run(f"{results}/{settings}", model, gpu, gpus, limit, rated)

    def run(self, folder, model, gpu, gpus, limit, rated):
        choose, between = self.chance.choice, self.chance.uniform
        itl = between(0.005, 0.06)
        load = limit * (between(0.5, 0.84) if self.one_in(8) else between(0.86, 0.999))
        rate = load / itl * between(0.8, 1.2)
        watts = rated * between(0.3, 0.95)
        seconds = between(5, 19.9) if self.one_in(8) else between(20.1, 300)
        completed = self.chance.randint(20, 4000)
        has_failed_all = self.one_in(25) and not self.is_small
        run = {
            "date": f"2026{choose(['10', '11'])}{self.chance.randint(10, 28)}-101500",
            "endpoint_type": "openai-chat",
            "model_id": model,
            "gpu_model": gpu,
            "num_gpus": gpus,
            "max_num_seqs": limit,
            "request_rate": "inf",
            "completed": completed,
            "total_input_tokens": completed * 300,
            "total_output_tokens": int(completed * between(150, 900)),
            "steady_state_duration": seconds,
            "steady_state_energy": watts * seconds,
            "steady_state_energy_per_token": watts / rate,
            "output_throughput": rate * 0.8,
            "timeline": {"power": {"device_instant": {"0": [[1.5, watts], [2.5, watts]]}}},
            "median_itl_ms": 1e6,
            "results": [
                self.request(itl, has_failed_all)
                for _ in range(self.chance.randint(2, 4 if self.is_small else 12))
            ],
        }
        if not has_failed_all:
            run["results"].append({"itl": [itl, itl * 1.1], "success": True})
        if self.one_in(10):
            run["energy_per_token_joules"] = run.pop("steady_state_energy_per_token")
        if self.one_in(15):
            del run["completed"]
        self.files[f"{folder}/results.json"] = run
        if not self.one_in(8):
            stats = {"vllm:kv_cache_usage_perc": 0.5, "vllm:num_requests_running": load}
            if self.one_in(10):
                del stats["vllm:num_requests_running"]
            self.files[f"{folder}/prometheus.json"] = {
                "collection_interval": 1.0,
                "timeline": [{"timestamp": 1.0, "metrics": 'a{b="c"} 1\n'}],
                "steady_state_stats": stats,
            }

    def request(self, itl, must_fail):
        """Gaps of one request: leading zeros, single tokens, and bundles of several."""
        gaps = [0.0] * self.chance.choice([0, 0, 1, 3])
        for _ in range(self.chance.randint(0, 5 if self.is_small else 60)):
            bundle = self.chance.choice([1, 1, 1, 2, 3, 7])
            gaps += [itl * bundle * self.chance.lognormvariate(0, 0.3)] + [0.0] * (bundle - 1)
        request = {
            "prompt": 'a "quoted" {prompt} [1, 2]\\ é',
            "output_text": "\u2028 text",
            "input_len": 300,
            "output_len": len(gaps) + 1,
            "ttft": 0.2,
            "itl": gaps,
            "success": not must_fail and not self.one_in(5),
            "error": "",
        }
        if not request["success"]:
            request["itl"] = [gap * 50 for gap in gaps]
        if self.one_in(10):
            request["itl"] = []
        if self.one_in(15):
            del request["itl"]
        if self.one_in(15):
            del request["success"]
        return request

    def diffusion(self):
        choose, between = self.chance.choice, self.chance.uniform
        is_video = self.number % 8 == 7
        task = "text-to-video" if is_video else "text-to-image"
        gpu = choose(list(RATED_WATTS))
        model = f"acme/Acme-Draws-{self.number}"
        config = f"configs/xdit/{task}/{model}"
        self.model_info(config, False)
        if self.one_in(12) and not self.is_small:
            del self.files[f"{config}/model_info.json"]
            self.asks = "precision"
        for batch in self.chance.sample([1, 2, 4, 8, 16], choose([1, 2])):
            for seed in range(choose([1, 1, 2])):
                ulysses, ring = choose([1, 2, 4]), choose([1, 1, 2])
                height, width = choose([(512, 512), (1024, 768), (480, 832)])
                steps = choose([4, 28, 50])
                frames = choose([49, 81]) if is_video else 1
                size = height * width / 1e6 * frames * steps
                watts = RATED_WATTS[gpu] * ulysses * ring * between(0.4, 0.95)
                joules = between(20, 400) * size * batch
                batches = []
                for _ in range(choose([1, 3, 10])):
                    shares = [between(0.9, 1.1) for _ in range(ulysses * ring)]
                    of_each = {str(at): joules * share / len(shares) for at, share in enumerate(shares)}
                    seconds = joules / watts * between(0.95, 1.05)
                    batches.append({"time": seconds, "gpu_energy": of_each, "cpu_energy": None})
                if self.one_in(4):
                    batches.insert(0, {"time": choose([0.0, None]), "gpu_energy": {"0": 1.0}})
                if self.one_in(4):
                    batches.insert(0, {"time": 1.0, "gpu_energy": None})
                settings = f"batch-{batch}"
                if not self.one_in(4):
                    settings += f"+uly-{ulysses}+ring-{ring}"
                settings += f"+size-{height}x{width}+steps-{steps}+seed-{seed}"
                folder = f"diffusion/{gpu.lower()}/current/run/diffusion/{task}/{model}/{settings}"
                run = {
                    "date": "20261120-101500",
                    "gpu_model": gpu,
                    "model_id": model,
                    "batch_size": batch,
                    "ulysses_degree": ulysses,
                    "ring_degree": ring,
                    "iteration_energy_measurements": batches,
                }
                if is_video:
                    run |= {"num_frames": frames, "fps": choose([16, 24, 16.0])}
                elif self.one_in(2):
                    run |= {"num_frames": None, "fps": None}
                self.files[f"{folder}/results.json"] = run

    def write(self, root, rename=lambda path: path):
        for path, content in self.files.items():
            file = root / rename(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else json.dumps(content)
            file.write_text(text)


def of_toolkit(root):
    """The toolkit's rows of text and of images and videos, each by the path of its results."""
    of_text, of_diffusion = {}, {}
    llm, xdit = root / "configs/vllm", root / "configs/xdit"
    if llm.is_dir():
        for run in LLMRuns.from_raw_results(root, config_dir=llm, stable_only=False, n_workers=1):
            of_text[str(pathlib.Path(run._results_path).relative_to(root))] = fields(run)
    if xdit.is_dir():
        for run in DiffusionRuns.from_raw_results(root, config_dir=xdit, n_workers=1):
            of_diffusion[str(pathlib.Path(run._results_path).relative_to(root))] = fields(run)
    return of_text, of_diffusion


def fields(run):
    return {name: value for name, value in dataclasses.asdict(run).items() if name[0] != "_"}


def of_energydb(database, kind):
    """The database's rows of a kind, each by the path of its results."""
    view, table, key = OF_KIND[kind]
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        rows = connection.execute(
            f"select documents.name as path, {view}.* from {view} "
            f"join {table} using ({key}) join documents using (document_id)"
        )
        return {row["path"]: row for row in rows}


def of_table(database, kind):
    """The database's rows of a kind that are from a table of runs, each by its place there."""
    view, table, key = OF_KIND[kind]
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        rows = connection.execute(f"select document_position, {view}.* from {view} join {table} using ({key})")
        return {row["document_position"]: row for row in rows}


def write_tables(folder, kind, runs):
    """The toolkit's table of runs as Parquet, by each library that people write it with."""
    frame = pandas.DataFrame(runs)
    writers = {
        "pandas": lambda path: frame.to_parquet(path),
        "polars": lambda path: polars.DataFrame(runs, infer_schema_length=None).write_parquet(path),
        # Whole numbers that are missing are not null but reals that are no number.
        "nan": lambda path: pyarrow.parquet.write_table(
            pyarrow.Table.from_pandas(frame, preserve_index=False, nthreads=1, safe=False)
            if kind == "text"
            else pyarrow.table({name: as_reals(frame[name]) for name in frame}),
            path,
            compression="zstd",
        ),
        "duckdb": lambda path: duckdb.from_df(frame).write_parquet(str(path)),
    }
    for writer, write in writers.items():
        path = folder / f"{kind}-{writer}.parquet"
        write(path)
        yield writer, path


def as_reals(column):
    return column.to_numpy(dtype="float64") if column.dtype != object and column.dtype.kind in "if" else list(column)


class Tally:
    def __init__(self):
        self.runs, self.figures, self.exact, self.furthest = 0, 0, 0, 0.0
        self.unstable, self.beyond, self.kinds = 0, 0, {}

    def same(self, where, found, expected):
        """A figure is the same but for the order of additions, and anything else wholly."""
        if isinstance(expected, float) and expected == 0:
            expected = None
        if not isinstance(expected, (int, float)) or not isinstance(found, (int, float)):
            assert found == expected, (where, found, expected)
            return
        apart = abs(found - expected) / abs(expected)
        assert apart <= TOLERANCE and math.isfinite(apart), (where, found, expected)
        self.figures += 1
        self.exact += found == expected
        self.furthest = max(self.furthest, apart)

    def rows(self, where, kind, columns, found, expected):
        assert found.keys() >= expected.keys(), (where, expected.keys() - found.keys())
        for path in found.keys() - expected.keys():
            # The toolkit drops a run of which every request failed. Its energy is sound.
            assert found[path]["median_itl_ms"] is None, (where, path)
            self.beyond += 1
        for path, run in expected.items():
            row = found[path]
            self.runs += 1
            self.kinds[run["task"]] = self.kinds.get(run["task"], 0) + 1
            for column, field in (columns | BOTH).items():
                value = row[column]
                value = PRECISIONS[value] if column == "precision" else value
                if kind == "diffusion" and column == "architecture":
                    continue
                self.same((where, path, column), value, run[field])
            if kind == "text":
                is_stable = row["unstable_reason"] is None
                assert is_stable == run["is_stable"], (where, path, row["unstable_reason"], run["unstable_reason"])
                self.unstable += not is_stable


def plain(path):
    """The place that the benchmark itself writes a run to."""
    parts = path.split("/")
    return "/".join(parts[3:]) if parts[0] in ("llm", "diffusion") else path


def compare(program, count):
    tally, asked = Tally(), 0
    every = {"text": [], "diffusion": []}
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for number in range(count):
            tree, root = Tree(number), work / "tree"
            shutil.rmtree(root, ignore_errors=True)
            tree.write(root / "compiled")
            tree.write(root / "plain", plain)
            of_text, of_diffusion = of_toolkit(root / "compiled")

            def build(layout, *more):
                # A path of a database that is not there yet.
                database = root / f"{layout}.sqlite"
                command = [program, "build", "--quiet", str(root / layout), "-o", str(database), *more]
                ended = subprocess.run(command, capture_output=True, text=True, check=False)
                return database, ended

            database, ended = build("compiled")
            if tree.asks:
                assert not of_text and not of_diffusion, number
                assert ended.returncode == 1 and f"--fact {tree.asks}=" in ended.stderr, ended
                asked += 1
                continue
            assert ended.returncode == 0, (number, ended.stderr)
            every["text"] += of_text.values()
            every["diffusion"] += of_diffusion.values()
            tally.rows(number, "text", TEXT, of_energydb(database, "text"), of_text)
            tally.rows(number, "diffusion", DIFFUSION, of_energydb(database, "diffusion"), of_diffusion)
            database, ended = build("plain")
            assert ended.returncode == 0, (number, ended.stderr)
            for kind, of_kind in (("text", of_text), ("diffusion", of_diffusion)):
                columns = TEXT if kind == "text" else DIFFUSION
                expected = {plain(path): run for path, run in of_kind.items()}
                tally.rows(number, kind, columns, of_energydb(database, kind), expected)
        tables = Tally()
        for kind, columns in (("text", TEXT), ("diffusion", DIFFUSION)):
            for writer, path in write_tables(work, kind, every[kind]):
                database = work / "table.sqlite"
                command = [program, "build", "--quiet", str(path), "-o", str(database), "--data-version", "2026-11-20"]
                ended = subprocess.run(command, capture_output=True, text=True, check=False)
                assert ended.returncode == 0, (path, ended.stderr)
                found = of_table(database, kind)
                tables.rows(path.name, kind, columns, found, dict(enumerate(every[kind])))
                if kind == "text":
                    for place, run in enumerate(every[kind]):
                        assert found[place]["unstable_reason"] == (run["unstable_reason"] or None), (writer, run)
    print(
        f"{tables.runs} rows of tables of runs {tables.kinds}, {tables.unstable} unstable; "
        f"{tables.figures} figures, {tables.exact} equal to the last bit"
    )
    print(
        f"{count} trees, of which {asked} lack a file that energydb asks for by name; "
        f"{tally.runs} runs in two layouts {tally.kinds}, {tally.unstable} unstable, {tally.beyond} without latencies; "
        f"{tally.figures} figures, {tally.exact} equal to the last bit; "
        f"largest relative difference {tally.furthest:.2e}; {PACKAGE} {importlib.metadata.version(PACKAGE)}"
    )


def store(file):
    """Writes a few small trees, each file with what it holds, and the toolkit's rows of them."""
    files = {}
    for number in (0, 2, 3, 5, 7, 10, 11, 14, 25):
        files |= Tree(number, is_small=True).files
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        tree = Tree(0, is_small=True)
        tree.files = files
        tree.write(root)
        of_text, of_diffusion = of_toolkit(root)
    stored = {
        "toolkit": f"{PACKAGE} {importlib.metadata.version(PACKAGE)}",
        "columns": {"text": TEXT, "diffusion": DIFFUSION, "both": BOTH},
        "files": files,
        "text": of_text,
        "diffusion": of_diffusion,
    }
    # A line for each file and row.
    lines = []
    for name, value in stored.items():
        if name in ("toolkit", "columns"):
            lines.append(f"{json.dumps(name)}: {json.dumps(value)}")
            continue
        of_each = (f"{json.dumps(key)}: {json.dumps(of, ensure_ascii=False)}" for key, of in value.items())
        lines.append(f"{json.dumps(name)}: {{\n" + ",\n".join(of_each) + "\n}")
    for kind, runs in (("text", of_text), ("diffusion", of_diffusion)):
        for writer, path in write_tables(pathlib.Path(file).parent, kind, list(runs.values())):
            if writer not in ("pandas", "polars"):
                path.unlink()
    pathlib.Path(file).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    match sys.argv[1:]:
        case ["compare", program, trees]:
            compare(program, int(trees))
        case ["store", file]:
            store(file)
        case _:
            sys.exit(__doc__)
