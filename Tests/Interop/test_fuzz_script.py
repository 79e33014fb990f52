"""`scripts/fuzz` says that all fuzzers survived only if there were any. A shell script stands in for
the program that has them, and for the compiler."""

import os
import shutil
import subprocess

import pytest
from pitserver import PATIENCE, ROOT

TELLS_TWO = 'if [ "$1" = --targets ]; then echo "wire page"; fi'
TELLS_NONE = "exit 0"
TELLS_SOME_AND_FAILS = 'if [ "$1" = --targets ]; then echo wire; exit 1; fi'


@pytest.fixture
def fuzz(tmp_path):
    """Runs the script in a folder of its own with a fuzzer of these lines."""

    def write(path, lines):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)

    def run(command, fuzzer):
        write(tmp_path / "bin/swift", "exit 0")
        write(tmp_path / ".build-fuzz/release/Fuzz", fuzzer)
        script = tmp_path / "scripts/fuzz"
        script.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts/fuzz", script)
        path = f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [script, command], env=os.environ | {"PATH": path}, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip

    return run


def test_all_that_is_told_is_fuzzed(fuzz):
    ran = fuzz("run", TELLS_TWO)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "fuzzing wire for" in ran.stdout and "fuzzing page for" in ran.stdout
    assert "every fuzzer survived" in ran.stdout


@pytest.mark.parametrize("command", ["run", "keep"])
@pytest.mark.parametrize("fuzzer", [TELLS_NONE, TELLS_SOME_AND_FAILS])
def test_where_nothing_is_told_nothing_survives(fuzz, command, fuzzer):
    ran = fuzz(command, fuzzer)
    assert ran.returncode != 0 and "survived" not in ran.stdout
    assert "what is to be fuzzed" in ran.stderr, ran.stderr
