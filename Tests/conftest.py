"""A real server on a free port, for the tests that look at it from outside."""

import subprocess

import pytest
from pitserver import PATIENCE, STICKERPIT, PitServer


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "serial: measures servers or the machine, so that nothing may run beside it"
    )


# Their tests need packages, and a Debian to install them in, which take minutes to make.
SHARE_A_DEBIAN = ("test_dist.py", "test_docker.py", "test_package.py", "test_readme.py")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Where tests run in several processes, those of a file run in one, for what they share is made
    once for each process."""
    # Who runs them in one needs it not.
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return "what shares a Debian" if file.endswith(SHARE_A_DEBIAN) else file

    return ByFile(config, log)


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
