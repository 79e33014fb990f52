"""What `make bench-fanout` searches with: how many clients a part of a core carries."""

import contextlib
import sys

import pytest
from pitserver import ROOT

FANOUT = str(ROOT / "Benchmarks/fanout")
sys.path.append(FANOUT)

import narrow  # noqa: E402

# Other tests import modules of other folders that have the same names as some in this one.
sys.path.remove(FANOUT)


def enough():
    return {"frames_per_second_median": 60, "frames_per_second_least": 59}


@pytest.fixture
def starts(monkeypatch):
    """How many clients each server was started for, none of which runs."""

    @contextlib.contextmanager
    def as_it_is(server, threads):
        assert threads == 2
        yield

    monkeypatch.setattr(narrow, "narrowed", as_it_is)
    return []


def search(starts, serve):
    return narrow.carried(lambda clients: starts.append(clients), serve, 2)


def test_the_search_finds_the_most_that_fits(starts):
    def serve(_, clients):
        return enough() | {"frames_per_second_least": 57 if clients <= 700 else 56}

    assert search(starts, serve) == 512 + 128 + 32 + 16


def test_a_measurement_that_fails_is_made_once_more(starts, capsys):
    def serve(_, clients):
        if clients > 300:
            raise RuntimeError("everybody was refused")
        if starts.count(256) == 1:
            raise RuntimeError("the load failed")
        return enough()

    assert search(starts, serve) == 256 + 32
    assert starts == [256, 256, 512, 512, 384, 384, 320, 320, 288, 304, 304]
    said = capsys.readouterr().err
    assert "256 clients, first attempt: the load failed" in said
    assert "512 clients, second attempt: everybody was refused" in said


def test_a_share_for_each_network_thread_or_none(tmp_path, monkeypatch):
    """A server whose threads are named otherwise would run on whole cores, and seem to carry more."""
    monkeypatch.setattr(narrow, "CONTROLLER", tmp_path)
    stopped = []

    class Server:
        pid = "self"

        def stop(self):
            stopped.append(True)

    with pytest.raises(AssertionError, match="0 threads are named"):
        with narrow.narrowed(Server(), 2):
            pass
    assert stopped == [True] and list(tmp_path.iterdir()) == []
