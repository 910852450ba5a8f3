"""Runs one process and measures its wall time or the peak memory of it and its children.

The kernel counts the memory of whoever started a process as that process's own until it becomes
another program, and this interpreter has more of it than a small program ever takes. So memory is
measured in a run of its own, started by a small shell that ends at once and leaves the process to
this one; time is measured without the shell.
"""

import ctypes
import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

THROUGH_SHELL = ["sh", "-c", 'exec 3<&0; "$@" <&3 3<&- &', "sh"]
PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Run:
    """One finished process."""

    seconds: float
    peak_bytes: int
    status: int
    errors: str


def time_of(command, output, timeout, environment=None, given=None):
    """Run the command, standard output to the file `output`, standard input from `given`."""
    return run(command, output, timeout, environment, given, lambda child: child)


def memory_of(command, output, timeout, environment=None, given=None):
    """The same, for its peak memory; what it says of time includes the shell's."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this system does not pass orphaned processes on")

    def orphan(shell):
        os.waitpid(shell, 0)
        return -1  # whichever child there is: the one that the shell has left

    return run([*THROUGH_SHELL, *command], output, timeout, environment, given, orphan)


def run(command, output, timeout, environment, given, awaited):
    errors_path = Path(f"{output}.errors")
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        become(command, output, errors_path, environment, given)
    watchdog = threading.Timer(timeout, os.killpg, (child, signal.SIGKILL))
    watchdog.start()
    try:
        _, status, usage = os.wait4(awaited(child), 0)
    except BaseException:  # interrupted: the command is in a session of its own, and would go on
        os.killpg(child, signal.SIGKILL)
        raise
    finally:
        watchdog.cancel()
    seconds = time.perf_counter() - start
    errors = errors_path.read_text(errors="replace").strip()
    errors_path.unlink()
    exit_status = os.waitstatus_to_exitcode(status)
    if exit_status == -signal.SIGKILL and seconds >= timeout:
        errors = f"stopped after {timeout} s"
    return Run(seconds, usage.ru_maxrss * 1024, exit_status, errors)


def become(command, output, errors_path, environment, given):
    """Turn this process, just forked, into the command."""
    try:
        os.setsid()
        made = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(given or os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(output, made, 0o644), 1)
        os.dup2(os.open(errors_path, made, 0o644), 2)
        os.execvpe(command[0], command, {**os.environ, **(environment or {})})
    except OSError as error:
        os.write(2, f"could not run {command[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def floor(folder):
    """The peak that is read for a process that does nothing."""
    return memory_of(["true"], Path(folder, "floor"), 60).peak_bytes
