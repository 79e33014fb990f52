"""`stickerpit bench replica`, and the section of BENCHMARKS.md that is made of what it says."""

import argparse
import importlib.util
import json

from pitserver import ROOT


def benchmark():
    place = ROOT / "Benchmarks/replica/run.py"
    spec = importlib.util.spec_from_file_location("bench_replica", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_party_is_followed_to_the_bit(stickerpit):
    result = stickerpit("bench", "replica", "--json", "--seconds", 10, "--bodies", 60)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["clients"], told["ticks"], told["ahead"], told["mismatches"]) == (20, 600, 6, 0)
    # A hash each 30 ticks, the last of which may still be on its way.
    assert told["hashes_compared"] >= 19
    assert 0 < told["rollbacks"] <= told["replayed"]
    assert 0 < told["kbit_per_s"] <= 2

    bench = benchmark()
    runs = [told | {"started_with": bodies} for bodies in bench.BODIES]
    options = argparse.Namespace(phones=20, seconds=10, ahead=6, rounds=1)
    lines = bench.section(options, runs, {"commit": "abc", "load": 0.5}).split("\n")
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {10}
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {bodies}" for bodies in bench.BODIES]
    assert f" {told['kbit_per_s']:.2f} " in rows[2]
