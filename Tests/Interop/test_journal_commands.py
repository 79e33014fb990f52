"""What an operator does with a journal: verify, check, export, prune, upgrade."""

import json
import shutil

import pytest
from journal import JournalCopy, damage
from pitserver import until
from test_journal import kill, resumed, verify
from test_restart import run_bots


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    """Some seconds of a pit with people in it, killed and gone on with: a folder to copy."""
    from pitserver import PitServer

    folder = tmp_path_factory.mktemp("past")
    # The second start goes on from the first.
    for seconds in (11, 3):
        pit = PitServer("--data", folder, "--bodies", 20)
        bots = run_bots(pit, 5, 3000)
        start = resumed(pit) or 0
        until(lambda: pit.health()["journal"]["tick"] > start + seconds * 60)
        kill(pit)
        bots.kill()
        bots.communicate()
    return folder


@pytest.fixture
def data(past, tmp_path):
    shutil.copytree(past, tmp_path / "data")
    return tmp_path / "data"


def check(stickerpit, data):
    done = stickerpit("journal", "check", "--data", data, "--json")
    return done.returncode, json.loads(done.stdout)


def test_everything_is_replayed_natively_and_in_webassembly(data):
    native = verify(data)
    assert native["ticks"] > 14 * 60 and native["mismatches"] == 0
    assert native["first_mismatch"] is None
    # Every 30 ticks a hash, and each stretch's end.
    assert native["hashes"] >= native["ticks"] // 30
    module = verify(data, "--wasm")
    same = ("ticks", "hashes", "mismatches", "first_mismatch")
    assert {key: module[key] for key in same} == {key: native[key] for key in same}


@pytest.mark.parametrize("flags", [[], ["--wasm"]])
def test_what_was_changed_is_found(data, stickerpit, flags):
    # A snapshot of another world: the one of 600 ticks is put where the first was.
    damage(
        data,
        "UPDATE snapshot SET (bytes, link) = (SELECT bytes, link FROM snapshot WHERE position > 0 "
        "ORDER BY position LIMIT 1) WHERE position = 0",
    )
    done = stickerpit("verify", "--data", data, "--json", *flags)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["mismatches"] == 1 and report["first_mismatch"] == 0
    assert "is not what it says" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_check_tells_what_is_there_and_changes_nothing(data, stickerpit):
    code, before = check(stickerpit, data)
    assert code == 0 and before["problems"] == [] and before["people"] >= 5
    assert before["snapshots"] >= 2 and before["last"] - before["first"] == before["ticks"]
    # One group far before the last snapshot; the machine decides how many ticks it has.
    damage(
        data,
        "UPDATE records SET bytes = x'90' "
        "WHERE last = (SELECT min(last) FROM records WHERE last >= 100)",
    )
    code, after = check(stickerpit, data)
    assert code == 1 and after["hash"] == before["hash"], "recovery starts behind the damage"
    assert "damaged" in after["problems"][0]
    assert check(stickerpit, data) == (code, after)


def test_an_export_can_be_verified_anywhere(data, stickerpit, tmp_path):
    last = check(stickerpit, data)[1]["last"]
    file = tmp_path / "bug.journal"
    done = stickerpit("journal", "export", "--data", data, "--from", "-2s", "--output", file)
    assert done.returncode == 0, done.stderr
    assert verify(file)["mismatches"] == 0
    code, there = check(stickerpit, file)
    assert code == 0 and there["last"] == last and there["people"] == 0
    again = stickerpit("journal", "export", "--data", data, "--from", "-2s", "--output", file)
    assert again.returncode == 1 and "name another file" in again.stderr
    changed = stickerpit("journal", "prune", "--data", file, "--after", 5)
    assert changed.returncode == 1 and "only a data folder" in changed.stderr


def test_the_past_and_the_end_can_be_given_up(data, stickerpit, start_pit, tmp_path):
    copy = JournalCopy(data, tmp_path / "copy")
    snapshots = [position for position, _ in copy.snapshots]
    # A group that reaches beyond tick 700 goes as a whole.
    kept = max(last for last, _, _ in copy.groups if last <= 700)
    assert stickerpit("journal", "prune", "--data", data, "--before", 650).returncode == 0
    left = check(stickerpit, data)[1]
    assert left["first"] == max(one for one in snapshots if one <= 650) and not left["problems"]
    assert stickerpit("journal", "prune", "--data", data, "--after", 700).returncode == 0
    assert check(stickerpit, data)[1]["last"] == kept
    assert verify(data)["mismatches"] == 0
    assert resumed(start_pit("--data", data)) == kept


def test_an_upgrade_goes_on_from_the_last_snapshot(data, stickerpit, start_pit, tmp_path):
    last = JournalCopy(data, tmp_path / "copy").snapshots[-1][0]
    damage(data, "UPDATE origin SET core = 7, version = '0.0.1'")
    assert "journal upgrade" in stickerpit("serve", "--port", 0, "--data", data).stderr
    done = stickerpit("journal", "upgrade", "--data", data)
    assert done.returncode == 0 and f"after tick {last}," in done.stderr
    assert "nothing to do" in stickerpit("journal", "upgrade", "--data", data).stderr
    pit = start_pit("--data", data)
    assert resumed(pit) == last
    until(lambda: pit.health()["journal"]["tick"] > last + 60)
    pit.stop()
    report = verify(data)
    assert report["mismatches"] == 0 and report["foreign_ticks"] == last and report["ticks"] > 60


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (["verify"], 2, "--data"),
        (["verify", "--data", "/nowhere"], 1, "there is no journal"),
        (["journal", "check", "--data", "."], 1, "there is no journal"),
        (["journal", "prune", "--data", "."], 2, "--before and --after"),
        (["journal", "prune", "--data", ".", "--after", "noon"], 2, "noon"),
        (["journal", "export", "--data", ".", "--from", "5"], 2, "--output"),
        (["serve", "--durability", "some"], 2, "full, normal, off"),
        (["serve", "--data", "/dev/null/x", "--port", "0"], 1, "can't be used"),
    ],
)
def test_bad_usage_is_one_line(stickerpit, tmp_path, arguments, code, words):
    arguments = [str(tmp_path) if argument == "." else argument for argument in arguments]
    done = stickerpit(*arguments)
    assert done.returncode == code, done.stderr
    assert words in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
