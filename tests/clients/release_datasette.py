"""Serves a release with Datasette over loopback and asks every canned query for what energydb
answers: without parameters, with each alone and with all, in words that people write, and with
values that are none. Rows must be equal, and what energydb refuses must be an error here too.

usage: release_datasette.py ENERGYDB FOLDER"""
import importlib.metadata, json, pathlib, re, socket, subprocess, sys, time, urllib.error, urllib.parse, urllib.request

program, folder = sys.argv[1:]
database = next(pathlib.Path(folder).glob("energydb-*.sqlite"))
metadata = json.loads(pathlib.Path(folder, "metadata.json").read_text(encoding="utf-8"))
queries = metadata["databases"][database.stem]["queries"]

# What people write for a value that help shows so; the first names something of the built-in data.
WORDS = {
    "N": ["1", "1.5", "many"],
    "NUMBER": ["50", "0.5e2", "fast", "1e999", "NaN"],
    "TEXT": ["B200"],
    "FILE": ['[{"hours": 8, "tokens_per_second": 300.5}, {"hours": 16, "tokens_per_second": 5000}]', "half a day"],
    "DATE": ["2026-10-19", "2026-02-30"],
    "true|false": ["true", "false", "yes"],
    "TASK": ["LM-Arena-Chat", "no-such-task"],
    "MODEL": ["Qwen 3 30B A3B Instruct", "qwen/qwen3-14b", "no-such-model"],
    "GPU": ["b200", "H100", "no-such-gpu"],
    "PRECISION": ["bf16", "bfloat16", "no-such-precision"],
    "ARCHITECTURE": ["moe", "no-such-architecture"],
    "SOURCE": ["published", "no-such-source"],
    "ROW_ID": ["Qwen-3-30B-A3B-Instruct/h100/2/256/R2", "no/such/row/1"],
}


def named(name):
    """The name on the command line of a query that a table's name had to leave."""
    return name.removeprefix("list-")


def help_of(name):
    name = named(name)
    return subprocess.run([program, "query", name, "--help"], check=True, capture_output=True, encoding="utf-8").stdout


def words_of(placeholder):
    if placeholder in WORDS:
        return WORDS[placeholder]
    choices = placeholder.split("|")
    assert len(choices) > 1, f"no words for {placeholder}"
    return [choice.capitalize() for choice in choices] + ["no-such-choice"]


def arguments(name):
    """Sets of words for a query's parameters."""
    text = " ".join(help_of(name).split())
    words = {}
    for parameter in queries[name]["params"]:
        flag = parameter.replace("_", "-")
        placeholder = re.search(rf"--{flag}(?: |=)?[\[<=]+([^>\]]+)[>\]]", text)
        assert placeholder, f"the help of {name} does not show --{flag}"
        words[parameter] = words_of(placeholder.group(1))
    needed = [re.split(r", ", need) for need in re.findall(r"Needs (?:one of )?((?:--[a-z-]+(?:, )?)+)", text)]
    needed = [need[0].removeprefix("--").replace("-", "_") for need in needed]
    required = {parameter: words[parameter][0] for parameter in needed}
    yield {}
    yield required
    yield {parameter: "" for parameter in words}
    for parameter, all_words in words.items():
        for word in all_words:
            yield {**required, parameter: word}
            yield {parameter: word}
    yield {parameter: all_words[0] for parameter, all_words in words.items()}


def file_of(profile):
    """The file that energydb reads, for a load profile as JSON."""
    path = pathlib.Path(folder).absolute().with_name("profile.csv")
    try:
        rows = [f"{part['hours']},{part['tokens_per_second']}" for part in json.loads(profile)]
        path.write_text("\n".join(["hours,tokens_per_second", *rows]), encoding="utf-8")
    except ValueError:
        path.write_text(profile, encoding="utf-8")
    return str(path)


def energydb_answers(name, given):
    given = {parameter: file_of(word) if word and parameter == "load_profile" else word for parameter, word in given.items()}
    flags = [f"--{parameter.replace('_', '-')}={word}" for parameter, word in given.items() if word]
    line = [program, "query", "--quiet", "--db", str(database), "--format", "ndjson", named(name), *flags]
    ended = subprocess.run(line, capture_output=True, encoding="utf-8")
    if ended.returncode:
        told = ["not a load profile: ", "error: the database has no "]
        assert ended.returncode == 2 or any(words in ended.stderr for words in told), (line, ended.stderr)
        return None
    # SQLite has 1 and 0 for true and false.
    stored = lambda cell: int(cell) if isinstance(cell, bool) else cell
    rows = (json.loads(row).items() for row in ended.stdout.splitlines())
    return [[[column, stored(cell)] for column, cell in row] for row in rows]


def datasette_answers(address, name, given):
    path = f"{address}/{database.stem}/{name}.json?" + urllib.parse.urlencode({"_shape": "array", **given})
    try:
        with urllib.request.urlopen(path) as answer:
            return [list(row.items()) for row in json.load(answer)]
    except urllib.error.HTTPError as error:
        assert error.code == 400, (path, error.code)
        told = json.load(error)["error"]
        assert "JSON path" in told, (path, told)
        return None


def main():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    settings = ["--setting", "max_returned_rows", "1000000", "--setting", "sql_time_limit_ms", "60000"]
    line = [sys.executable, "-m", "datasette", str(database), "--metadata", str(pathlib.Path(folder, "metadata.json"))]
    if not importlib.metadata.version("datasette").startswith("0."):
        line += ["--config", str(pathlib.Path(folder, "metadata.json"))]
    line += ["--host", "127.0.0.1", "--port", str(port), *settings]
    server = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            assert server.poll() is None, "Datasette ended"
            try:
                urllib.request.urlopen(address).read()
                break
            except OSError:
                time.sleep(0.1)
        answers = refusals = rows = 0
        for name in queries:
            for given in arguments(name):
                expected = energydb_answers(name, given)
                found = datasette_answers(address, name, given)
                assert json.dumps(found) == json.dumps(expected), f"{name} {given}: expected {str(expected)[:300]}, got {str(found)[:300]}"
                answers, refusals = answers + (expected is not None), refusals + (expected is None)
                rows += len(expected or [])
        assert answers > len(queries) and refusals and rows, "nothing was asked"
        print(f"{len(queries)} queries, {answers} answers of {rows} rows, {refusals} refusals: the same")
    finally:
        server.terminate()
        server.wait()


main()
