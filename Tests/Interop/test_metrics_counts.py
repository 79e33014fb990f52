"""What /metrics counts: after a known action exactly what that action should count, and no more.

Monitoring asks on a port of its own here, so that its questions are no answers of the page's."""

import collections
import contextlib
import re
import struct
import time

import pytest
from attacker import BINARY, Attacker
from flood import flood
from pitclient import messages
from pitserver import PitServer, until
from test_admin import admin_port, ask
from test_protocol import VERSION, WELCOME, Client, hello, welcome_of
from websockets.exceptions import ConnectionClosed

ADMIN = ["--admin-listen", "127.0.0.1:0"]
SAMPLE = re.compile(r"(\w+)(?:{(.*)})? (\S+)")
LABEL = re.compile(r'(\w+)="([^"]*)"')
DROP = struct.pack("<BBhh", messages.DROP, 3, 2880, 800)
# Seconds for which the server gives the same page, and a little more.
PAGE = 1.2


def read(port):
    """Every sample by its name and its label, those of all network threads in one sum."""
    sums = collections.Counter()
    for line in ask(port, "/metrics").splitlines():
        if line.startswith("#"):
            continue
        name, labels, value = SAMPLE.fullmatch(line).groups()
        values = [text for label, text in LABEL.findall(labels or "") if label != "thread"]
        sums[name, ",".join(values)] += float(value)
    return sums


class Counted:
    """What a server counts from now on."""

    def __init__(self, pit):
        self.port = admin_port(pit)
        self.before = read(self.port)

    def rise(self, name):
        """By how much a metric has risen, by its label; what has not risen is left out."""
        now = read(self.port)
        rises = {key: now[key] - self.before[key] for key in now if key[0] == name}
        return {label: rise for (_, label), rise in rises.items() if rise}

    def comes_to(self, name, expected):
        """Waits until a metric has risen by so much, and looks again on the next page: nothing may
        be counted twice."""
        # When it never comes to that, the comparison below says what it came to instead.
        with contextlib.suppress(AssertionError):
            until(lambda: self.rise(name) == expected, every=0.2)
        time.sleep(PAGE)
        assert self.rise(name) == expected, name


# How connections end. Each of these leaves none of its own open.


@pytest.fixture(scope="module")
def impatient_pit():
    limits = ["hello-seconds=2", "ping-seconds=1", "silence-seconds=3"]
    server = PitServer(*ADMIN, *(f"--limit={limit}" for limit in limits))
    yield server
    assert server.stop() == 0


def sent_away(pit, *said):
    """Somebody who says this is sent away: with which code."""
    with Client(pit, said=None) as client:
        for message in said:
            client.socket.send(message)
        return client.closing()[0]


def says_nonsense(pit):
    assert sent_away(pit, hello(), b"\xff") == 1002


def says_hello_twice(pit):
    assert sent_away(pit, hello(), hello()) == 1002


def speaks_another_version(pit):
    assert sent_away(pit, hello(version=VERSION + 1)) == 4000


def says_no_hello(pit):
    assert sent_away(pit) == 1008


def drops_before_the_hello(pit):
    assert sent_away(pit, DROP) == 1008


def closes_itself(pit):
    with Client(pit) as client:
        client.next(WELCOME)


def moves_to_another_connection(pit):
    with Client(pit) as before:
        token = welcome_of(before.next(WELCOME))["token"]
        with Client(pit, hello(token=token)) as after:
            after.next(WELCOME)
            assert before.closing()[0] == 4002


@contextlib.contextmanager
def joined(pit):
    """Somebody who reads what is to be read, and answers nothing by itself."""
    with Attacker(pit) as attacker:
        assert attacker.shake_hands() == 101
        attacker.frame(hello())
        messages_only = (data for opcode, data in attacker.frames() if opcode == BINARY)
        assert any(message[0] == WELCOME for message in messages_only)
        yield attacker


def sends_an_unmasked_frame(pit):
    with joined(pit) as attacker:
        attacker.frame(DROP, masked=False)
        assert attacker.closing()[0] == 1002


def is_gone_without_a_word(pit):
    with joined(pit):
        pass


def answers_no_ping(pit):
    with joined(pit) as attacker:
        attacker.all()


@pytest.mark.parametrize(
    "act, expected",
    [
        (says_nonsense, {"errors": 1}),
        (says_hello_twice, {"errors": 1}),
        (speaks_another_version, {"other_version": 1}),
        (says_no_hello, {"no_hello": 1}),
        (drops_before_the_hello, {"limits": 1}),
        (closes_itself, {"client": 1}),
        (moves_to_another_connection, {"moved": 1, "client": 1}),
        (sends_an_unmasked_frame, {"websocket": 1}),
        (is_gone_without_a_word, {"lost": 1}),
        (answers_no_ping, {"half_open": 1}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_an_end_is_counted_by_its_reason(impatient_pit, act, expected):
    counted = Counted(impatient_pit)
    act(impatient_pit)
    counted.comes_to("stickerpit_closed_total", expected)


# What is refused.


def enough(attempt):
    """Tries ten times, or until one is refused: how many succeeded, and how many did not."""
    results = []

    def has_seen_both():
        results.append(attempt())
        return len(results) >= 10 and not all(results)

    until(has_seen_both, every=0)
    return results.count(True), results.count(False)


def test_hellos_beyond_the_limit_are_counted(start_pit):
    limits = ["hellos-per-second-per-address=1", "hello-burst-per-address=2"]
    pit = start_pit(*ADMIN, *(f"--limit={limit}" for limit in limits))

    def is_welcome():
        with Client(pit) as client:
            try:
                return bool(client.next(WELCOME))
            except ConnectionClosed as closed:
                assert closed.rcvd.code == 1013
                return False

    counted = Counted(pit)
    welcome, refused = enough(is_welcome)
    counted.comes_to("stickerpit_refused_total", {"hellos": refused})
    counted.comes_to("stickerpit_closed_total", {"busy": refused, "client": welcome})


def test_commands_are_counted_as_inputs_or_as_refused(start_pit):
    pit = start_pit(*ADMIN, "--limit=commands-per-second-per-address=1")
    with Client(pit) as client:
        client.next(WELCOME)
        counted = Counted(pit)
        flood(client.socket, [DROP] * 10)
        outcomes = []
        while len(outcomes) < 10:
            receipt = messages.decode_server(client.next(messages.RECEIPT))
            outcomes += [command["outcome"] for command in receipt["commands"]]
        left_out = outcomes.count("leftOut")
        assert left_out > 0
        counted.comes_to("stickerpit_refused_total", {"commands": left_out})
        counted.comes_to("stickerpit_inputs_total", {"plain": 10 - left_out})


def test_connections_beyond_the_limit_are_counted(start_pit):
    limits = ["connections-per-second-per-address=1", "connections-burst-per-address=3"]
    pit = start_pit(*ADMIN, *(f"--limit=traffic.{limit}" for limit in limits))

    def is_let_in():
        with Attacker(pit, source="127.0.9.1") as visitor:
            visitor.request("GET /healthz HTTP/1.1")
            return visitor.more()

    counted = Counted(pit)
    let_in, refused = enough(is_let_in)
    counted.comes_to("stickerpit_connections_refused_total", {"address": refused})
    counted.comes_to("stickerpit_connections_total", {"": let_in})
    counted.comes_to("stickerpit_http_answers_total", {"200": let_in})


# What is served.


def test_answers_and_connections_are_counted(start_pit):
    pit = start_pit(*ADMIN)
    counted = Counted(pit)

    def answers(*requests):
        """What a visitor is answered to paths and hosts, one after the other."""
        with Attacker(pit) as visitor:
            for path, host in requests:
                visitor.request(f"GET {path} HTTP/1.1", host=host)
                yield visitor.answer()[0]

    assert list(answers(*[("/index.html", "127.0.0.1")] * 3)) == [200] * 3
    for _ in range(2):
        assert list(answers(("/nowhere", "127.0.0.1"))) == [404]
    assert list(answers(("/index.html", "pit.example"))) == [421]
    for _ in range(4):
        closes_itself(pit)
    statuses = {"200": 3, "404": 2, "421": 1, "101": 4}
    counted.comes_to("stickerpit_http_answers_total", statuses)
    counted.comes_to("stickerpit_connections_total", {"": 1 + 2 + 1 + 4})
    counted.comes_to("stickerpit_connections_refused_total", {})


def test_people_are_counted_while_they_are_here(start_pit):
    pit = start_pit(*ADMIN)
    counted = Counted(pit)
    with Client(pit) as one:
        with Client(pit) as other:
            one.next(WELCOME)
            other.next(WELCOME)
            counted.comes_to("stickerpit_people", {"": 2})
        counted.comes_to("stickerpit_people", {"": 1})
    counted.comes_to("stickerpit_people", {})
