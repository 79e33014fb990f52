#!/usr/bin/env python3
"""Trains the codec's tables on the training seeds and writes TrainedTables+Data.swift.

    train.py [--reference DIR]

The format changes with the tables: copy them into the protocol's document and write the golden files
anew.
"""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import traces

FOLDER = traces.ROOT / ".run/train-codec"
TABLES = traces.ROOT / "Sources/Wire/Codec/TrainedTables+Data.swift"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path)
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    try:
        generator = traces.build_reference(options.reference.resolve(), FOLDER)[0] if options.reference else None
        recordings = traces.plan(FOLDER, bool(options.reference), [traces.TRAINING])
        traces.record(recordings, generator)
        command = [traces.SERVER, "bench", "codec", "--train", TABLES]
        for recording in recordings:
            command += ["--trace", f"{recording.stem}.npy"]
        subprocess.run([str(part) for part in command], check=True)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    main()
