#!/usr/bin/env python3
"""How old the frames are that slow readers read, what the others notice of them, and what they cost the
server's memory: the real server, readers of so many bytes a second, and the fan-out benchmark's clients,
which read at once. Prints JSON, one object a run, writes the section "Slow readers" of BENCHMARKS.md, and
fails where frames were older than promised."""
import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Benchmarks/fanout"), str(ROOT / "Tests"), str(ROOT / "Tests/Interop")]

import engines  # noqa: E402
import reader  # noqa: E402
from pitserver import PitServer, until  # noqa: E402
from report import replace_section  # noqa: E402

# What a slow reader reads is at most so old; a keyframe, with which each rate begins, by the time that it
# takes to be read itself more.
PROMISED_MS = 300
# Of 60, what the slowest of the others gets at least, and how much memory may come on top while they
# read: there is none that slow readers need.
LEAST_FRAMES, MOST_GROWTH_MB = 59, 2


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def resident(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def read(server, count, rate, options, is_calm_first):
    """Runs so many readers of so many bytes a second (None: they read at once); gives them, one more
    that reads at once, and the server's memory before and after."""
    begins = time.monotonic() + options.warm_up
    ends = begins + options.seconds
    calm = begins if is_calm_first else 0
    more = [reader.Reader(server.port, rate, calm) for _ in range(count)]
    prompt = reader.Reader(server.port, calm_until=calm)
    running = [asyncio.create_task(one.run(ends)) for one in [*more, prompt]]
    await asyncio.sleep(options.warm_up)
    before = resident(server)
    await asyncio.gather(*running)
    return more, prompt, before, resident(server)


def measure(load, options, count, rate, is_calm_first=False):
    """A run with so many readers of so many bytes a second, and as many others as there always are. If
    it is calm first, nothing moves in the warm-up, and all that is measured begins with a storm."""
    server = PitServer("--bodies", options.bodies, "--seed", 1, checks_frames=False)
    # Whoever joins the state stream comes into step within 8 s.
    flags = {
        "port": server.port, "clients": options.clients - options.slow, "stream": "state",
        "hz": 60, "tilt-hz": 0 if is_calm_first else 15, "warmup": 10, "seconds": options.seconds,
    }  # fmt: skip
    command = [load, *(str(word) for name, value in flags.items() for word in (f"--{name}", value))]
    others = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        until(lambda: server.health()["people"] == flags["clients"])
        more, prompt, before, after = asyncio.run(read(server, count, rate, options, is_calm_first))
        health = server.health()
        lines = [json.loads(line) for line in others.communicate()[0].splitlines()]
    finally:
        others.kill()
        others.wait()
        server.stop()
    return summary(options, rate, more, prompt, health, lines[-1], before, after)


def age(arrival, start):
    """How old a frame was, in milliseconds."""
    return 1000 * (arrival.when - arrival.tick / 60 - start)


def counted_age(arrival, start, rate):
    """The same without the time that a keyframe itself takes at so many bytes a second."""
    return age(arrival, start) - (1000 * arrival.bytes / rate if arrival.is_keyframe else 0)


def read_since(readers, first):
    """What they read after the warm-up."""
    return [arrival for one in readers for arrival in one.arrivals if arrival.when >= first]


def summary(options, rate, more, prompt, health, others, before, after):
    # What the one that reads at once read soonest after its tick is taken for the time of the tick.
    start = min(one.when - one.tick / 60 for one in prompt.arrivals)
    first = min(one.when for one in prompt.arrivals) + options.warm_up
    read = read_since(more, first)
    late = [age(one, start) for one in read]
    soon = [age(one, start) for one in read_since([prompt], first)]
    result = {
        "bodies": options.bodies, "clients": options.clients, "more": len(more),
        "prompt_age_p99_ms": round(percentile(soon, 0.99), 1),
        "others_frames_per_second": round(others["frames_per_second"], 2),
        "others_frames_per_second_least": round(others["frames_per_second_least"], 2),
        "others_due_p50_ms": others["due_p50_ms"], "others_due_p99_ms": others["due_p99_ms"],
        "others_behind": others["clients_behind"],
        "late_p99_us": health["late"]["p99"],
        "resident_before_mb": round(before, 1), "resident_after_mb": round(after, 1),
    }  # fmt: skip
    if more:
        result |= {
            # 0: as many as there are.
            "bytes_per_second": rate or 0,
            "age_p50_ms": round(percentile(late, 0.5), 1),
            "age_p99_ms": round(percentile(late, 0.99), 1),
            "age_max_ms": round(max(late), 1),
            "counted_age_max_ms": round(max(counted_age(one, start, rate) for one in read) if rate else max(late), 1),
            "frames_per_second": round(len(late) / len(more) / options.seconds, 1),
            "closed": sum(one.closed is not None for one in more),
        }
    return result


def medians(rows):
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


def broken(rows):
    """What of the promises was not kept, in words. The rows are those of slow readers."""
    too_old = [
        f"frames were {row['counted_age_max_ms']} ms old, keyframes' own time not counted, of {PROMISED_MS}"
        for row in rows
        if row["counted_age_max_ms"] > PROMISED_MS
    ]
    slowed = [
        f"one of the others got {row['others_frames_per_second_least']} frames a second, of {LEAST_FRAMES}"
        for row in rows
        if row["others_frames_per_second_least"] < LEAST_FRAMES
    ]
    grown = [
        f"memory grew by {growth:.1f} MB, of {MOST_GROWTH_MB}"
        for row in rows
        if (growth := row["resident_after_mb"] - row["resident_before_mb"]) > MOST_GROWTH_MB
    ]
    closed = sum(row["closed"] for row in rows)
    return too_old + slowed + grown + ([f"readers that were closed: {closed}"] if closed else [])


def section(alone, beside, together, storms, options):
    one, same, two, storm = (medians(rows) for rows in (alone, beside, together, storms))

    def others(row):
        return (
            f"{row['others_frames_per_second']} (least {row['others_frames_per_second_least']}) | "
            f"{row['others_due_p50_ms']} / {row['others_due_p99_ms']} | {row['resident_after_mb']}"
        )

    return f"""## Slow readers
`make bench-slow`: {options.clients - options.slow} clients that read at once (15 tilts a second each), {options.bodies} stickers in motion; without others, with {options.slow} more
that read at once, and with {options.slow} that read {options.rate} bytes a second with kernels of the usual size. The additional readers are programs
in Python on the same two cores, so the row in the middle tells what they cost the others by being there. Medians of {len(together)} rounds of {options.seconds} s.

| | the others' frames a second | after a tick was due, p50 / p99, ms | server's memory at the end, MB |
|---|---|---|---|
| nobody else | {others(one)} |
| {options.slow} more that read at once | {others(same)} |
| {options.slow} slow readers | {others(two)} |

Slow readers got {two['frames_per_second']} frames a second, and these were {two['age_p50_ms']} ms old (p99 {two['age_p99_ms']}, at most {max(row['age_max_ms'] for row in together)}) when the last byte was read: counted
from the moment at which a prompt reader could have them, so the frame's own reading time is part of it. {sum(row['closed'] for row in together)} of them were closed.
At most 0.3 s are aimed at, in worlds of this size. A larger one adds what its keyframe takes on the line, with which each change of the rate begins:
of 1000 stickers it has up to 6.8 kB ("Wire"), {6.8e6 / options.rate:.0f} ms at this rate.
Where a storm begins after {options.warm_up} s of rest, frames were at most {max(row['age_max_ms'] for row in storms)} ms old from then on (p99 {storm['age_p99_ms']}).
They may be {PROMISED_MS} ms old, and a keyframe, with which each rate begins, as much more as it takes to be read itself: beyond that the benchmark fails.
Memory grew by {round(two['resident_after_mb'] - two['resident_before_mb'], 1)} MB in that time, without slow readers by {round(one['resident_after_mb'] - one['resident_before_mb'], 1)}."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=331)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--slow", type=int, default=20)
    parser.add_argument("--rate", type=int, default=20_000, help="bytes a second of a slow reader")
    parser.add_argument("--warm-up", type=int, default=10, help="seconds before a reader counts")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    alone, beside, together, storms = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        load = engines.compile_load(folder)
        for _ in range(options.rounds):
            runs = [
                (alone, 0, None, False),
                (beside, options.slow, None, False),
                (together, options.slow, options.rate, False),
                (storms, options.slow, options.rate, True),
            ]
            for rows, count, rate, is_calm_first in runs:
                rows.append(measure(load, options, count, rate, is_calm_first))
                print(json.dumps(rows[-1] | {"calm_first": is_calm_first}), flush=True)
    if not options.no_report:
        replace_section("slow", section(alone, beside, together, storms, options))
    if said := broken(together + storms):
        raise SystemExit("not as promised: " + "; ".join(said))


if __name__ == "__main__":
    main()
