"""Writes sections of BENCHMARKS.md, each between its own two markers, so that every benchmark
rewrites its own figures and nobody else's."""
import fcntl
import platform
import subprocess
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "BENCHMARKS.md"
HEAD = "# Benchmarks\n"


def commit():
    """Which sources were measured: the last commit's short name, and whether anything was changed since."""
    command = ["git", "describe", "--always", "--dirty=, with changes", "--exclude=*"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FILE.parent)
    return told.stdout.strip() or "sources outside a repository"


def processor():
    """The processor's model, as the kernel names it."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def replace_section(name, text, file=FILE):
    """Puts `text` (Markdown) between `<!-- name -->` and `<!-- /name -->`; appends both if missing."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    with open(file, "a+", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        handle.seek(0)
        old = handle.read() or HEAD
        section = f"{begin}\n{text.strip()}\n{end}"
        start, stop = old.find(begin), old.find(end)
        if (start < 0) != (stop < 0) or stop < start:
            raise SystemExit(f"{file}: the markers of '{name}' don't match")
        if start < 0:
            new = old.rstrip() + "\n\n" + section + "\n"
        else:
            new = old[:start] + section + old[stop + len(end):]
        handle.truncate(0)
        handle.write(new)
