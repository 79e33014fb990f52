"""A server that is killed goes on where it was: the same world, the same people."""

import json
import os
import random
import signal
import subprocess
import time

import pytest
from journal import JournalCopy, Witness, damage
from pitclient import messages
from pitserver import PATIENCE, STICKERPIT, until
from test_hands import Hand
from test_protocol import WELCOME, Client, hello, welcome_of
from test_restart import report_of, run_bots

# Kills of the server; a soak has more of them, by other seeds.
KILLS = int(os.environ.get("SOAK_KILLS", 5))
SEED = int(os.environ.get("SOAK_KILL_SEED", 1))
# Ticks that a crash may take: 100 ms. They are held against the promise where nobody else uses the
# machine; elsewhere the thread that writes may not get its turn in time.
PROMISED = 6
KEEPS_PROMISE = "SOAK_KILLS" in os.environ


def kill(pit):
    pit.process.send_signal(signal.SIGKILL)
    pit.process.wait(timeout=PATIENCE)


def resumed(pit):
    """The tick after which a server says that it goes on."""
    line = until(lambda: next((line for line in pit.lines if "is kept in" in line), None))
    return int(line.split("goes on after tick ")[1].rstrip(". \n")) if "goes on" in line else None


def verify(path, *flags):
    command = [STICKERPIT, "verify", "--data", str(path), "--json", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_killed_at_any_moment_it_goes_on_where_it_was(start_pit, tmp_path):
    chance = random.Random(SEED)
    data = tmp_path / "data"
    pit = start_pit("--data", data, "--bodies", 60)
    bots = run_bots(pit, 50, 3000, "--stream", "replica")
    losses, allowed = [], []
    try:
        until(lambda: pit.health()["people"] == 50)
        for number in range(KILLS):
            witness = Witness(pit)
            # What is compared below: something that the witness saw is written, too.
            until(lambda: witness.records and pit.health()["journal"]["tick"] >= min(witness.records))
            time.sleep(chance.uniform(0.2, 4))
            before = pit.health()["journal"]
            kill(pit)
            witness.join()
            left = JournalCopy(data, tmp_path / f"copy-{number}")
            # What was there before is there now, and nothing else.
            assert left.last >= before["tick"]
            assert_prefix(left, witness)
            losses.append(max(0, witness.last - left.last))
            # What waits for the thread that writes goes with it, where it did not get its turn.
            allowed.append(PROMISED if KEEPS_PROMISE else 60 + before["waiting"])
            pit = start_pit("--data", data, "--bodies", 60, port=pit.port)
            assert resumed(pit) == left.last
            # The bots are back, each with its place.
            until(lambda: pit.health()["people"] == 50)
        bots.send_signal(signal.SIGTERM)
        report, errors = report_of(bots)
    finally:
        bots.kill()
    print(f"ticks lost by {KILLS} kills: {losses}")
    # Each bot may say once a kill that its connection broke, and once that it was back too early: the
    # kernel ends a killed server's connections before the socket that listens. Nobody lost a place or
    # saw two worlds.
    assert report["errors"] <= 2 * 50 * KILLS and report["lost"] == report["away"] == 0, errors
    assert report["mismatches"] == 0 and report["hashes_compared"] > 0
    assert all(lost <= most for lost, most in zip(losses, allowed)), (losses, allowed)
    assert pit.stop() == 0
    outcome = verify(data)
    assert outcome["mismatches"] == 0 and outcome["ticks"] > 0


def assert_prefix(left, witness):
    records = left.records()
    shared = records.keys() & witness.records.keys()
    assert len(shared) > 0
    for tick in shared:
        assert records[tick] == witness.records[tick], tick


def test_who_comes_back_is_the_same_person_in_the_same_world(start_pit, tmp_path):
    pit = start_pit("--data", tmp_path, "--bodies", 5)
    with Client(pit) as client:
        before = welcome_of(client.next(WELCOME))
        client.socket.send(messages.command(messages.DROP, 3, 4000, 3000))
        until(lambda: pit.health()["bodies"] == 6)
        tick = pit.health()["tick"]
        until(lambda: pit.health()["journal"]["tick"] >= tick)
        kill(pit)
    after = start_pit("--data", tmp_path, "--bodies", 5)
    assert after.world() and after.health()["bodies"] == 6
    with Client(after, hello(token=before["token"])) as client:
        again = welcome_of(client.next(WELCOME))
        assert (again["client"], again["name"]) == (before["client"], before["name"])
        assert again["token"] == before["token"]
        assert again["tick"] >= tick
    with Client(after) as other:
        assert welcome_of(other.next(WELCOME))["client"] != before["client"]


def test_an_orderly_end_leaves_nothing_to_replay(start_pit, tmp_path, stickerpit):
    pit = start_pit("--data", tmp_path)
    until(lambda: pit.health()["tick"] > 30)
    assert pit.stop() == 0
    left = JournalCopy(tmp_path, tmp_path / "copy")
    assert left.snapshots[-1][0] == left.last
    check = json.loads(stickerpit("journal", "check", "--data", tmp_path, "--json").stdout)
    assert check["last"] == left.last and check["notes"] == [] and check["problems"] == []
    after = start_pit("--data", tmp_path)
    assert resumed(after) == left.last
    # And it is the same world, by its hash.
    assert until(lambda: [line for line in after.lines if f"hash={check['hash']}" in line])


def test_what_was_held_is_free_after_a_restart(start_pit, tmp_path):
    flags = ["--data", tmp_path, "--bodies", 6]
    pit = start_pit(*flags)
    with Hand(pit) as owner:
        owner.take(0)
        tick = pit.health()["tick"]
        until(lambda: pit.health()["journal"]["tick"] > tick)
        assert pit.world()["holders"]
        kill(pit)
    after = start_pit(*flags)
    assert resumed(after) > tick
    assert after.world()["holders"] == []


def test_one_folder_one_server(start_pit, tmp_path, stickerpit):
    pit = start_pit("--data", tmp_path)
    second = stickerpit("serve", "--port", 0, "--data", tmp_path)
    assert second.returncode == 1
    assert f"process {pit.process.pid}" in second.stderr and len(second.stderr.splitlines()) == 1
    assert stickerpit("journal", "check", "--data", tmp_path).returncode == 1
    assert pit.health()["journal"]["failing"] is False


@pytest.mark.parametrize(
    "spoil, words",
    [
        ("UPDATE origin SET core = 1, version = '0.0.1'", "journal upgrade"),
        # The second group behind the last snapshot, whatever its ticks are: sound ones follow.
        (
            "UPDATE records SET bytes = x'90' WHERE last = (SELECT last FROM records WHERE last > "
            "(SELECT max(position) FROM snapshot) ORDER BY last LIMIT 1 OFFSET 1)",
            "--after",
        ),
        ("UPDATE snapshot SET bytes = x'00'", "no snapshot that can be used"),
        ("PRAGMA user_version = 2", "newer than this program"),
        ("PRAGMA application_id = 2", "not a journal"),
    ],
)
def test_what_can_t_be_gone_on_with_is_left_alone(start_pit, tmp_path, stickerpit, spoil, words):
    pit = start_pit("--data", tmp_path)
    until(lambda: pit.health()["journal"]["tick"] > 120)
    kill(pit)
    damage(tmp_path, spoil)
    before = (tmp_path / "journal.sqlite").read_bytes()
    refused = stickerpit("serve", "--port", 0, "--data", tmp_path)
    assert refused.returncode == 1
    assert words in refused.stderr and len(refused.stderr.splitlines()) == 1, refused.stderr
    assert (tmp_path / "journal.sqlite").read_bytes() == before


def test_a_scene_that_is_named_must_be_the_journal_s(start_pit, tmp_path, stickerpit):
    pit = start_pit("--data", tmp_path, "--scene", "toss")
    until(lambda: pit.health()["journal"]["tick"] > 30)
    assert pit.stop() == 0
    before = (tmp_path / "journal.sqlite").read_bytes()
    refused = stickerpit("serve", "--port", 0, "--data", tmp_path, "--scene", "pit")
    assert refused.returncode == 1
    assert "--scene toss" in refused.stderr and len(refused.stderr.splitlines()) == 1
    assert (tmp_path / "journal.sqlite").read_bytes() == before


def test_a_damaged_end_is_cut_off_and_told(start_pit, tmp_path):
    pit = start_pit("--data", tmp_path)
    until(lambda: pit.health()["journal"]["tick"] > 120)
    kill(pit)
    ends = JournalCopy(tmp_path, tmp_path / "copy").ends
    good = ends[(len(ends) - 1) // 2]
    damage(tmp_path, "UPDATE records SET bytes = x'90' WHERE last > ?", good)
    after = start_pit("--data", tmp_path)
    assert resumed(after) == good
    told = until(lambda: [line for line in after.lines if "damaged and cut off" in line])
    assert " warning " in told[0]
    after.wait_for_tick(good + 1)
    assert after.stop() == 0
    assert verify(tmp_path)["mismatches"] == 0
