#!/usr/bin/env python3
"""Runs the physics benchmark against Debian's Chipmunk and Box2D and writes its section of
BENCHMARKS.md, and every figure as a JSON line on standard output.

The engines take turns, several rounds, and medians of the rounds are compared: ratios hold where
times wander. BOX2D3=/path/to/program adds Box2D v3, built elsewhere from bench_box2d3.c; VERSION3
names its version and flags. ROUNDS=n changes the rounds; SKIP_LARGE=1 leaves out the worlds of
10 000, which take most of the time. `--only snapshots` and `--only list` measure that part alone,
without the peers, and replace that part alone; so does `--only bounds`. `--only joints` prints the mechanisms of joints, beside
Box2D v3's if BOX2D3_JOINTS=/path/to/program names what was built from bench_box2d3_joints.c.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from report import processor, replace_section  # noqa: E402

SERVER = ROOT / ".build/release/stickerpit"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
# scene, shapes, bodies, warm-up, steps
RUNS = [
    ("pit", "mix", 1000, 120, 600),
    ("pit", "circles", 1000, 120, 600),
    ("pit", "boxes", 1000, 120, 600),
    ("settled", "mix", 1000, 600, 600),
    ("settled", "circles", 1000, 600, 600),
    ("settled", "boxes", 1000, 600, 600),
    ("pit", "mix", 10000, 120, 120),
    ("settled", "mix", 10000, 600, 120),
]
MIX, SETTLED = RUNS[0], RUNS[3]
# Stickers of the whole pit that is saved and restored.
PIT = 1000
if os.environ.get("SKIP_LARGE"):
    RUNS = [run for run in RUNS if run[2] <= 1000]
LARGE = [run for run in RUNS if run[2] > 1000]
DOUBLINGS = [1000, 2000, 4000, 8000, 16000]
# Mechanisms of joints: scene, bodies.
MECHANISMS = [("grid", 900), ("grid", 3600), ("bridge", 160), ("ragdolls", 4000), ("cradle", 5)]
# The markers of the parts of the section that can be replaced alone.
SNAPSHOTS = "physics snapshots"
LIST = "physics list"
BOUNDS = "physics bounds"
# One elastic body may make a step of a thousand at most so many times as dear.
ELASTIC_AT_MOST = 1.2
# All bodies in one place: how many, and what the dearest step may take of time and of memory.
CROWDS = [(1000, 25, 16), (4000, 100, 64)]
# What a tick of a springy list of 500 cells may take, in µs.
LIST_LIMIT = 1000
# What saving and restoring a whole pit of `PIT` may take together, in µs, and where.
BOTH_LIMITS = {"native": 60, "WebAssembly": 120}
# What came out worse than it may; the run fails by it at its end.
failures = []
# Rest speed is the luck of one slow roll: its median over neighbouring worlds says more.
NEIGHBOURS = [980, 990, 1000, 1010, 1020]


def lines(command, **options):
    text = subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def build(folder):
    """Compiles the peers and the quality check into `folder`."""
    def compile(*command):
        subprocess.run(command, check=True, cwd=HERE)

    compile("gcc", "-O3", "-DNDEBUG", "bench_chipmunk.c", "-lchipmunk", "-lm", "-o", f"{folder}/chipmunk")
    compile("g++", "-O3", "-DNDEBUG", "bench_box2d24.cpp", "-lbox2d", "-o", f"{folder}/box2d24")
    compile("gcc", "-O3", "-w", "quality.c", "-lm", "-o", f"{folder}/quality")
    engines = {"Chipmunk": f"{folder}/chipmunk", "Box2D 2.4.1": f"{folder}/box2d24"}
    if os.environ.get("BOX2D3"):
        engines["Box2D v3"] = os.environ["BOX2D3"]
    return engines


def ours(scene, shapes, bodies, warmup, steps, *more):
    command = [SERVER, "bench", "physics", "--scene", scene, "--shapes", shapes]
    command += ["--bodies", str(bodies), "--warmup", str(warmup), "--steps", str(steps), "--json"]
    return lines(command + list(more))[0]


def theirs(program, scene, shapes, bodies, warmup, steps, *more):
    name = "settled-nosleep" if scene == "settled" else scene
    return lines([program, name, shapes, str(bodies), str(warmup), str(steps), *more])[0]


def compare(engines, run):
    """Median step in ms of every engine, and the spread of ours."""
    is_large = run[2] > 1000
    times = {name: [] for name in ["Sticker Pit", *engines]}
    for _ in range(min(ROUNDS, 3) if is_large else ROUNDS):
        times["Sticker Pit"].append(ours(*run)["p50_ms"])
        for name, program in engines.items():
            # Box2D 2.4.1 takes more than four minutes for a large round.
            if not (is_large and name == "Box2D 2.4.1"):
                times[name].append(theirs(program, *run)["p50"])
    times = {name: t for name, t in times.items() if t}
    for name, t in times.items():
        record(run=run[:3], engine=name, step_ms=statistics.median(t), rounds=t)
    return {name: (statistics.median(t), min(t), max(t)) for name, t in times.items()}


def cell(middle, low, high):
    return f"{middle:.3f} ({low:.3f}–{high:.3f})"


def record(**values):
    print(json.dumps(values), flush=True)


def package(name):
    query = ["dpkg-query", "-W", "-f", "${Version}", name]
    return subprocess.run(query, capture_output=True, text=True).stdout or "unknown"


def quality(folder, dump):
    return lines([f"{folder}/quality", dump])[0]


def main():
    with tempfile.TemporaryDirectory() as folder:
        engines = build(folder)
        out = header()
        out += ["### Time", "", "Median step in ms over the rounds (fastest–slowest round).", ""]
        names = ["Sticker Pit", *engines]
        out += ["| scene | " + " | ".join(names) + " | ours against each |"]
        out += ["|---" * (len(names) + 2) + "|"]
        for run in RUNS:
            print("timing", *run[:3], file=sys.stderr)
            result = compare(engines, run)
            cells = [cell(*result[name]) if name in result else "–" for name in names]
            mine = result["Sticker Pit"][0]
            ratios = ", ".join(f"{mine / result[name][0]:.2f}×" if name in result else "–" for name in engines)
            out.append(f"| {run[0]} {run[1]} {run[2]} | " + " | ".join(cells) + f" | {ratios} |")
        out += scaling() + stages() + ["", f"<!-- {SNAPSHOTS} -->", *snapshots(), f"<!-- /{SNAPSHOTS} -->"]
        out += ["", f"<!-- {LIST} -->", *springy_list(), f"<!-- /{LIST} -->"]
        out += ["", *mechanisms(), "", f"<!-- {BOUNDS} -->", *bounds(), f"<!-- /{BOUNDS} -->"]
        out += wasm() + qualities(folder, engines)
        replace_section("physics", "\n".join(out))


def header():
    v3 = f"Box2D v3 is {os.environ.get('VERSION3', 'of an unnamed version')}. " if os.environ.get("BOX2D3") else ""
    return [
        "## Physics", "",
        f"Written by `make bench-physics`. {processor()}, {os.cpu_count()} cores, Linux {platform.release()};",
        f"load at the start {os.getloadavg()[0]:.1f}. Debian's libchipmunk-dev {package('libchipmunk-dev')} (its",
        f"debug checks are on) and libbox2d-dev {package('libbox2d-dev')}. {v3}{ROUNDS} rounds (at most 3 at 10 000 bodies,",
        "there without Box2D 2.4.1, which takes minutes for one), engines in turn. Every engine runs one thread and does not sleep.", "",
    ]


def scaling():
    medians, means, worst = {}, {}, {}
    for _ in range(ROUNDS):
        for n in DOUBLINGS:
            run = ours("pit", "mix", n, 120, 600)
            medians.setdefault(n, []).append(run["p50_ms"])
            means.setdefault(n, []).append(run["mean_ms"])
            worst.setdefault(n, []).append(run["p99_ms"])
        medians.setdefault("sizes", []).append(ours("pit", "sizes", 1000, 120, 300)["p50_ms"])
        medians.setdefault("mix", []).append(ours("pit", "mix", 1000, 120, 300)["p50_ms"])
    m = {k: statistics.median(v) for k, v in medians.items()}
    out = ["", "Bodies in the moving pit: " + ", ".join(f"{n}: {m[n]:.3f} ms" for n in DOUBLINGS) + "."]
    record(doublings={str(k): v for k, v in m.items()})
    mean = {n: statistics.median(means[n]) for n in DOUBLINGS}
    pairs = zip(DOUBLINGS, DOUBLINGS[1:])
    out += ["Each doubling costs by mean " + ", ".join(f"{mean[b] / mean[a]:.2f}×" for a, b in pairs) + " (2.2 may be)."]
    tails = [
        f"{n}: {mean[n] / m[n]:.2f}× and {statistics.median(worst[n]) / m[n]:.2f}×" for n in DOUBLINGS
    ]
    out += ["The mean and the 99th percentile against the median (1.08 and 1.6 may be): " + ", ".join(tails) + "."]
    return out + [f"Sizes mixed 1:10 cost {m['sizes'] / m['mix']:.2f}× of equal sizes.", ""]


def stages():
    out = ["### Stages of a step", "", "| scene | pairs | contacts | solve | integrate | sleep |", "|---|---|---|---|---|---|"]
    for run in RUNS:
        r = ours(*run, "--stages")
        names = ["pairs_us", "contacts_us", "solve_us", "integrate_us", "sleep_us"]
        out.append(f"| {run[0]} {run[1]} {run[2]}, µs | " + " | ".join(str(r[n]) for n in names) + " |")
    return out


def snapshots():
    out = ["### Snapshots", "", "Into memory that is kept; medians. The world alone:", ""]
    out += ["| scene | save µs | restore µs | bytes a body | after caches were dropped |", "|---|---|---|---|---|"]
    for run in [MIX, SETTLED]:
        results = [ours(*run, "--snapshots") for _ in range(ROUNDS)]
        save = statistics.median(r["save_us"] for r in results)
        restore = statistics.median(r["restore_us"] for r in results)
        sizes = [results[0][key] / run[2] for key in ("snapshot_bytes", "join_bytes")]
        record(run=run[:3], save_us=save, restore_us=restore, bytes_a_body=sizes)
        out.append(f"| {run[0]} {run[2]} | {save:.1f} | {restore:.1f} | {sizes[0]:.1f} | {sizes[1]:.1f} |")
    return out + pits()


def springy_list():
    """The list of the example SpringyList: all cells scrolled and stepped in each tick."""
    out = ["### A springy list", "", "Cells on springs of their own, all of them scrolled in each tick; medians of the rounds.", ""]
    out += ["| cells | a tick µs | p99 µs |", "|---|---|---|"]
    for cells in [100, 500, 2000]:
        results = [lines([SERVER, "bench", "list", "--cells", str(cells), "--json"])[0] for _ in range(ROUNDS)]
        p50, p99 = (statistics.median(r[key] for r in results) for key in ("p50_us", "p99_us"))
        record(list=cells, p50_us=p50, p99_us=p99)
        out.append(f"| {cells} | {p50:.1f} | {p99:.1f} |")
        if cells == 500 and p50 > LIST_LIMIT:
            failures.append(f"a tick of a springy list of 500 cells takes {p50:.1f} µs, more than {LIST_LIMIT}")
    return out + ["", f"500 cells may take {LIST_LIMIT} µs."]


def mechanisms():
    """Mechanisms of joints: a step's time, and how far apart their anchors came at most."""
    program = os.environ.get("BOX2D3_JOINTS")
    out = ["### Joints", "", "Median step in ms over the rounds, and the largest anchor error in points; 600 steps after 120.", ""]
    out += ["| scene | Sticker Pit | error | Box2D v3 | error | ours against it |", "|---" * 6 + "|"]
    for scene, bodies in MECHANISMS:
        times, errors = {"ours": [], "Box2D v3": []}, {}
        for _ in range(ROUNDS):
            run = ours(scene, "mix", bodies, 120, 600)
            times["ours"].append(run["p50_ms"])
            errors["ours"] = run["anchor_error_pt"]
            if program:
                run = lines([program, scene, str(bodies), "120", "600"])[0]
                times["Box2D v3"].append(run["p50_ms"])
                errors["Box2D v3"] = run["anchor_error_pt"]
        middle = {name: statistics.median(t) for name, t in times.items() if t}
        record(mechanism=[scene, bodies], step_ms=middle, anchor_error_pt=errors)
        cells = [f"{scene} {bodies}", f"{middle['ours']:.4f}", f"{errors['ours']:.2f}"]
        if program:
            theirs_ms = middle["Box2D v3"]
            cells += [f"{theirs_ms:.4f}", f"{errors['Box2D v3']:.2f}", f"{middle['ours'] / theirs_ms:.2f}×"]
        else:
            cells += ["–"] * 3
        out.append("| " + " | ".join(cells) + " |")
    return out


def bounds():
    """What a single elastic body, and bodies that all lie in one place, may cost."""
    out = ["### Bounds", ""]
    steps = {"pit": [], "elastic": []}
    for _ in range(ROUNDS):
        for scene, times in steps.items():
            times.append(ours(scene, "mix", PIT, 120, 600)["mean_ms"])
    without, with_one = (statistics.median(steps[scene]) for scene in ("pit", "elastic"))
    ratio = with_one / without
    record(elastic=PIT, step_ms=with_one, without_ms=without, ratio=ratio)
    out += [
        f"A moving pit of {PIT} takes {without:.3f} ms a step, and with one elastic body among them {with_one:.3f} ms: "
        f"**{ratio:.2f}×**, of {ELASTIC_AT_MOST}× that it may.", "",
    ]
    out += ["| bodies in one place | dearest step ms | may take | process's memory MB | of which the steps | may take |", "|---" * 6 + "|"]
    for bodies, most_ms, most_mb in CROWDS:
        runs = [ours("crowd", "mix", bodies, 0, 60) for _ in range(ROUNDS)]
        ms, peak, mb = (statistics.median(r[key] for r in runs) for key in ("max_ms", "peak_mb", "grown_mb"))
        record(crowd=bodies, max_ms=ms, peak_mb=peak, grown_mb=mb)
        out.append(f"| {bodies} | {ms:.1f} | {most_ms} | {peak:.1f} | {mb:.1f} | {most_mb} |")
    return out


def pits():
    """Times of a whole pit: with the animator, the scene's rules, hands and chance."""
    native = [SERVER, "bench", "snapshots", "--bodies", str(PIT), "--json"]
    ways = {"native": native, "native, all moves": [*native, "--tilt"]}
    if (ROOT / ".build-wasm/bench.wasm").exists():
        ways["WebAssembly"] = ["node", HERE / "copies.mjs", str(PIT)]
        ways["WebAssembly, all moves"] = ["node", HERE / "copies.mjs", "--tilt", str(PIT)]
    else:
        failures.append("a pit in WebAssembly was not measured: .build-wasm/bench.wasm is missing (make bench-module)")
    results = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, command in ways.items():
            results[way].append(lines(command)[0])
    out = ["", f"A whole pit of {PIT} stickers, ten seconds old; a copy is what a rollback begins with.", ""]
    out += ["| where | save µs | restore µs | both µs | copy µs | hash µs | bytes |", "|---" * 7 + "|"]
    for way, rounds in results.items():
        for r in rounds:
            r["both_us"] = r["save_us"] + r["restore_us"]
        kinds = ["save_us", "restore_us", "both_us", "assign_us", "hash_us"]
        medians = {kind: statistics.median(r[kind] for r in rounds) for kind in kinds}
        record(pit=way, stickers=rounds[0]["bodies"], **medians, bytes=rounds[0]["bytes"])
        cells = " | ".join(f"{medians[kind]:.1f}" for kind in kinds)
        out.append(f"| {way} | {cells} | {rounds[0]['bytes']} |")
        limit = BOTH_LIMITS[way.split(",")[0]]
        if medians["both_us"] > limit:
            failures.append(f"saving and restoring a pit, {way}, take {medians['both_us']:.1f} µs, more than {limit}")
    return out + [
        "", f"Save and restore together may take {BOTH_LIMITS['native']} µs natively and "
        f"{BOTH_LIMITS['WebAssembly']} µs in WebAssembly, whether all lies still or moves. A rollback uses neither:",
        "it copies. Bytes are for who joins and for journals; restoring trusts nothing in them.",
    ]


def wasm():
    if not (ROOT / ".build-wasm/bench.wasm").exists():
        return []
    out = ["", "### WebAssembly", "", "| scene | native ms | node ms | ratio | same hash |", "|---|---|---|---|---|"]
    for kind, run in enumerate([MIX, SETTLED]):
        native, node = [], []
        for _ in range(ROUNDS):
            native.append(ours(*run))
            arguments = [str(kind), str(run[2]), str(run[3]), str(run[4])]
            node.append(lines(["node", HERE / "wasm.mjs", *arguments])[0])
        a = statistics.median(x["p50_ms"] for x in native)
        b = statistics.median(x["p50_ms"] for x in node)
        record(run=run[:3], native_ms=a, node_ms=b)
        same = "yes" if native[0]["hash"] == node[0]["hash"] else "NO"
        out.append(f"| {run[0]} {run[2]} | {a:.3f} | {b:.3f} | {b / a:.2f} | {same} |")
    return out


def qualities(folder, engines):
    out = ["", "### Quality", "", "Overlap in points from dumps of every tenth step; rest speed in pt/s.", ""]
    out += ["| scene | engine | worst | mean of frame maxima | p99 | escaped | rest speed |", "|---|---|---|---|---|---|---|"]
    for run in [MIX, SETTLED, *LARGE]:
        dumps = {"Sticker Pit": ours, "Sticker Pit, chain": lambda *a: ours(*a, "--chain")}
        for name, bench in dumps.items():
            bench(*run, "--dump", f"{folder}/dump")
            out.append(row(run, name, quality(folder, f"{folder}/dump")))
        for name, program in engines.items():
            # Its large worlds take minutes, and say nothing that the small ones don't.
            if run[2] > 1000 and name == "Box2D 2.4.1":
                continue
            theirs(program, *run, f"{folder}/dump")
            out.append(row(run, name, quality(folder, f"{folder}/dump")))
    return out + rest_speeds(folder, engines)


def rest_speeds(folder, engines):
    """Median rest speed of neighbouring worlds."""
    names = ["Sticker Pit", *[name for name in engines if name == "Box2D v3"]]
    out = ["", f"Rest speed of settled worlds of {NEIGHBOURS} bodies, pt/s:", ""]
    for name in names:
        speeds = []
        for n in NEIGHBOURS:
            run = (SETTLED[0], SETTLED[1], n, *SETTLED[3:])
            if name == "Sticker Pit":
                ours(*run, "--dump", f"{folder}/dump")
            else:
                theirs(engines[name], *run, f"{folder}/dump")
            speeds.append(quality(folder, f"{folder}/dump")["rms_speed_end"])
        record(engine=name, rest_speeds=speeds)
        listed = ", ".join(f"{speed:.4f}" for speed in speeds)
        out.append(f"- {name}: median {statistics.median(speeds):.4f} ({listed})")
    return out


def row(run, name, q):
    rest = f"{q['rms_speed_end']:.4f}" if run[0] == "settled" else ""
    return (
        f"| {run[0]} {run[2]} | {name} | {q['maxpen_bb']} | {q['mean_framemax']} | {q['p99pen']} "
        f"| {q['escaped']} | {rest} |"
    )


parser = argparse.ArgumentParser(description="Measures the physics beside its peers.")
parser.add_argument("--only", choices=["snapshots", "list", "joints", "bounds"], help="this part alone")
only = parser.parse_args().only
if only == "snapshots":
    replace_section(SNAPSHOTS, "\n".join(snapshots()))
elif only == "joints":
    print("\n".join(mechanisms()))
elif only == "bounds":
    replace_section(BOUNDS, "\n".join(bounds()))
elif only == "list":
    replace_section(LIST, "\n".join(springy_list()))
else:
    main()
if failures:
    sys.exit("\n".join(failures))
