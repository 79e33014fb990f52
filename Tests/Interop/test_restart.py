"""The server ends in order, and another process takes its place."""

import json
import os
import signal
import ssl
import struct
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from attacker import Attacker
from pitserver import PATIENCE, STICKERPIT, until
from test_protocol import FRAMES, NOTICE, WELCOME, Client, hello
from test_reload import certificate

pytestmark = pytest.mark.serial

COME_BACK = 0x8B
# Seconds in which the server promises to have ended, whatever its clients do. DrainTimeTests shows
# by a clock of its own that its waiting is bounded; here the machine's part comes on top.
IN_ORDER = 5
# Seconds after the first signal in which another one is its echo.
ECHO = 0.1
# Seconds that an end takes at most which waits for nobody. In order it waits three for a client that
# reads nothing, and one more for its connection.
AT_ONCE = 1.5


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "token.key"
    path.write_bytes(os.urandom(32))
    path.chmod(0o600)
    return path


def ends(pit):
    """Asks a server to end: its exit code, and how long it took."""
    began = time.monotonic()
    pit.process.send_signal(signal.SIGTERM)
    code = pit.process.wait(timeout=PATIENCE)
    return code, time.monotonic() - began


def told(client):
    """When a client is to come back, in seconds."""
    message = client.next(COME_BACK)
    assert len(message) == 3
    return struct.unpack("<H", message[1:])[0] / 1000


def run_bots(pit, count, seconds, *flags):
    command = [STICKERPIT, "bots", "--url", pit.socket_url, "--count", count, "--seconds", seconds]
    return subprocess.Popen(
        [*map(str, command), "--json", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def report_of(bots):
    output, errors = bots.communicate(timeout=4 * PATIENCE)
    return json.loads(output), errors


def trusting(pit):
    """For a server that signed its certificate itself; None for one without TLS."""
    return ssl._create_unverified_context() if pit.scheme == "https" else None


def healthy(pit):
    """Its health page, with TLS or without."""
    url = f"{pit.scheme}://127.0.0.1:{pit.port}/healthz"
    with urllib.request.urlopen(url, timeout=PATIENCE, context=trusting(pit)) as answer:
        return json.load(answer)


@pytest.mark.parametrize(
    "keeps_key, has_tls, stream",
    [
        ("in a file", False, "state"),
        ("in a file", False, "replica"),
        ("in a file", True, "state"),
        ("with the data", False, "state"),
    ],
)
def test_a_hundred_bots_lose_no_session(start_pit, tmp_path, key, keeps_key, has_tls, stream):
    flags = ["--token-key-file", key]
    if keeps_key == "with the data":
        flags = ["--data", tmp_path / "data"]
    if has_tls:
        certificate(tmp_path / "tls", "one")
        flags += ["--tls-cert", tmp_path / "tls/cert.pem", "--tls-key", tmp_path / "tls/key.pem"]
    before = start_pit(*flags)
    # They go on until they are told to end: a slow machine takes its time.
    bots = run_bots(before, 100, 1000, "--stream", stream)
    try:
        until(lambda: healthy(before)["people"] == 100)
        code, seconds = ends(before)
        assert code == 0
        assert seconds < IN_ORDER
        after = start_pit(*flags, port=before.port)
        # Somebody who was not there takes nobody's place.
        with Client(after, ssl=trusting(after)) as newcomer:
            number = struct.unpack_from("<H", newcomer.next(WELCOME), 3)[0]
            # With the data the next process knows whose numbers are taken.
            assert number > 1000 or keeps_key == "with the data"
        # Its place is kept for a minute, as everybody's.
        until(lambda: healthy(after)["people"] == 100)
        # The last ones were welcomed, and have yet to hear of it.
        heard = healthy(after)["tick"] + 120
        until(lambda: healthy(after)["tick"] >= heard)
        bots.send_signal(signal.SIGTERM)
        report, errors = report_of(bots)
    finally:
        bots.kill()
    assert report["restarts"] == report["resumed"] == 100, errors
    assert report["lost"] == report["away"] == report["errors"] == 0, report["messages"]
    assert bots.returncode == 0


def test_a_person_is_the_same_in_the_next_process(start_pit, key):
    flags = ["--token-key-file", key]
    before = start_pit(*flags)
    with Client(before) as client:
        welcome = client.next(WELCOME)
        client.frames(2)
        assert ends(before)[0] == 0
        # Window and all: at most this long for a single one.
        assert 0.5 <= told(client) <= 1.5
        code, reason = client.closing()
        assert code == 1012 and "restart" in reason
    after = start_pit(*flags, port=before.port)
    token = token_of(welcome)
    with Client(after, hello(token=token)) as client:
        again = client.next(WELCOME)
        # Version, number, colour, name and token.
        assert again[:26 + welcome[8] - 1] == welcome[:26 + welcome[8] - 1]
        until(lambda: client.next(NOTICE) == bytes([NOTICE, 1, 5]))
        assert client.next(*FRAMES)
    forged = bytes([token[0] ^ 1]) + token[1:]
    with Client(after, hello(token=forged)) as client:
        assert token_of(client.next(WELCOME)) != forged


def token_of(welcome):
    start = 9 + welcome[8]
    return welcome[start:start + 16]


def test_without_the_key_they_are_new_people(start_pit):
    before = start_pit()
    with Client(before) as client:
        token = token_of(client.next(WELCOME))
        ends(before)
    after = start_pit(port=before.port)
    with Client(after, hello(token=token)) as client:
        assert token_of(client.next(WELCOME)) != token


def deaf(pit):
    return Attacker(pit, receive_buffer=4096)


def stuff(pit, attacker):
    """Joins, and reads nothing: with thousands of stickers in motion its pipe is full at once."""
    assert attacker.shake_hands() == 101
    attacker.frame(hello())
    skipped = pit.health()["skipped"]
    until(lambda: pit.health()["skipped"] > skipped + 10)


def test_who_does_not_read_holds_nobody_up(start_pit):
    pit = start_pit("--bodies", 4000, checks_frames=False)
    with deaf(pit) as attacker, Client(pit) as client:
        client.frames(1)
        stuff(pit, attacker)
        code, seconds = ends(pit)
        assert code == 0
        assert seconds < IN_ORDER
        assert told(client) >= 0.5


def test_who_never_answers_holds_nobody_up(start_pit):
    """One reads nothing, one reads all and never answers the close, one said no hello, and one
    stopped within a request."""
    pit = start_pit("--bodies", 4000, checks_frames=False)
    with ThreadPoolExecutor() as threads, deaf(pit) as stuck, Attacker(pit) as mute, \
            Attacker(pit) as silent, Attacker(pit) as visitor:
        stuff(pit, stuck)
        assert mute.shake_hands() == 101
        mute.frame(hello())
        heard = threads.submit(mute.closing)
        # These two have only some seconds for what they leave out.
        assert silent.shake_hands() == 101
        visitor.send(b"GET /index.html HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        code, seconds = ends(pit)
        assert code == 0
        assert seconds < IN_ORDER
        # Who answers no ping either may be too late for the farewell.
        assert heard.result(timeout=PATIENCE)[0] in (1001, 1012)
        assert silent.closing()[0] == 1012


def test_nobody_is_let_in_while_it_ends(start_pit):
    pit = start_pit("--bodies", 4000, checks_frames=False)
    with deaf(pit) as stuck, Attacker(pit) as visitor, Client(pit) as client:
        # Somebody who doesn't read makes the end last for as long as it may.
        stuff(pit, stuck)
        visitor.request("GET /readyz HTTP/1.1")
        assert visitor.answer()[0] == 200
        pit.process.send_signal(signal.SIGTERM)
        told(client)
        # Who is inside still gets answers, and no WebSocket.
        visitor.request("GET /readyz HTTP/1.1")
        status, body = visitor.answer()
        assert status == 503 and b"ends" in body
        visitor.request("GET /healthz HTTP/1.1")
        assert visitor.answer()[0] == 200
        # Now, and not after the start of the next one: it is answered for three seconds only.
        assert visitor.shake_hands() == 503
        # The port is free for the next process, while this one is still there.
        with pytest.raises((urllib.error.URLError, ConnectionError)):
            pit.health()
        assert pit.process.poll() is None
        after = start_pit(port=pit.port)
        assert after.health()["people"] == 0
        assert pit.process.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(start_pit, number):
    pit = start_pit("--bodies", 4000, checks_frames=False)
    with deaf(pit) as stuck:
        stuff(pit, stuck)
        pit.process.send_signal(signal.SIGTERM)
        until(lambda: any("draining" in line for line in pit.lines), every=0.005)
        time.sleep(2 * ECHO)
        began = time.monotonic()
        pit.process.send_signal(number)
        # As a shell tells of a process that the signal ended.
        assert pit.process.wait(timeout=PATIENCE) == 128 + number
        assert time.monotonic() - began < AT_ONCE


def test_who_is_told_where_it_is_open_may_end_it(start_pit):
    """In order, also before it has begun to tick."""
    assert [start_pit().stop() for _ in range(10)] == [0] * 10


def test_a_signal_that_comes_twice_at_once_is_one(start_pit):
    """`timeout` sends it to the process and to its group, and what started the server may pass on
    what the group was sent already."""

    def ends_by_two():
        """The exit code, in a tuple; None if this machine was too slow to send two at once."""
        pit = start_pit("--bodies", 4000, checks_frames=False)
        with deaf(pit) as stuck:
            stuff(pit, stuck)
            began = time.monotonic()
            pit.process.send_signal(signal.SIGTERM)
            # Long enough for the first to be taken before the second comes.
            time.sleep(ECHO / 20)
            pit.process.send_signal(signal.SIGTERM)
            took = time.monotonic() - began
            code = pit.process.wait(timeout=PATIENCE)
        return (code,) if took < ECHO / 5 else None

    assert until(ends_by_two) == (0,)


def test_a_key_that_everybody_reads_is_told(start_pit, key):
    key.chmod(0o644)
    pit = start_pit("--token-key-file", key)
    until(lambda: any("everybody on this machine can read" in line for line in pit.lines))


@pytest.mark.parametrize("size, words", [(31, ["31 bytes", "32"]), (None, ["can't be read"])])
def test_a_key_that_is_none(stickerpit, tmp_path, size, words):
    path = tmp_path / "token.key"
    if size:
        path.write_bytes(bytes(size))
    result = stickerpit("serve", "--host", "127.0.0.1", "--port", 0, "--token-key-file", path)
    assert result.returncode == 1
    for word in [str(path), *words]:
        assert word in result.stderr
