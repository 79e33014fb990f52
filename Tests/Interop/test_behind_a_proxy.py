"""The pit behind nginx, whose few connections to it carry everybody's requests one after the other:
if the two ever disagreed about where a request ends, somebody would get another's answer. Whatever
one client sends, each gets its own answers and nobody else's."""

import itertools
import pathlib
import threading
import time

import pytest
from attacker import KEY
from pitserver import PATIENCE, until
from proxy import Proxy, ProxyClient
from test_protocol import KEYFRAME, WELCOME, hello
from websockets.sync.client import connect

NUMBERS = itertools.count(3_000_000_000)
# What attackers hide in a body, or ask for openly, and last.
HIDDEN, OPEN, GOODBYE = 4_000_000_000, 4_100_000_000, 4_200_000_000


def target(number):
    """Asks for a tick that is not kept: the answer says which one."""
    return f"/api/world?tick={number}"


def request(number, *lines, method="GET", version="1.1"):
    head = [f"{method} {target(number)} HTTP/{version}", "Host: pit.example", *lines, "", ""]
    return "\r\n".join(head).encode()


def is_answer_to(number, answer, is_head=False):
    status, headers, body = answer
    if is_head:
        return status == 404 and body == b""
    return status == 404 and f"tick {number} is not kept".encode() in body


class Neighbours:
    """Honest clients on kept connections who ask all the time, and look at what they get."""

    def __init__(self, proxy):
        self.proxy, self.asked, self.wrong = proxy, 0, []
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._ask_on, daemon=True) for _ in range(3)]
        for thread in self._threads:
            thread.start()

    def _ask_on(self):
        while not self._ended.is_set() and not self.wrong:
            try:
                with ProxyClient(self.proxy) as client:
                    self._ask_on_one(client)
            except Exception as error:
                self.wrong.append(repr(error))

    def _ask_on_one(self, client):
        while not self._ended.is_set():
            number = next(NUMBERS)
            is_head = number % 3 == 0
            client.send(request(number, method="HEAD" if is_head else "GET"))
            answer = client.answer(is_head)
            if answer is None:
                # nginx hangs up after a time, and on who stood still for too long.
                return
            if not is_answer_to(number, answer, is_head):
                self.wrong.append((number, answer))
            self.asked += 1
            # Together far below what an address may ask.
            time.sleep(0.01)

    def stop(self):
        self._ended.set()
        for thread in self._threads:
            thread.join()


@pytest.fixture(scope="module", params=["on", "off"], ids=["bodies buffered", "bodies passed on"])
def proxy(pit, request):
    proxy = Proxy(pit, request_buffering=request.param)
    yield proxy
    proxy.stop()


@pytest.fixture(scope="module", autouse=True)
def neighbours(proxy):
    neighbours = Neighbours(proxy)
    yield neighbours
    neighbours.stop()
    assert neighbours.asked > 0 and neighbours.wrong == []


@pytest.fixture(autouse=True)
def everybody_got_their_own(proxy, neighbours):
    """After each attack: newcomers and neighbours are answered, and with what they asked for."""
    yield
    before = neighbours.asked
    for _ in range(10):
        with ProxyClient(proxy) as client:
            number = next(NUMBERS)
            client.send(request(number))
            assert is_answer_to(number, client.answer())
    until(lambda: neighbours.wrong or neighbours.asked >= before + 10, every=0.01)
    assert neighbours.wrong == []


def attack(proxy, data, heads=()):
    """The answers that an attacker gets, without the one to a goodbye, which makes nginx hang up
    if it has not done so before."""
    with ProxyClient(proxy) as attacker:
        attacker.send(data + request(GOODBYE, "Connection: close"))
        answers = attacker.answers(heads)
    if answers and is_answer_to(GOODBYE, answers[-1]):
        answers.pop()
    return answers


def hidden_in(answers):
    return any(str(HIDDEN).encode() in body for _, _, body in answers)


BODY = request(HIDDEN)
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "DELETE"])
@pytest.mark.parametrize(
    "lines, body",
    [
        ([f"Content-Length: {len(BODY)}"], BODY),
        (["Transfer-Encoding: chunked"], CHUNKED),
        (["Transfer-Encoding: chunked", "Connection: keep-alive, Transfer-Encoding"], CHUNKED),
        (["Transfer-Encoding: Chunked"], CHUNKED),
        ([f"Content-Length: {len(BODY)}", "Expect: 100-continue"], BODY),
        ([f"Content-Length: {len(BODY)}", "Connection: Content-Length"], BODY),
        ([f"Content-Length: {len(BODY)}", "Connection: Upgrade", "Upgrade: foo"], BODY),
        (["Transfer-Encoding: chunked", "Connection: Upgrade", "Upgrade: websocket"], CHUNKED),
    ],
    ids=[
        "length", "chunked", "named by Connection", "Chunked", "expected", "length named",
        "with an upgrade", "with a websocket",
    ],
)
def test_a_request_within_a_body_is_answered_to_nobody(proxy, method, lines, body):
    heads = (0,) if method == "HEAD" else ()
    answers = attack(proxy, request(OPEN, *lines, method=method) + body, heads)
    assert [status for status, _, _ in answers] in ([400], [413], [405]), answers
    assert not hidden_in(answers)


@pytest.mark.parametrize(
    "lines, body",
    [
        ([f"Content-Length: {len(CHUNKED)}", "Transfer-Encoding: chunked"], CHUNKED),
        (["Content-Length: 4", "Transfer-Encoding: chunked"], CHUNKED),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], CHUNKED),
        (["Transfer-Encoding: xchunked"], CHUNKED),
        (["Transfer-Encoding: identity"], CHUNKED),
        (["Transfer-Encoding: chunked, identity"], CHUNKED),
        (["Transfer-Encoding: \x0bchunked"], CHUNKED),
        (["Transfer-Encoding:\r\n chunked"], CHUNKED),
        ([f"Content-Length:\r\n {len(BODY)}"], BODY),
        (["X: a\r\n Transfer-Encoding: chunked"], CHUNKED),
        (["Transfer-Encoding : chunked"], CHUNKED),
        (["Transfer-Encoding\t: chunked"], CHUNKED),
        ([f"Content-Length : {len(BODY)}"], BODY),
        (["Content-Length: 0", f"Content-Length: {len(BODY)}"], BODY),
        ([f"Content-Length: 0, {len(BODY)}"], BODY),
        ([f"Content-Length: +{len(BODY)}"], BODY),
        ([f"Content-Length: 0x{len(BODY):x}"], BODY),
        ([f"Content-Length: {len(BODY)}\r"], BODY),
        (["Content-Length: 99999999999999999999"], BODY),
        (["Transfer-Encoding: chunked"], b"0\r\nX: a\r\n\r\n"),
        (["Transfer-Encoding: chunked"], b"5;a=\r\n" + BODY),
        (["Transfer-Encoding: chunked"], b"fffffffffffffffff\r\n" + BODY),
        (["Transfer-Encoding: chunked"], b"-1\r\n" + BODY),
        (["Transfer-Encoding: chunked"], b"4\nGET \n0\n\n"),
        (["Host: b"], b""),
        (["X: a\rY: b"], b""),
        (["X\0: a"], b""),
        (["X: " + "a" * 9000], b""),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_two_readers_might_read_differently_is_refused(proxy, lines, body):
    """What nginx takes for a request of its own behind it, it may have answered: to the same
    client."""
    answers = attack(proxy, request(OPEN, *lines) + body + request(OPEN + 1))
    assert answers, "nginx or the pit says what is wrong"
    # 502 would be nginx that makes no sense of what the pit said.
    assert all(400 <= status < 600 and status != 502 for status, _, _ in answers), answers


def test_bare_line_feeds_are_one_readers_choice(proxy):
    """nginx reads them as line ends and writes proper ones; the request within stays a header."""
    data = request(OPEN).replace(b"\r\n", b"\n") + request(OPEN + 1)
    answers = attack(proxy, data)
    assert [is_answer_to(OPEN + i, answer) for i, answer in enumerate(answers)] == [True, True]


def test_pipelined_requests_are_answered_in_order(proxy):
    numbers = range(OPEN, OPEN + 60)
    answers = attack(proxy, b"".join(map(request, numbers)))
    assert len(answers) == 60
    assert all(map(is_answer_to, numbers, answers))


def test_heads_among_pipelined_requests(proxy):
    data = b"".join(
        request(OPEN + i, method="HEAD" if i % 2 else "GET") for i in range(40)
    )
    answers = attack(proxy, data, heads=range(1, 40, 2))
    assert len(answers) == 40
    assert all(is_answer_to(OPEN + i, answer, i % 2 == 1) for i, answer in enumerate(answers))


def test_an_unchanged_file_has_no_body(proxy):
    """304 has none, whatever its request might have got."""
    page = b"GET /index.html HTTP/1.1\r\nHost: a\r\n%s\r\n"
    with ProxyClient(proxy) as client:
        client.send(page % b"")
        status, headers, body = client.answer()
        assert status == 200 and b"<html" in body
        client.send(page % b"If-None-Match: %s\r\n" % headers["etag"].encode() + request(OPEN))
        assert client.answer()[0] == 304
        assert is_answer_to(OPEN, client.answer())


@pytest.mark.parametrize("upgrade", ["foo", "h2c", "TLS/1.3, websocket", "websocket"])
def test_an_upgrade_that_is_none_leaves_http_as_it_was(proxy, upgrade):
    """nginx forwards blindly after 101 only; with any other answer the next request is HTTP."""
    lines = ["Connection: Upgrade, HTTP2-Settings", f"Upgrade: {upgrade}", "HTTP2-Settings: AAMAAABk",
             "Sec-WebSocket-Version: 7", f"Sec-WebSocket-Key: {KEY}"]
    answers = attack(proxy, request(OPEN, *lines) + request(OPEN + 1))
    statuses = [status for status, _, _ in answers]
    assert len(answers) == 2 and 101 not in statuses, statuses
    assert is_answer_to(OPEN + 1, answers[1])
    if upgrade != "websocket":
        assert is_answer_to(OPEN, answers[0])
    else:
        assert statuses[0] in (400, 404, 426)


def handshake(version=13, path="/ws"):
    return (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: {version}\r\n"
        "Sec-WebSocket-Protocol: stickerpit.v1\r\n\r\n"
    ).encode()


def test_a_request_behind_a_handshake_goes_to_the_websocket_or_nowhere(proxy):
    with ProxyClient(proxy) as attacker:
        attacker.send(handshake() + request(HIDDEN))
        answer = attacker.answer()
        if answer[0] == 101:
            # A WebSocket from here on, which ends because this is no frame.
            while attacker._more():
                pass
            assert b"HTTP/1.1" not in attacker.received
        assert str(HIDDEN).encode() not in attacker.received


@pytest.mark.parametrize("data", [handshake(version=8), handshake(path="/other")])
def test_a_handshake_that_is_refused_tunnels_nothing(proxy, data):
    answers = attack(proxy, data + request(OPEN))
    assert len(answers) == 2 and answers[0][0] in (404, 426)
    assert is_answer_to(OPEN, answers[1])


@pytest.mark.parametrize(
    "data",
    [
        b"GET http://other.example" + target(OPEN).encode() + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        request(OPEN, "Connection: keep-alive", version="1.0"),
        b"GET " + target(OPEN).encode() + b" HTTP/1.0\r\n\r\n",
    ],
    ids=["absolute", "old and kept", "old"],
)
def test_other_ways_to_ask_get_their_own_answer(proxy, data):
    answers = attack(proxy, data)
    assert len(answers) == 1 and is_answer_to(OPEN, answers[0])


@pytest.mark.parametrize(
    "path",
    [
        "/%0d%0aHost:%20x%0d%0a%0d%0aGET%20" + target(HIDDEN),
        "/ HTTP/1.1\r\nHost: x\r\n\r\nGET " + target(OPEN),
        "/%00", "/%2f%2e%2e/", "/..%2fsecret", "//api//world", "/a%",
    ],
    ids=repr,
)
def test_strange_paths(proxy, path):
    answers = attack(proxy, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() + request(OPEN))
    assert not hidden_in(answers)
    for status, _, _ in answers:
        assert status in (200, 400, 404), answers


def descriptors(pit):
    return len(list(pathlib.Path(f"/proc/{pit.process.pid}/fd").iterdir()))


def test_who_leaves_in_the_middle_leaves_nothing_behind(proxy):
    """Answers whose asker has gone are nobody's, and no connection is kept for them."""
    before = descriptors(proxy.pit)
    for index in range(100):
        with ProxyClient(proxy) as client:
            whole = request(HIDDEN, *(["Content-Length: 50"] if index % 2 else []))
            client.send(whole + whole[: index % len(whole)])
    # Whoever comes next is given the connections that were left.
    with ProxyClient(proxy) as client:
        for number in range(OPEN, OPEN + 100):
            client.send(request(number))
            assert is_answer_to(number, client.answer())
    # nginx keeps two connections, and has more while neighbours ask. The pit itself gives up one on
    # which nothing happens for 15 s, so what is left behind shows only before that.
    until(lambda: descriptors(proxy.pit) <= before + 4, seconds=10)


def test_a_player_plays_on_through_the_proxy(proxy):
    with connect(
        "ws://localhost/ws", sock=proxy.connect(), subprotocols=["stickerpit.v1"],
        ping_timeout=None, legacy=True,
    ) as player:
        player.send(hello())
        kinds = [player.recv(timeout=PATIENCE)[0] for _ in range(10)]
    assert WELCOME in kinds and KEYFRAME in kinds


def test_the_connections_to_the_pit_are_kept(proxy, neighbours):
    """Else no test here would see that answers got mixed up."""
    before, asked = proxy.connections_to_the_pit(), neighbours.asked
    with ProxyClient(proxy) as client:
        for number in range(OPEN, OPEN + 200):
            client.send(request(number))
            assert is_answer_to(number, client.answer())
    # Only two are kept while nobody asks, so that four who ask at once take new ones, too: the more,
    # the longer a slow machine takes for these 200. Without any that is kept it would be all of them.
    new, requests = proxy.connections_to_the_pit() - before, 200 + neighbours.asked - asked
    assert new < 0.5 * requests
