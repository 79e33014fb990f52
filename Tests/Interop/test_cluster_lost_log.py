"""NATS comes back with less than it had, as a single one may after a power cut, or with nothing, on a
new disk: nobody goes on from ticks that are in no log, and the world goes on from what there is."""

import os
import shutil
import time

import pytest
from pitserver import PATIENCE
from sharedworld import pass_by
from test_cluster import LONGEST_STANDSTILL
from test_cluster_faults import nats, world  # noqa: F401

pytestmark = [pytest.mark.serial, pytest.mark.long]


@pytest.mark.parametrize("left", ["a part", "nothing"])
def test_who_showed_what_nats_lost_begins_anew(world, nats, tmp_path, left):  # noqa: F811
    leader, edge = world.start("--bodies", 60), world.edge()
    pass_by(edge, 30)
    nats.kill()
    shutil.copytree(nats.folder, tmp_path / "before")
    nats.start()
    pass_by(edge, 60)
    nats.kill()
    shutil.rmtree(nats.folder)
    if left == "nothing":
        os.mkdir(nats.folder)
    else:
        shutil.copytree(tmp_path / "before", nats.folder)
    nats.start()
    # Their services start them again.
    for server, words in (edge, "which was read"), (leader, "was stored"):
        assert server.process.wait(PATIENCE) == 1
        assert server.stop() == 1 and words in "".join(server.lines)
    world.start("--standby", port=leader.port)
    edge = world.edge(port=edge.port)
    world.look_on(edge)
    since = time.monotonic()
    pass_by(edge, 60)
    standstill = world.onlookers[edge.port].standstill(since)
    world.end(f"NATS came back with {left} of the log", standstill, LONGEST_STANDSTILL)
