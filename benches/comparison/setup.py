"""Makes what the comparison needs: the binaries, the peers' packages and the documents."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PUBLISHED_ROWS = 328


class Setup:
    """Where everything is. All that is made lies under the cargo target directory."""

    def __init__(self, energydb, sqlite3, seed):
        self.root = Path(__file__).resolve().parents[2]
        self.peers = self.root / "benches" / "peers"
        self.target = target_folder(self.root)
        self.folder = self.target / "compare"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seed = seed
        self.sqlite3 = sqlite3
        self.energydb = str(Path(energydb).resolve()) if energydb else self.built("energydb")
        self.python = self.virtual_environment()

    def built(self, name):
        """A release build of the binary or example."""
        example = name != "energydb"
        kind = "--example" if example else "--bin"
        cargo(self.root, "build", "--release", "--locked", kind, name)
        return str(self.target / "release" / ("examples" if example else "") / name)

    def virtual_environment(self):
        """The Python that has the peers' packages, made anew when they change."""
        requirements = self.peers / "requirements.txt"
        folder = self.folder / f"python-{digest([requirements])}"
        python = folder / "bin" / "python"
        if not (folder / "complete").exists():
            say("installing the peers' packages")
            venv.create(folder, with_pip=True, clear=True)
            install = [python, "-m", "pip", "install", "--quiet", "--requirement", requirements]
            subprocess.run(install, check=True, stdout=sys.stderr)
            (folder / "complete").touch()
        return str(python)

    def document(self, rows, bare_array=False):
        """A task file of so many rows: the published one, or a generated one, kept for next time."""
        if rows == PUBLISHED_ROWS:
            published = self.root / "data" / "leaderboard" / "tasks" / "lm-arena-chat.json"
            return self.bare_array_of(published) if bare_array else published
        sources = sorted((self.root / "benches" / "generator").glob("*.rs"))
        form = "array" if bare_array else "document"
        name = f"{form}-{rows}-{self.seed}-{digest(sources)}.json"
        return self.kept(name, lambda out: self.generate(out, rows, bare_array))

    def generate(self, out, rows, bare_array):
        say(f"generating {rows:,} rows")
        command = [self.built("generate"), "--rows", str(rows), "--seed", str(self.seed)]
        subprocess.run(command + ["--bare-array"] * bare_array, check=True, stdout=out)

    def bare_array_of(self, published):
        def write(out):
            rows = json.loads(published.read_text(encoding="utf-8"))["configurations"]
            out.write(json.dumps(rows, indent=2, ensure_ascii=False).encode())

        return self.kept(f"array-of-{digest([published])}.json", write)

    def kept(self, name, write):
        """The file of that name, written aside first so that a half-written one is never used."""
        file = self.folder / name
        if not file.exists():
            partial = file.with_suffix(".partial")
            with open(partial, "wb") as out:
                write(out)
            partial.rename(file)
        return file

    def workplace(self):
        """An empty folder for what the runs make."""
        folder = self.folder / f"work-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder


def target_folder(root):
    if "CARGO_TARGET_DIR" in os.environ:
        return Path(os.environ["CARGO_TARGET_DIR"]).resolve()
    told = cargo(root, "metadata", "--no-deps", "--format-version", "1", capture=True)
    return Path(json.loads(told)["target_directory"])


def cargo(root, *arguments, capture=False):
    output = subprocess.PIPE if capture else sys.stderr
    return subprocess.run(["cargo", *arguments], cwd=root, check=True, stdout=output).stdout


def digest(files):
    together = hashlib.sha256()
    for file in files:
        together.update(file.read_bytes())
    return together.hexdigest()[:12]


def say(text):
    print(text, file=sys.stderr, flush=True)
