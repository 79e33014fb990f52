"""The traces that codecs are compared on: our own solver's, and the reference's where it is given.

Tables are trained on the training seeds; claims are made on the test seed, which no table has seen.
"""
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SERVER = ROOT / ".build/release/stickerpit"
TICKS = 3600
TEST = {"seed": 3, "bodies": 1000}
TRAINING = {"seed": 2, "bodies": 600}
OWN = ["storm", "party", "rain", "settled", "calm", "churn"]
REFERENCE = ["storm", "party", "settled"]


@dataclass
class Recording:
    solver: str  # "own" or "reference"
    scene: str
    seed: int
    bodies: int
    stem: Path

    @property
    def title(self):
        return f"{self.scene}, {self.solver}"

    @property
    def is_test(self):
        return self.seed == TEST["seed"]


def build_reference(reference, folder):
    """Compiles the reference's generator and codec as its README says; returns both programs."""
    generator, codec = folder / "reference-gen", folder / "reference-codec"
    subprocess.run(
        ["gcc", "-O2", "-w", "-DNDEBUG", "-o", generator, reference / "gen.c", "-lchipmunk", "-lm"], check=True
    )
    subprocess.run(
        ["gcc", "-O3", "-w", "-march=native", "-ffp-contract=off", "-o", codec, reference / "codec.c", "-lm"],
        check=True,
    )
    return generator, codec


def plan(folder, with_reference, kinds=(TEST, TRAINING)):
    """Every recording, not made yet."""
    solvers = [("own", OWN)] + ([("reference", REFERENCE)] if with_reference else [])
    return [
        Recording(solver, scene, kind["seed"], kind["bodies"], folder / f"{solver}-{scene}-{kind['seed']}")
        for kind in kinds
        for solver, scenes in solvers
        for scene in scenes
    ]


def record(recordings, generator):
    """Makes the files, two at a time: nothing is timed here."""

    def one(recording):
        if recording.solver == "own":
            command = [SERVER, "bench", "trace", "--scene", recording.scene, "--bodies", recording.bodies]
            command += ["--seed", recording.seed, "--ticks", TICKS, "--out", recording.stem]
        else:
            command = [generator, recording.scene, recording.bodies, recording.seed, recording.stem, TICKS]
        print("recording", recording.stem.name, file=sys.stderr)
        subprocess.run([str(part) for part in command], check=True)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, recordings))
