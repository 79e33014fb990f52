#!/usr/bin/env python3
"""How many instructions a step of the physics takes, counted by valgrind: the same number on a busy
machine as on a quiet one, so that a change of 3 % is seen at once, which no clock shows. Prints JSON,
one object a scene, and compares with the section "Instructions" of BENCHMARKS.md; fails where a
scene takes over 3 % more. `--write` puts the new numbers there, to be committed with their reason.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from report import FILE, replace_section  # noqa: E402

STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))
# Of the growth that is not asked about: the toolchain's and Debian's smaller changes stay below.
MOST_GROWTH = 1.03
# Steps before the first that counts, and steps that count. Mechanisms are the same at each step.
SCENES = {
    "moving pit, 1000": (["--scene", "pit", "--bodies", 1000], 120, 40),
    "settled pit, 1000": (["--scene", "settled", "--bodies", 1000], 200, 40),
    "settled boxes, 1000": (["--scene", "settled", "--shapes", "boxes", "--bodies", 1000], 200, 40),
    "one elastic body among 1000": (["--scene", "elastic", "--bodies", 1000], 120, 40),
    "grid of hinged discs, 900": (["--scene", "grid", "--bodies", 900], 40, 20),
    "100 chains of ten": (["--scene", "ragdolls", "--bodies", 1000], 40, 20),
}
LINE = re.compile(r"^\| (.+?) \| ([\d.]+) \|$", re.M)


def instructions(program, flags, warmup, steps):
    """Of a whole run: its start included, which the difference of two runs leaves out."""
    command = [
        "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
        program, "bench", "physics", *flags, "--warmup", warmup, "--steps", steps,
    ]  # fmt: skip
    run = subprocess.run([*map(str, command)], capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)
    if run.returncode or not found:
        raise SystemExit(f"{' '.join(map(str, command))}\n{run.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))


def count(program, name):
    """Millions of instructions a step."""
    flags, warmup, steps = SCENES[name]
    few, many = (instructions(program, flags, warmup, each) for each in (1, 1 + steps))
    return round((many - few) / steps / 1e6, 3)


def known():
    """The numbers that stand in BENCHMARKS.md."""
    text = FILE.read_text(encoding="utf-8")
    begin, end = text.find("<!-- counts -->"), text.find("<!-- /counts -->")
    section = text[begin:end] if 0 <= begin < end else ""
    return {name: float(number) for name, number in LINE.findall(section)}


def section(counts):
    lines = [
        "## Instructions",
        "",
        "Millions of instructions that a step of the physics takes, counted by valgrind (`make bench-counts`, which fails",
        "where one grows by more than 3 % and its line here does not).",
        "",
        "| scene | million instructions a step |",
        "|---|---|",
    ]
    return "\n".join(lines + [f"| {name} | {number:.3f} |" for name, number in counts.items()])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the new numbers into BENCHMARKS.md")
    options = parser.parse_args()
    before, now, grown = known(), {}, []
    with tempfile.TemporaryDirectory() as folder:
        # Without its debugging information, some of which valgrind can't read.
        program = f"{folder}/stickerpit"
        subprocess.run(["strip", "-o", program, STICKERPIT], check=True)
        for name in SCENES:
            now[name] = count(program, name)
            ratio = round(now[name] / before[name], 4) if name in before else None
            print(json.dumps({"scene": name, "million": now[name], "ratio": ratio}), flush=True)
            if ratio is None or ratio > MOST_GROWTH:
                grown.append(f"{name}: {before.get(name, 'no number yet')} before, {now[name]} now")
    if options.write:
        return replace_section("counts", section(now))
    if grown:
        raise SystemExit("more than 3 % more instructions a step:\n  " + "\n  ".join(grown))


if __name__ == "__main__":
    main()
