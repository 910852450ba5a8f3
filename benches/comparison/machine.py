"""Says what ran, and on what."""

import datetime
import os
import platform
import sqlite3
import subprocess
from pathlib import Path

from comparison import measure


def described(setup, folder):
    """A markdown list: day, machine, and the version of everything measured."""
    energydb, python, shell = setup.energydb, setup.python, setup.sqlite3
    facts = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{cpu()}, {os.cpu_count()} cores, {memory()}, {platform.system()} "
        f"{platform.release()}",
        "energydb": f"{first_line([energydb, '--version'])}, source {revision(setup.root)}, "
        f"SQLite {bundled_sqlite(energydb)}, {first_line(['rustc', '--version'])}",
        "sqlite3 shell": " ".join(first_line([shell, "--version"]).split()[:2]),
        "Python": f"{platform.python_version()} with SQLite {sqlite3.sqlite_version}",
        "packages": packages(python),
        "peak memory": f"of the process and its children, in the first run; a process that does "
        f"nothing reads {measure.floor(folder) / 2**20:.0f} MiB",
    }
    return "\n".join(f"- {name}: {fact}" for name, fact in facts.items())


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"({error.strerror})"
    lines = done.stdout.splitlines()
    return lines[0] if done.returncode == 0 and lines else "(version unknown)"


def bundled_sqlite(energydb):
    query = [energydb, "query", "--sql", "select sqlite_version() as version", "--format", "json"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, check=False)
    except OSError:
        return "(version unknown)"
    digits = "".join(c for c in done.stdout if c.isdigit() or c == ".")
    return digits if done.returncode == 0 and digits else "(version unknown)"


def revision(root):
    commit = first_line(["git", "-C", root, "rev-parse", "--short", "HEAD"])
    changed = subprocess.run(
        ["git", "-C", root, "diff", "--quiet", "HEAD"], capture_output=True, check=False
    )
    return commit + (" with changes" if changed.returncode == 1 else "")


def packages(python):
    script = (
        "from importlib.metadata import version\n"
        "print(', '.join(f'{name} {version(name)}' for name in "
        "('sqlite-utils', 'pandas', 'numpy', 'duckdb')))"
    )
    return first_line([python, "-c", script])


def cpu():
    for line in lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def memory():
    for line in lines("/proc/meminfo"):
        if line.startswith("MemTotal"):
            return f"{int(line.split()[1]) / 2**20:.0f} GiB"
    return "memory unknown"


def lines(path):
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
