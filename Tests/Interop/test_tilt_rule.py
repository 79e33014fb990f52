"""Gravity in a crowd, one person's pit at a time, and pits of other shapes: the real server and a
client that nobody here wrote."""

import json
import subprocess
import time

import pytest
from pitclient import messages
from pitclient.messages import TILT
from pitclient.records import EVERYBODY, NOBODY, ONE_PERSON, RECORDS, SNAPSHOT, Log
from pitserver import STICKERPIT, until
from test_protocol import NOTICE, WELCOME, Client, hello, welcome_of

UNIT = 16384


def tilt(client, x, y=0):
    client.socket.send(messages.command(TILT, x, y))


def gravity(pit):
    """The gravity of the world, length 0…1."""
    x, y = pit.world()["gravity"]
    return x / UNIT, y / UNIT


def whose(client):
    """The next notice of whose pit it is: the person and the ticks left, or a word."""
    while True:
        notice = client.next(NOTICE)
        if notice[1] == 4:
            meaning = messages.decode_server(notice)
            return meaning.get("value") or meaning["0"] | {"ticksLeft": meaning["ticksLeft"]}


def test_the_pit_is_passed_on_after_ten_seconds(start_pit):
    pit = start_pit("--tilt", "captain")
    with Client(pit) as one, Client(pit) as two, Client(pit) as onlooker:
        first, second = (welcome_of(client.next(WELCOME)) for client in (one, two))
        assert whose(onlooker) == "nobody"
        tilt(one, UNIT)
        told = whose(onlooker)
        assert told["id"] == first["client"] and told["name"] == first["name"]
        assert 590 <= told["ticksLeft"] <= 600
        began = time.monotonic()
        seen = []
        while time.monotonic() < began + 9:
            tilt(one, UNIT)
            tilt(two, -UNIT)
            time.sleep(0.2)
            seen.append(gravity(pit)[0])
        # Only the captain's tilt counts, and all of it.
        assert min(seen[10:]) > 0.98
        tilting = time.monotonic()
        while time.monotonic() < tilting + 3:
            tilt(one, UNIT)
            tilt(two, -UNIT)
            time.sleep(0.2)
        assert whose(onlooker)["id"] == second["client"]
        assert gravity(pit)[0] < -0.98


def test_the_log_tells_whose_pit_it_is(start_pit):
    pit = start_pit("--tilt", "captain")
    nobodys = {"rule": NOBODY, "person": 0, "ends": 0}
    with Client(pit) as one, Client(pit, hello(stream=1)) as follower:
        person = welcome_of(one.next(WELCOME))["client"]
        log = Log(follower.next(SNAPSHOT))
        assert (log.tilt_rule, log.tilting) == (nobodys, 0)

        def change():
            """The next record that brings another rule."""
            while True:
                for record in log.read(follower.next(*RECORDS)):
                    if "tiltRule" in record:
                        return record

        def newcomers_log():
            tilt(one, UNIT)
            with Client(pit, hello(stream=1)) as newcomer:
                return Log(newcomer.next(SNAPSHOT))

        tilt(one, UNIT)
        record = change()
        persons = {"rule": ONE_PERSON, "person": person, "ends": record["tick"] + 600}
        assert (record["tiltRule"], record["tilting"]) == (persons, 1)
        # A snapshot may be somewhat older than whoever gets it.
        known = until(lambda: (told := newcomers_log()).tilt_rule != nobodys and told)
        rule = known.tilt_rule
        assert (rule["rule"], rule["person"], known.tilting) == (ONE_PERSON, person, 1)
        assert known.tick < rule["ends"] <= known.tick + 600
        # Who tilts no longer gives the pit up.
        record = change()
        assert (record["tiltRule"], record["tilting"]) == (nobodys, 0)


def test_where_everybodys_tilt_counts_the_log_says_so(start_pit):
    with Client(start_pit(), hello(stream=1)) as follower:
        everybodys = {"rule": EVERYBODY, "person": 0, "ends": 0}
        assert Log(follower.next(SNAPSHOT)).tilt_rule == everybodys


def test_opposing_people_cancel_and_nothing_hovers(start_pit):
    pit = start_pit()
    with Client(pit) as one, Client(pit) as two:
        for client in (one, two):
            client.next(WELCOME)

        def settled():
            tilt(one, UNIT)
            tilt(two, -UNIT)
            x, y = gravity(pit)
            return abs(x) < 0.01 and 0.2 < y < 0.3

        until(settled)


def test_everybody_is_told_who_tilts_how(start_pit):
    pit = start_pit()
    with Client(pit) as one, Client(pit) as two, Client(pit) as onlooker:
        first, second = (welcome_of(client.next(WELCOME))["client"] for client in (one, two))
        told = []

        def tilts():
            tilt(one, UNIT)
            tilt(two, 0, -UNIT // 2)
            notice = onlooker.next(NOTICE)
            if notice[1] == 5:
                told.append(messages.decode_server(notice)["value"])
            return told[-1:] == [
                [{"person": first, "x": 64, "y": 0}, {"person": second, "x": 0, "y": -32}]]

        until(tilts)
        # Whoever tilts no longer is gone from it; who holds still is no news.
        while told[-1]:
            notice = onlooker.next(NOTICE)
            if notice[1] == 5:
                told.append(messages.decode_server(notice)["value"])
        assert len(told) <= 4


@pytest.mark.parametrize(
    ("shape", "size"), [("3:4", (720, 960)), ("16:9", (1120, 630)), ("1:1", (832, 832))])
def test_the_welcome_tells_the_shape(start_pit, shape, size):
    pit = start_pit("--shape", shape)
    with Client(pit, hello()) as client:
        assert welcome_of(client.next(WELCOME))["size"] == size


def refused(*flags):
    run = subprocess.run(
        [STICKERPIT, "serve", "--port", "0", *flags], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2, run
    return run.stderr


def test_what_can_not_be_is_refused_in_clear_words():
    assert "--shape must be one of 3:4, 16:9, 1:1, not '4:3'" in refused("--shape", "4:3")
    assert "only the scene pit can be 16:9" in refused("--shape", "16:9", "--scene", "rain")
    assert "--tilt must be one of mean, captain, not 'boss'" in refused("--tilt", "boss")
    wide = refused("--shape", "16:9", "--bodies", "16000", "--max-bodies", "16384")
    assert "16000 bodies at the start are not possible" in wide


def test_flags_file_and_environment_say_the_same(tmp_path, monkeypatch):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"shape": "16:9"}))
    monkeypatch.setenv("STICKERPIT_TILT", "captain")
    run = subprocess.run(
        [STICKERPIT, "serve", "--config", str(file), "--print-config"],
        capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    assert (told["shape"], told["tilt"]) == ("16:9", "captain")
