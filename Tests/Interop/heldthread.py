"""Holds one thread of a process that a test started, while all others go on: ptrace(2), by ctypes."""

import contextlib
import ctypes
import os
import pathlib
import platform

from pitserver import until

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
# Waits for a thread that is no child of ours itself.
ALL_KINDS = 0x40000000
# The number of clock_nanosleep(2), in which a thread that waits for its next deadline is.
SLEEPING = {"x86_64": "230", "aarch64": "115"}[platform.machine()]

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, thread):
    if libc.ptrace(request, thread, None, None) == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace of thread {thread}: {os.strerror(error)}")


def thread_of(process, name):
    """The number of the one thread that has a name."""
    found = [
        task.name
        for task in pathlib.Path(f"/proc/{process}/task").iterdir()
        if (task / "comm").read_text().strip() == name
    ]
    assert len(found) == 1, f"{len(found)} threads are called {name}"
    return int(found[0])


def stop(process, thread):
    """Stops a thread: whether it slept. One that works might have a lock that others wait for."""
    ptrace(SEIZE, thread)
    ptrace(INTERRUPT, thread)
    _, status = os.waitpid(thread, ALL_KINDS)
    assert os.WIFSTOPPED(status), status
    doing = pathlib.Path(f"/proc/{process}/task/{thread}/syscall").read_text().split()[0]
    if doing == SLEEPING:
        return True
    ptrace(DETACH, thread)
    return False


@contextlib.contextmanager
def held(process, name):
    """Holds the thread of that name, asleep between two deadlines, until the block ends."""
    thread = thread_of(process, name)
    until(lambda: stop(process, thread))
    try:
        yield
    finally:
        ptrace(DETACH, thread)
