"""Who only watches: is sent everything, and is nobody."""

import pytest
from pitclient import messages
from pitserver import until
from test_host import Guest, act, hosted, refusal, token_file, told  # noqa: F401  (two are fixtures)
from test_protocol import KEYFRAME, NOTICE

SNAPSHOT = 0x8A
DROP = messages.command(messages.DROP, 3, 2880, 80)
GRAB = messages.command(messages.GRAB, 0, 0, 2880, 80)


def watching(**options):
    return messages.hello(watching=True, **options)


def counted(client, count):
    """Waits until a client is told that so many are here; the names that it is told."""
    notice = client.notice(lambda meaning: meaning.get("count") == count)
    return [person["name"] for person in notice["listed"]]


def is_shown_an_empty_pit(client, beginning):
    """Waits until a stream began and a client was told that nobody is here, whichever came first."""
    missing = {beginning, NOTICE}
    while missing:
        message = client.next(*missing)
        if message[0] != NOTICE or messages.decode_server(message).get("count") == 0:
            missing.remove(message[0])


def test_watchers_are_sent_the_world_and_counted_nowhere(pit):
    with Guest(pit, watching()) as states, Guest(pit, watching(stream="replica")) as log:
        is_shown_an_empty_pit(states, KEYFRAME)
        is_shown_an_empty_pit(log, SNAPSHOT)
        assert pit.health()["people"] == 0
        with Guest(pit) as player:
            name = player.welcome["name"]
            assert counted(player, 1) == counted(states, 1) == [name]
            assert pit.health()["people"] == 1
        assert counted(states, 0) == []


@pytest.mark.parametrize(
    "said",
    [
        messages.command(messages.TILT, 100, 100), DROP, GRAB, messages.say("cake"),
        messages.aimed(1, DROP),
    ],
    ids=["tilt", "drop", "grab", "say", "aimed drop"],
)  # fmt: skip
def test_watchers_have_no_say(pit, said):
    bodies = pit.health()["bodies"]
    with Guest(pit, watching()) as watcher:
        watcher.socket.send(said)
        assert watcher.closing() == (1008, "who only watches sends no inputs")
    assert pit.health()["bodies"] == bodies


def test_clocks_streams_and_reports_are_no_say(pit):
    with Guest(pit, watching()) as watcher:
        watcher.socket.send(messages.command(messages.CLOCK, 5))
        watcher.socket.send(messages.command(messages.REPORT, 1, 2, 3, 4))
        watcher.socket.send(messages.stream(20, "visual", "replica"))
        is_shown_an_empty_pit(watcher, SNAPSHOT)


def test_who_watched_may_play_and_the_other_way_round(pit):
    with Guest(pit) as witness, Guest(pit, watching()) as first:
        assert len(counted(witness, 1)) == 1
        # On a second connection while the first is here, and after it.
        with Guest(pit, messages.hello(token=first.token)) as second:
            assert second.id == first.id
            assert first.closing()[0] == 4002
            assert second.welcome["name"] in counted(witness, 2)
        assert len(counted(witness, 1)) == 1
        with Guest(pit, watching(token=first.token)) as third:
            assert third.id == first.id
            third.next(KEYFRAME)
            assert pit.health()["people"] == 1


def test_watchers_take_nobodys_place(hosted):  # noqa: F811
    pit = hosted()
    act(pit, "limits", people=1)
    with Guest(pit), Guest(pit, watching()) as watcher:
        until(lambda: pit.health()["people"] == 1)
        # Neither as somebody new nor by the token of a watcher.
        assert refusal(pit) == (1013, "the pit is full")
        assert refusal(pit, messages.hello(token=watcher.token)) == (1013, "the pit is full")
        assert [one["id"] for one in told(pit, "people")["people"]] != [watcher.id]
        watcher.next(KEYFRAME)


def test_the_host_keeps_watchers_out_as_everybody(hosted):  # noqa: F811
    pit = hosted()
    with Guest(pit, watching(), source="127.0.0.7") as watcher:
        act(pit, "lock")
        assert refusal(pit, watching()) == (1013, "joining is locked")
        act(pit, "unlock")
        # The ban removes who is there, and counts afterwards are those of people.
        assert act(pit, "ban", address="127.0.0.7", minutes=1)["removed"] == 1
        assert watcher.closing()[0] == messages.REMOVED
        assert refusal(pit, watching(), source="127.0.0.7")[0] == messages.REMOVED
        with Guest(pit) as player:
            counted(player, 1)
            assert pit.health()["people"] == 1
