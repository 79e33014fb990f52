#!/usr/bin/env python3
"""The log of a party, and a world that follows it ahead of time (`stickerpit bench replica`): bits on the
wire, hashes, rollbacks and what they cost natively. Prints JSON, one object a run, and writes the section
"Replica stream" of BENCHMARKS.md. Fails where a hash differs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from report import commit, replace_section  # noqa: E402

STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))
BODIES = (331, 1000)


def measure(options, bodies, seed):
    """One run. It ends at the first hash that differs, which is a failure."""
    command = [STICKERPIT, "bench", "replica", "--json", "--bodies", bodies, "--seed", seed]
    command += ["--clients", options.phones, "--seconds", options.seconds, "--ahead", options.ahead]
    run = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    print(run.stdout.strip(), flush=True)
    if run.returncode:
        raise SystemExit(f"bench replica, {bodies} stickers, seed {seed}: {run.stderr.strip()}")
    # Stickers come and go in a party; the row is named after those at the start.
    return json.loads(run.stdout) | {"started_with": bodies}


def row(runs):
    """The runs of one number of stickers: medians, but for hashes, which are all counted."""

    def middle(key, factor=1, digits=2):
        return f"{statistics.median(run[key] for run in runs) * factor:.{digits}f}"

    seconds = runs[0]["ticks"] / 60
    cells = [
        runs[0]["started_with"], middle("kbit_per_s"), middle("snapshot_bytes", 1e-3, 1),
        sum(run["hashes_compared"] for run in runs), middle("rollbacks", 1 / seconds, 1),
        middle("replayed", 1 / seconds, 0), middle("tick_us_p50", 1e-3, 3),
        middle("follow_us_p50", 1e-3, 3), f"{middle('resim_ms_p50')}, {middle('resim_ms_p99')}",
    ]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def section(options, runs, told):
    lines = [
        "## Replica stream", "",
        f"Written by `make bench-replica` at commit {told['commit']}: `stickerpit bench replica`, natively on one thread,",
        f"load at the start {told['load']:.1f}. {options.phones} phones sway and report 15 times a second, a drop each 1.8 s and a throw each",
        f"2 s among all of them; {options.rounds} parties of {options.seconds} s with other seeds, medians. kbit/s are the records of one follower, a",
        "message a tick, without WebSocket's two bytes each; nobody drags, which adds 5 kbit/s for each finger as long as it moves.",
        "The snapshot is what joining costs once, here of stickers at rest. Of the hashes that are compared none may differ.",
        f"*Tick* is the server's part of a tick, *follow* that of the one who is {options.ahead} ticks ahead of the log, and *made anew*",
        "the same in ticks with a rollback, which is done at once here and not spread over pictures.", "",
        "| stickers | kbit/s | snapshot, kB | hashes compared | rollbacks a second | ticks run again a second"
        " | tick p50, ms | follow p50, ms | made anew p50, p99, ms |",
        "|---" * 9 + "|",
    ]  # fmt: skip
    for bodies in BODIES:
        lines.append(row([run for run in runs if run["started_with"] == bodies]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=60, help="of the world's time, of each run")
    parser.add_argument("--ahead", type=int, default=6, help="ticks by which the follower is ahead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", action="store_true", help="leave BENCHMARKS.md as it is")
    options = parser.parse_args()
    told = {"commit": commit(), "load": os.getloadavg()[0]}
    seeds = range(1, options.rounds + 1)
    runs = [measure(options, bodies, seed) for seed in seeds for bodies in BODIES]
    if not options.keep:
        replace_section("replica", section(options, runs, told))


if __name__ == "__main__":
    main()
