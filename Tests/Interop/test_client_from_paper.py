"""PROTOCOL.md and PROTOCOL-codec.md suffice: a client written from them alone says what the server
says, on golden bytes and on a live server.

PITCLIENT_SECONDS is how long the live comparisons take at least (5 s otherwise), by the server's
ticks.
"""

import json
import os
import random
import re

import pytest
from pitclient import Malformed, StreamClient, messages
from pitclient.recorder import Recorder, WorldRecorder
from pitclient.recovery import FollowingClient, GaveUp
from pitserver import ROOT, until

GOLDEN = ROOT / "Tests/WireTests/Golden"
SLOWED_DOWN = 1
WORLDS_EDGES = {240, 241, 242, 243}
SECONDS = float(os.environ.get("PITCLIENT_SECONDS", "5"))
RESTARTS = 480


def golden(folder, pattern="*.json"):
    return sorted((GOLDEN / folder).glob(pattern), key=lambda path: path.name)


def named(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


# Golden files


def scenery_of(world):
    """A golden world's scenery, as frames and `/api/world` tell it."""
    return (
        [
            {"id": one["id"], "a": [one["ax"], one["ay"]], "b": [one["bx"], one["by"]]}
            for one in world["boundaries"]
        ],
        world["holders"],
        [
            {
                "slot": one["slot"],
                "anchor": [one["x"], one["y"]],
                "attach": [one["attachX"], one["attachY"]],
            }
            for one in world["rods"]
        ],
    )


@named(golden("streams"))
def test_golden_streams(path):
    client = StreamClient()
    stream = json.loads(path.read_text())
    assert stream["frames"]
    for frame in stream["frames"]:
        client.receive(bytes.fromhex(frame["bytes"]))
        world = frame["world"]
        assert client.tick == world["tick"]
        assert client.bodies() == world["bodies"]
        assert client.world.gravity == world["gravity"]
        assert (
            client.world.boundaries, client.world.holders, client.world.rods
        ) == scenery_of(world)
        assert (client.skipped, client.held) == (frame["skipped"], frame["held"])
    assert client.world.steps_per_point == stream["stepsPerPoint"]


@named(golden("messages", "client-*.json"))
def test_golden_client_messages(path):
    meaning, message = json.loads(path.read_text()), path.with_suffix(".bin").read_bytes()
    assert messages.decode_client(message) == meaning
    assert messages.encode_client(meaning) == message


@named(golden("messages", "server-*.json"))
def test_golden_server_messages(path):
    message = path.with_suffix(".bin").read_bytes()
    meaning = json.loads(path.read_text())
    assert messages.decode_server(message) == meaning
    # A welcome may end before the set of its stickers, and then is a whole one.
    whole = len(message) - 9 - len(meaning["stickers"]["name"]) if "stickers" in meaning else None
    for end in range(len(message)):
        if end == whole:
            continue
        with pytest.raises(Malformed):
            messages.decode_server(message[:end])
    with pytest.raises(Malformed):
        messages.decode_server(message + b"\0")


def test_the_examples_of_the_document_are_the_golden_bytes():
    """Each in an indented block of PROTOCOL.md, as it is printed there."""
    printed = re.sub(r"\s+", " ", (ROOT / "PROTOCOL.md").read_text())
    for name, example in json.loads((GOLDEN / "messages.json").read_text()).items():
        assert example in printed, name


def test_the_documents_small_stream():
    """Its own frames and its one catch-up frame lead to the same world, which the text tells."""
    examples = json.loads((GOLDEN / "messages.json").read_text())
    frames = {name: bytes.fromhex(example) for name, example in examples.items()}
    in_step, late = StreamClient(), StreamClient()
    for name in ("keyframe", "state", "state 2"):
        in_step.receive(frames[name])
    for name in ("keyframe", "catch-up"):
        late.receive(frames[name])
    assert in_step.tick == late.tick == 1002
    assert late.skipped == 1
    for client in (in_step, late):
        places = {body["slot"]: (body["x"], body["y"], body["angle"]) for body in client.bodies()}
        assert places == {0: (900, 800, 5), 2: (4000, 900, 587), 4: (8900, 4100, 293)}
        assert client.world.gravity == [8192, 14189]
        assert client.world.boundaries == [{"id": 1, "a": [800, 1600], "b": [2400, 1680]}]
        assert client.world.holders == [{"slot": 4, "client": 7}]
        assert client.world.rods == [{"slot": 4, "anchor": [4400, 1000], "attach": [-80, 40]}]


@named(golden("streams"))
def test_frames_that_do_not_fit_are_refused(path):
    """One too many, out of turn, or with a byte more: never guessed."""
    frames = [
        bytes.fromhex(frame["bytes"]) for frame in json.loads(path.read_text())["frames"]
    ]
    for broken in (frames[0] + b"\1\2\3\4", frames[0][:10], b"\x84", b""):
        with pytest.raises(Malformed):
            StreamClient().receive(broken)
    client = StreamClient()
    with pytest.raises(Malformed):
        client.receive(frames[1])
    client.receive(frames[0])
    client.receive(frames[1])
    with pytest.raises(Malformed):
        client.receive(frames[1])


def test_a_refused_frame_is_mended_by_a_keyframe():
    """The last world stays, a keyframe is asked for once and again after two seconds."""
    stream = json.loads((GOLDEN / "streams/strict-skips.json").read_text())["frames"]
    frames = [bytes.fromhex(frame["bytes"]) for frame in stream]
    keyframe = max(index for index, frame in enumerate(stream) if frame["keyframe"])
    question = messages.stream(60, "strict")
    client = FollowingClient(60, "strict")
    assert [client.take(frame, now=0) for frame in frames[:3]] == [None] * 3
    shown, tick = client.bodies, client.tick
    assert client.take(frames[3][:7] + b"\xff" * 40, now=1) == question
    assert client.take(frames[3], now=1.5) is None, "asked once"
    assert client.ask(now=2.9) is None
    assert client.ask(now=3) == question, "and again"
    assert (client.bodies, client.tick, client.waits) == (shown, tick, True)
    assert client.take(frames[keyframe], now=4) is None
    assert client.tick == stream[keyframe]["world"]["tick"] and not client.waits
    assert client.bodies == stream[keyframe]["world"]["bodies"]
    assert client.ask(now=99) is None
    client.take(b"\x82", now=100)
    with pytest.raises(GaveUp):
        client.ask(now=105)


# A live server


def shake(recorder, enough, seed):
    """Tilts all the time and drops and throws now and then, until it is enough."""
    chance = random.Random(seed)
    for _ in recorder.pace(enough, every=0.1):
        recorder.send(messages.TILT, chance.randint(-9000, 9000), chance.randint(-9000, 9000))
        if chance.random() < 0.3:
            recorder.send(messages.DROP, chance.randrange(16), chance.randint(400, 5300), 400)
        if chance.random() < 0.2:
            place = chance.randint(400, 5300), chance.randint(3000, 7400)
            recorder.send(messages.THROW, *place, chance.randint(-900, 900), -1200)


def has(recorder, frames):
    """Whether it has got so many more frames than when this was asked."""
    goal = recorder.frames + frames
    return lambda: recorder.frames >= goal


def compare(recorder, worlds):
    """Decodes what was recorded and compares each tick whose world is known."""
    compared = recorder.compare(worlds)
    print(compared)
    assert compared.ticks >= compared.decoded - 30 - worlds.missed
    return compared


def test_in_step_and_joining_late(start_pit):
    """Strict at 60 Hz, equal in every body and every tick; the late one enters at a restart."""
    pit = start_pit("--bodies", 30)
    with WorldRecorder(pit) as worlds, Recorder(pit) as first:
        shake(first, lambda: first.frames > 90 and first.tick % RESTARTS < 240, seed=1)
        with Recorder(pit) as late:
            # On a busy machine either may be led on by catch-up frames for a while.
            shake(
                first,
                lambda: late.frames >= 60 * SECONDS and min(first.own, late.own) > 30,
                seed=2,
            )
    for recorder in (first, late):
        compared = compare(recorder, worlds)
        assert compared.bodies >= 30 * compared.ticks
        assert compared.moved > 1000
        assert compared.own > 30
    assert late.compared.catch_up > 30


@pytest.mark.parametrize("rate, profile", [(60, "visual"), (10, "strict"), (20, "visual")])
def test_other_streams(start_pit, rate, profile):
    """A lower rate is as exact; the visual profile is within the step that it says."""
    pit = start_pit("--bodies", 30)
    with WorldRecorder(pit) as worlds, Recorder(pit, rate, profile) as first:
        shake(first, has(first, rate), seed=3)
        with Recorder(pit, rate, profile) as late:
            shake(first, lambda: late.frames >= rate * SECONDS, seed=4)
    compared = compare(first, worlds)
    assert compared.bodies >= 30 * compared.ticks
    assert compared.own > 10
    # Whoever comes later has exactly what the others of the stream have.
    came, there = late.decode(60 // rate), first.decode(60 // rate)
    both = came.keys() & there.keys()
    assert len(both) >= len(came) - 5 - first.skipped - late.skipped
    assert len(both) > rate * SECONDS / 2
    for tick in sorted(both):
        assert came[tick] == there[tick], tick


def fall_behind(slow, shaker, seed):
    """Stands still until frames were left out, and goes on."""
    shake(shaker, has(slow, 40), seed)
    shake(shaker, slow.stand_still(skipped=20), seed + 100)
    slow.read_on()
    shake(shaker, has(slow, 40), seed + 200)


def test_who_reads_slowly(start_pit):
    """Catch-up frames over many frames at once, and their velocities, lead back to the truth."""
    pit = start_pit("--bodies", 400)
    # Again if the machine stood still, and more was left out than a catch-up frame can tell.
    for attempt in range(10):
        with WorldRecorder(pit) as worlds, Recorder(pit, narrow=True) as recorder:
            for standstill in range(2):
                fall_behind(recorder, recorder, seed=10 * attempt + standstill)
        if recorder.long_catch_ups >= 2:
            break
    compared = compare(recorder, worlds)
    assert recorder.long_catch_ups >= 2
    assert compared.skipped >= 20
    assert compared.catch_up > 30


@pytest.mark.long
def test_who_reads_slowly_for_eyes(start_pit):
    """Catch-up frames of the visual profile lead to just the places that the stream has."""
    pit = start_pit("--bodies", 400)
    slow = []
    with WorldRecorder(pit) as worlds, Recorder(pit, profile="visual") as quick:
        # One after the other: who falls behind three times gets a lower rate, another stream.
        while len(slow) < 10 and sum(one.long_catch_ups for one in slow) < 2:
            with Recorder(pit, profile="visual", narrow=True) as another:
                fall_behind(another, quick, seed=len(slow))
            slow.append(another)
    assert sum(one.long_catch_ups for one in slow) >= 2
    compare(quick, worlds)
    there = quick.decode(interval=1)
    for one in slow:
        came = one.decode(interval=1)
        assert one.skipped >= 20
        assert len(came.keys() & there.keys()) > 60
        for tick in came.keys() & there.keys():
            assert came[tick] == there[tick], tick


def test_a_rate_that_falls(start_pit):
    """Whoever can't take 60 frames a second gets 30, then 20, then 10, each exact."""
    pit = start_pit("--bodies", 400)
    with WorldRecorder(pit) as worlds, Recorder(pit) as shaker:
        with Recorder(pit, narrow=True) as recorder:
            shake(shaker, has(recorder, 20), seed=8)
            # Two seconds without a frame lower the rate; four would lower it twice.
            for standstill in range(60):
                if recorder.interval == 6:
                    break
                shake(shaker, recorder.stand_still(skipped=1, ticks=150), seed=standstill)
                recorder.read_on()
                shake(shaker, has(recorder, 10), seed=100 + standstill)
            shake(shaker, has(recorder, 30), seed=9)
            until(lambda: SLOWED_DOWN in recorder.notices)
    compared = compare(recorder, worlds)
    intervals = [one for one, before in zip(compared.intervals, [0, *compared.intervals])
                 if one != before]
    assert intervals == [1, 2, 3, 6]


def test_another_rate_on_the_same_connection(start_pit):
    """A client asks for other streams, and for a keyframe of the one that it has."""
    pit = start_pit("--bodies", 30)
    with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
        shake(recorder, has(recorder, 30), seed=12)
        for rate in (20, 60):
            recorder.ask_for_stream(rate, "strict")
            shake(recorder, lambda: recorder.interval == 60 // rate, seed=rate)
            shake(recorder, has(recorder, rate), seed=rate + 1)
        keyframes = recorder.keyframes
        recorder.ask_for_stream(60, "strict")
        shake(recorder, lambda: recorder.keyframes > keyframes, seed=13)
        shake(recorder, has(recorder, 30), seed=14)
    compared = compare(recorder, worlds)
    assert compared.intervals == [1, 3, 1, 1]
    assert compared.bodies >= 30 * compared.ticks


# Beside a browser some frames are left out nearly always.
@pytest.mark.serial
def test_epochs_pass(start_pit):
    """The stream begins its models anew every 8 s; its own frames go on."""
    # Again if the machine stood still for so long that frames had to be left out.
    for _ in range(10):
        pit = start_pit("--bodies", 30)
        with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
            until(lambda: recorder.tick)
            goal = (recorder.first // RESTARTS + 2) * RESTARTS + 5
            enough = lambda: recorder.tick > max(goal, recorder.first + 60 * SECONDS)
            shake(recorder, enough, seed=10)
        compared = compare(recorder, worlds)
        if compared.skipped == 0:
            break
        # One that goes on would slow the next one down.
        pit.stop()
    assert compared.restarts >= 2
    assert compared.keyframes == 1 and compared.catch_up == 0


def test_a_calm_pit(start_pit):
    """Under hands that tremble, calm frames come in groups, each told to the bit."""
    pit = start_pit("--bodies", 40)
    chance = random.Random(11)
    with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
        for _ in recorder.pace(lambda: recorder.grouped > 150, every=0.06):
            recorder.send(messages.TILT, chance.randint(-90, 90), 16300 + chance.randint(-80, 80))
    compared = compare(recorder, worlds)
    assert compared.held > 0
    assert compared.grouped > 100
    assert compared.decoded > compared.grouped + 60, "also those in which all came to rest"


def test_the_rains_floor(start_pit):
    """With so many stickers the floor opens, and closes again: the scenery of each tick is told."""
    pit = start_pit("--scene", "rain")
    with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
        until(has(recorder, 30))
        recorder.say("生日快乐")
        until(lambda: "floorClosed" in recorder.events)
        until(has(recorder, 60))
    compared = compare(recorder, worlds)
    assert ["floorWarning", "floorOpened", "floorClosed"] == [
        event for event in compared.events if isinstance(event, str)
    ]
    boundaries = [{one["id"] for one in scenery[0]} for scenery in compared.sceneries]
    opened = next(i for i, ids in enumerate(boundaries) if not ids >= WORLDS_EDGES)
    assert boundaries[0] > WORLDS_EDGES, "the ledges, too"
    assert any(ids >= WORLDS_EDGES for ids in boundaries[opened:])


def test_a_pit_at_rest(start_pit):
    """Frames that are held back come as one, and mean each of them."""
    pit = start_pit("--bodies", 3)
    with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
        until(lambda: recorder.grouped > 150)
    compared = compare(recorder, worlds)
    assert compared.held > 0
    assert compared.decoded > 150


def test_hands_and_rods(start_pit):
    """Scenery moves with the hands that hold it, and is told as exactly as the bodies are."""
    pit = start_pit("--scene", "drag")
    with WorldRecorder(pit) as worlds, Recorder(pit) as recorder:
        for slot, body in recorder.bodies_at_join():
            middle = body["x"] // 2, body["y"] // 2
            recorder.send(messages.GRAB, slot, body["generation"], *middle)
            for step in recorder.pace(has(recorder, 60), every=0.05):
                recorder.send(messages.MOVE, slot, middle[0] + step * 60, middle[1] + step * 20)
            recorder.send(messages.RELEASE, slot, 300, -300)
    compared = compare(recorder, worlds)
    assert compared.holders > 0
    assert compared.rods > 0


@pytest.mark.long
def test_a_thousand_bodies(start_pit):
    """Recorded first, decoded afterwards: this client takes longer than a tick over a thousand."""
    pit = start_pit("--bodies", 1000)
    with WorldRecorder(pit) as worlds, Recorder(pit) as first:
        shake(first, has(first, 60), seed=4)
        with Recorder(pit) as late:
            until(lambda: late.first)
            shake(first, lambda: worlds.count(since=late.first) > 100, seed=5)
    for recorder in (first, late):
        compared = compare(recorder, worlds)
        assert compared.ticks > 60
        # They come one after the other in the first moments, and a drop may take one's place.
        assert compared.bodies > 800 * compared.ticks
        assert compared.moved > 10_000
