"""Measures everyone who does one piece of work, in turn, and checks what each has made."""

import os
import shutil
from dataclasses import dataclass, field
from statistics import median
from typing import Callable

from comparison import measure


@dataclass
class Contender:
    """One way to do the work. `probe` tells what was made, so that it can be compared."""

    name: str
    command: list
    probe: Callable
    output: str = "out"
    environment: dict = field(default_factory=dict)
    given: str | None = None
    runs: list = field(default_factory=list)
    made: object = None
    peak_bytes: int = 0
    size: int = 0
    failure: str | None = None

    def seconds(self):
        return [run.seconds for run in self.runs]


def hold(contenders, folder, runs, timeout, same):
    """Run everyone once to warm up and for its memory, then `runs` times in turn: A B A B. `same`
    compares what two have made. Whoever fails, or makes something else than the first, is out and
    says why."""
    for turn in range(runs + 1):
        for contender in contenders:
            if contender.failure is None:
                take_turn(contender, folder, timeout, first=turn == 0)
            if contender.failure is None:
                reference = next(other for other in contenders if other.made is not None)
                if not same(reference.made, contender.made):
                    contender.failure = (
                        f"made something else than {reference.name}: {shortened(contender.made)}, "
                        f"not {shortened(reference.made)}"
                    )


def take_turn(contender, folder, timeout, first):
    place = folder / "turn"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    # What the one before has left to write is not this one's to wait for.
    os.sync()
    command = [argument.replace("{place}", str(place)) for argument in contender.command]
    output = place / "stdout"
    measured = measure.memory_of if first else measure.time_of
    run = measured(command, output, timeout, contender.environment, contender.given)
    if run.status != 0:
        last = run.errors.splitlines()[-1] if run.errors else "no message"
        contender.failure = f"exit status {run.status}: {last}"
    else:
        try:
            contender.made = contender.probe(place / contender.output)
            contender.size = bytes_under(place / contender.output)
        except Exception as error:  # whatever is wrong with it, say so and go on
            contender.failure = f"nothing usable made: {error}"
    if first:
        contender.peak_bytes = run.peak_bytes
    else:
        contender.runs.append(run)
    shutil.rmtree(place)


def bytes_under(path):
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def shortened(made):
    text = str(made)
    return text if len(text) <= 80 else text[:80] + "…"


def table(contenders):
    """A markdown table: medians, and how many times energydb's each is."""
    lines = [
        "| by | wall time, median (min–max) | ÷ energydb (min–max) | peak memory | made |",
        "|---|---|---|---|---|",
    ]
    base = contenders[0]
    for contender in contenders:
        if contender.failure is not None:
            failure = contender.failure.replace("|", "\\|")
            lines.append(f"| {contender.name} | failed: {failure} | | | |")
            continue
        seconds = contender.seconds()
        lines.append(
            f"| {contender.name} | {span(seconds, duration)} | {ratio(base, contender)} "
            f"| {contender.peak_bytes / 2**20:,.0f} MiB "
            f"| {size(contender.size)} |"
        )
    return "\n".join(lines)


def ratio(base, contender):
    """Each run against energydb's run of the same turn."""
    if base.failure is not None:
        return ""
    ratios = [theirs / ours for theirs, ours in zip(contender.seconds(), base.seconds())]
    if contender is base:
        return "1"
    return span(ratios, lambda value: f"{value:.2f}" if value < 10 else f"{value:.0f}")


def span(values, text):
    return f"{text(median(values))} ({text(min(values))}–{text(max(values))})"


def duration(seconds):
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def size(count):
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB"
