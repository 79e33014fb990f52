"""What `make bench-restart` takes for a promise that was not kept."""

import importlib.util
import sys

import pytest
from pitserver import ROOT

KEPT = {
    "clients": 4000, "exit_code": 0, "exit_s": 0.4, "back_after_there_s": 14.9, "resumed": 4000, "lost": 0,
    "away": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def broken():
    path = list(sys.path)
    try:
        spec = importlib.util.spec_from_file_location("restart_run", ROOT / "Benchmarks/restart/run.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.broken
    finally:
        sys.path[:] = path


def test_what_is_promised_is_fine(broken):
    assert broken(KEPT) == []


@pytest.mark.parametrize(
    "figures, said",
    [
        ({"exit_code": 1}, ["it ended with 1 after 0.4 s, of 5"]),
        ({"exit_s": 5.1}, ["it ended with 0 after 5.1 s, of 5"]),
        ({"back_after_there_s": 15.1}, ["the last one was back after 15.1 s, of 15"]),
        ({"resumed": 3999, "lost": 1}, ["3999 of 4000 are the same people again"]),
        ({"resumed": 3999, "away": 1}, ["3999 of 4000 are the same people again"]),
    ],
)
def test_what_is_not_kept_is_said(broken, figures, said):
    assert broken(KEPT | figures) == said
