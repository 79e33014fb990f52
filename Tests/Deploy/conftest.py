"""The files of deploy/ as they are, with the real server: its fixtures stand one folder up, and the
client and nginx of the tests from outside beside this folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Interop"))

import machine
import packages as built
import pytest


# What takes minutes to make.
MADE = {"packages", "archives", "base"}


def pytest_collection_modifyitems(items):
    for item in items:
        if MADE & set(item.fixturenames):
            item.add_marker("long")


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """The package of this version, and one of a higher version."""
    return built.build_both(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """The folder that scripts/dist filled."""
    folder = tmp_path_factory.mktemp("archives")
    ended = built.dist(folder)
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture(scope="session")
def base():
    """A Debian in a folder, for copies."""
    machine.needs_root()
    made = machine.make_base()
    yield made
    machine.remove_base(made)
