"""A real server on a free port, for the tests that look at it from outside."""

import subprocess

import pytest
from pitserver import PATIENCE, STICKERPIT, PitServer


MARKS = [
    "serial: measures servers or the machine, so that nothing may run beside it",
    "long: takes long, and fails seldom: left to `make test-long`",
]


def pytest_configure(config):
    for mark in MARKS:
        config.addinivalue_line("markers", mark)


@pytest.fixture(scope="module")
def pit():
    server = PitServer()
    yield server
    assert server.stop() == 0


@pytest.fixture
def start_pit():
    """Starts servers with flags of their own and ends them with the test."""
    servers = []

    def start(*flags, **options):
        servers.append(PitServer(*flags, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def stickerpit():
    """Runs the command line to its end."""

    def run(*arguments, timeout=2 * PATIENCE):
        return subprocess.run(
            [STICKERPIT, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    return run
