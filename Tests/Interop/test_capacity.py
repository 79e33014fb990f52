"""What `make bench-fanout` tells whoever plans an event: README's table, and what a connection takes of memory."""

import importlib.util
import sys

from pitserver import ROOT

FOLDERS = [str(ROOT / "Benchmarks"), str(ROOT / "Benchmarks/fanout")]


def imported(path):
    """A module by its file, because other tests import another one of the same name."""
    spec = importlib.util.spec_from_file_location("fanout_section", path)
    module = importlib.util.module_from_spec(spec)
    sys.path += FOLDERS
    try:
        spec.loader.exec_module(module)
    finally:
        for folder in FOLDERS:
            sys.path.remove(folder)
    return module


section = imported(ROOT / "Benchmarks/fanout/section.py")


def row(clients, tls, kilobytes, engine=section.OURS, inputs=15):
    return {
        "engine": engine, "stream": "state", "hz": 60, "clients": clients, "inputs_per_second": inputs,
        "tls": tls, "threads": 1, "frames_per_second_median": 60.0, "payload_bytes": 1184,
        "core_share": 0.5, "bytes_per_connection": 1000 * kilobytes,
    }  # fmt: skip


ROWS = [row(100, False, 5.2), row(500, False, 4), row(2000, False, 3.6), row(500, True, 18.5)]


def test_the_table_tells_what_tls_costs():
    others = [row(500, True, 25.3, section.FLOOR), row(1000, False, 3.7, inputs=0)]
    table = section.capacity(ROWS + others).splitlines()
    assert [line for line in table if line.startswith("| ")] == [
        "| clients | stream | TLS | share of a core | sent, Mbit/s | memory of the connections, MB |",
        "| 100 | state 60 Hz | no | 50% | 57 | 0.52 |",
        "| 500 | state 60 Hz | no | 50% | 285 | 2 |",
        "| 2000 | state 60 Hz | no | 50% | 1140 | 7.2 |",
        "| 500 | state 60 Hz | yes | 50% | 285 | 9.2 |",
    ]


def test_memory_is_told_for_many_for_few_and_with_tls():
    told = section.connections_memory(ROWS)
    assert told.startswith("3.6 to 4.0 kB without TLS")
    assert "; 5.2 kB among fewer than 500" in told and "; 18.5 kB with TLS" in told
    assert section.connections_memory(ROWS[:1]).startswith("5.2 kB")
    assert section.connections_memory([row(500, False, 0.1, section.FLOOR)]) == "ours did not run"
