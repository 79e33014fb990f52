#!/usr/bin/env python3
"""Measures the state stream's codec and its rivals on the same traces in one run, prints one JSON
object a line, and writes the section "Wire" of BENCHMARKS.md.

    run.py [--reference DIR]     DIR holds gen.c and codec.c of the reference codec

Every codec decodes each frame in a second instance and compares. Bytes are payload plus 2 for the
WebSocket's header, the first tick left out.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import chromium
import formats
import section
import traces
from lattice import LatticeTrace
from report import replace_section

FOLDER = traces.ROOT / ".run/bench-codec"
REFERENCE_OPTIONS = {
    "strict": ["q=16", "an=1024", "small=1"],
    "visual": ["q=12", "an=1024", "small=1", "tolz=.75", "adapt", "vref=1"],
}
RATES = [30, 20, 10]


def lines(command, **options):
    text = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def ours(recording, profile, hz=60):
    command = [traces.SERVER, "bench", "codec", "--trace", f"{recording.stem}.npy", "--json"]
    row = lines(command + ["--profile", profile, "--hz", hz])[0]
    return {"codec": f"ours, {profile}", **row}


def served(recording, profile):
    """Headers and content as a server sends them, calm frames held back."""
    command = [traces.SERVER, "bench", "codec", "--trace", f"{recording.stem}.npy", "--json", "--served"]
    return {"codec": f"served, {profile}", **lines(command + ["--profile", profile])[0]}


def in_webassembly(recording, profile):
    """The same messages decoded natively, under node, and in Chromium by the page's module."""
    messages = recording.stem.with_suffix(".messages")
    command = [traces.SERVER, "bench", "codec", "--trace", f"{recording.stem}.npy", "--json", "--profile", profile]
    native, node = [], []
    for _ in range(3):
        native += lines(command + ["--record", messages])
        node += lines(["node", HERE / "wasm.mjs", messages])
    if {row["hash"] for row in native + node} != {native[0]["hash"]}:
        raise SystemExit(f"{recording.stem.name}: WebAssembly decodes to another world")
    # Of the median message: what else runs here touches it least.
    fastest = [min(row["p50_us"] for row in rows) * 1000 / recording.bodies for rows in (native, node)]
    page = chromium.measure(messages, recording.bodies, traces.ROOT / "web/pit.wasm") if chromium.is_there() else None
    messages.unlink()
    return {"codec": f"decoder, {profile}", "native_ns_per_body": fastest[0], "node_ns_per_body": fastest[1], "page": page}


def build_rivals():
    programs = []
    for name in ("gaffer", "colyseus"):
        program = FOLDER / name
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, HERE / f"rivals/{name}.c", "-lm"], check=True)
        programs.append(program)
    return programs


def reference_row(program, recording, profile):
    """The reference codec prints text, and reads traces below its working folder only."""
    command = [program, recording.stem.name, *REFERENCE_OPTIONS[profile]]
    run = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
    found = re.search(
        r"([\d.]+) B/tick.*enc +(\d+) dec +(\d+) ns/body +rms ([\d.]+) max ([\d.]+) pt", run.stdout
    )
    if run.returncode or not found:
        raise SystemExit(f"the reference codec failed on {recording.stem.name}: {run.stdout}{run.stderr}")
    size, encode, decode, rms, worst = map(float, found.groups())
    return {
        "codec": f"reference, {profile}", "frames": traces.TICKS - 1, "bytes_per_tick": size,
        "encode_ns_per_body": encode, "decode_ns_per_body": decode, "rms_error_pt": rms, "max_error_pt": worst,
    }


def measure_formats(stem):
    return formats.measure(LatticeTrace(stem))


def measure(recordings, programs, codec):
    """Yields a row for every codec and trace; what is timed runs alone."""
    def tagged(row, recording):
        return {**row, "trace": recording.stem.name, "solver": recording.solver, "scene": recording.scene,
                "seed": recording.seed, "bodies": recording.bodies}

    for recording in recordings:
        print("coding", recording.stem.name, file=sys.stderr)
        for profile in ("strict", "visual"):
            yield tagged(ours(recording, profile), recording)
        if not recording.is_test:
            continue
        for program in programs:
            yield tagged(lines([program, recording.stem])[0], recording)
        # The reference codec knows no body that goes.
        if codec and recording.scene != "churn":
            for profile in ("strict", "visual"):
                yield tagged(reference_row(codec, recording, profile), recording)
        if recording.scene in ("calm", "settled"):
            for profile in ("strict", "visual"):
                yield tagged(served(recording, profile), recording)
        if recording.scene == "party":
            for profile in ("strict", "visual"):
                yield tagged(in_webassembly(recording, profile), recording)
            for hz in RATES:
                yield tagged(ours(recording, "visual", hz), recording)

    tests = [recording for recording in recordings if recording.is_test]
    print("general formats, untimed", file=sys.stderr)
    with ProcessPoolExecutor(2) as pool:
        for recording, rows in zip(tests, pool.map(measure_formats, [r.stem for r in tests])):
            yield from (tagged(row, recording) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path, help="folder with the reference's gen.c and codec.c")
    parser.add_argument("--keep", action="store_true", help="leave the traces (1.3 GB) in .run/bench-codec")
    parser.add_argument("--no-report", action="store_true", help="leave BENCHMARKS.md alone")
    options = parser.parse_args()
    if options.reference and not (options.reference / "codec.c").is_file():
        parser.error(f"{options.reference} has no codec.c")
    started = time.time()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "traces").symlink_to(".")
    try:
        generator, codec = traces.build_reference(options.reference.resolve(), FOLDER) if options.reference else (None, None)
        recordings = traces.plan(FOLDER, bool(options.reference))
        head = section.machine()
        traces.record(recordings, generator)
        rows = []
        for row in measure(recordings, build_rivals(), codec):
            print(json.dumps(row), flush=True)
            rows.append(row)
        text = section.write(rows, head, bool(options.reference), time.time() - started)
        if not options.no_report:
            replace_section("codec", text)
    finally:
        if not options.keep:
            shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    main()
