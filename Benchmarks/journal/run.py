#!/usr/bin/env python3
"""What the journal costs a server, and how fast it is read back. The same server runs in turn without
a journal and with each durability, while bots play; each run ends with SIGKILL and a look at what
is left. `stickerpit bench journal` then times recovery and verification. Prints JSON, one object a
run, and writes the section "Journal" of BENCHMARKS.md.
"""
import argparse
import contextlib
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from report import replace_section  # noqa: E402

STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))
WAYS = ("none", "normal", "full")
PATIENCE = 60
# What `make soak-disk` left, if it ran here.
POWER_CUTS = ROOT / ".run/soak-disk-full.json"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path):
    """What the server answers, or None while nobody does."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, OSError):
        return None


def health(port):
    ends = time.monotonic() + PATIENCE
    while not (answer := ask(port, "/healthz")):
        if time.monotonic() > ends:
            raise SystemExit("the server never answered")
        time.sleep(0.05)
    return json.loads(answer)


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def play(options, way):
    """One server and its bots, for a while; ends with SIGKILL."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        command = [
            STICKERPIT, "serve", "--host", "127.0.0.1", "--port", port, "--web", ROOT / "web",
            "--bodies", options.bodies,
        ]  # fmt: skip
        if way != "none":
            command += ["--data", folder, "--durability", way]
        server = subprocess.Popen([*map(str, command)], stderr=subprocess.DEVNULL)
        stack.callback(server.kill)
        health(port)
        bots = subprocess.Popen(
            [STICKERPIT, "bots", "--url", f"ws://127.0.0.1:{port}/ws", "--count", str(options.bots)]
            + ["--seconds", str(options.seconds + 60), "--no-decoding", "--json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        stack.callback(bots.kill)
        time.sleep(2)
        began, used = time.monotonic(), processor_seconds(server)
        time.sleep(options.seconds)
        elapsed = time.monotonic() - began
        cores = (processor_seconds(server) - used) / elapsed
        metrics, last = ask(port, "/metrics"), health(port)
        server.send_signal(signal.SIGKILL)
        server.wait()
        result = {
            "journal": way, "late_p50_us": last["late"]["p50"], "late_p99_us": last["late"]["p99"],
            "cores": round(cores, 3), "ticks": last["tick"],
        }  # fmt: skip
        if way != "none":
            result |= left(folder, last, metrics)
    print(json.dumps(result), flush=True)
    return result


def left(folder, last, metrics):
    """What a killed server left, and how long its entries took."""
    check = subprocess.run(
        [STICKERPIT, "journal", "check", "--data", folder, "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    end = json.loads(check.stdout)
    quantile = r'stickerpit_journal_write_duration_seconds\{quantile="0.99"\} (\S+)'
    return {
        "write_p99_ms": round(float(re.search(quantile, metrics)[1]) * 1000, 2),
        "lost_ticks": max(0, last["tick"] - end["last"]),
        "bytes_per_tick": round(end["bytes"] / end["ticks"], 1),
    }


def read_back(options):
    """How fast a party's journal is read back."""
    results = []
    for bodies in (100, 1000):
        done = subprocess.run(
            [STICKERPIT, "bench", "journal", "--seconds", "600", "--bodies", str(bodies), "--json"]
            + ["--rounds", str(options.rounds)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        results.append(json.loads(done.stdout))
        print(done.stdout.strip(), flush=True)
    return results


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def priority():
    """Whose turn it was decides how late a tick is, so the section says it."""
    is_granted = os.geteuid() == 0 and os.cpu_count() > 1
    return f"The threads of tick and journal had {'' if is_granted else 'no '}real-time priority" + (
        ", because it ran as root." if is_granted else "."
    )


def power_cuts():
    """What the last soak of disks lost at most; nothing if there was none, or it found faults."""
    found = json.loads(POWER_CUTS.read_text() or "{}") if POWER_CUTS.exists() else {}
    if found.get("problem_count") != 0:
        return []
    cut, kill = (found["worst_loss"][kind]["ms"] for kind in ("power_cut", "kill"))
    return ["", f"In {found['power_cuts']} power cuts with `full` at most {cut} ms were lost,"
            f" in {found['kills']} kills {kill} ms (`make soak-disk`)."]  # fmt: skip


def section(options, runs, parties):
    lines = [
        "## Journal",
        "",
        f"The same server with {options.bodies} stickers and {options.bots} bots for {options.seconds} s,"
        f" {options.rounds} rounds in turn, medians (`make bench-journal`).",
        "*Write*: an entry of the journal, 99 of 100. *Lost*: ticks that a SIGKILL took, at most.",
        priority(),
        "",
        "| Journal | Ticks late, p50 | p99 | Cores | Write | Lost | Bytes a tick |",
        "|---|---|---|---|---|---|---|",
    ]
    for way in WAYS:
        mine = [run for run in runs if run["journal"] == way]
        row = f"| {way} | {median(mine, 'late_p50_us'):.0f} µs | {median(mine, 'late_p99_us'):.0f} µs"
        row += f" | {median(mine, 'cores'):.2f} |"
        if way == "none":
            row += " | | |"
        else:
            row += f" {median(mine, 'write_p99_ms'):.1f} ms | {max(run['lost_ticks'] for run in mine)}"
            row += f" | {median(mine, 'bytes_per_tick'):.0f} |"
        lines.append(row)
    lines += power_cuts()
    lines += [
        "",
        "Ten minutes of a party of 20 phones, read back. *Recovery* replays all of it behind one snapshot"
        " on one processor; *verification* has a snapshot each ten seconds and all processors.",
        "",
        "| Stickers | Recovery | Ticks a second | Verification | Times real time | Snapshot |",
        "|---|---|---|---|---|---|",
    ]
    for party in parties:
        lines.append(
            f"| {party['bodies']} | {party['recovery_s']:.2f} s"
            f" | {party['recovery_ticks_per_second']:.0f} | {party['verify_s']:.2f} s"
            f" | {party['verify_times_real_time']:.0f} | {party['snapshot_bytes'] / 1000:.1f} kB |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--bodies", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=30, help="of each run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", action="store_true", help="leave BENCHMARKS.md as it is")
    options = parser.parse_args()
    runs = [play(options, way) for _ in range(options.rounds) for way in WAYS]
    parties = read_back(options)
    if not options.keep:
        replace_section("journal", section(options, runs, parties))


if __name__ == "__main__":
    main()
