"""The pit behind nginx and behind Caddy, as deploy/ has them: the page, a WebSocket and a crowd
come through, everybody counts by an address of their own, and nobody sees how busy the pit is."""

import gzip
import json

import pytest
from edges import NAME, Caddy, Nginx, NginxOfEdges
from pitclient import StreamClient, messages
from pitclient.stream import is_frame
from pitserver import PATIENCE, ROOT, PitServer, build_of, until
from programs import DEPLOY, run
from test_protocol import WELCOME, hello
from websockets.exceptions import InvalidStatus

MOST = 12  # connections of an address


@pytest.fixture(scope="module")
def pit():
    server = PitServer(
        "--allowed-host", NAME, "--trusted-proxy", "127.0.0.1", "--max-per-address", MOST
    )
    until(lambda: server.health()["tick"] > 0)
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="module", params=[Nginx, Caddy], ids=["nginx", "caddy"])
def edge(pit, request):
    edge = request.param(pit)
    try:
        edge.start()
        yield edge
    finally:
        edge.stop()


@pytest.mark.parametrize("kind", [Nginx, Caddy], ids=["nginx", "caddy"])
def test_the_file_is_accepted(pit, kind):
    edge = kind(pit)
    try:
        checked = edge.check()
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "[warn]" not in checked.stderr and '"level":"error"' not in checked.stderr
    finally:
        edge.stop()


def test_the_file_for_several_edges_is_accepted_and_one_of_two_serves(pit):
    """Nobody is at the other one's address."""
    edge = NginxOfEdges(pit)
    try:
        checked = edge.check()
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "[warn]" not in checked.stderr
        edge.start()
        for _ in range(4):
            assert edge.ask("/")[0] == 200
        with edge.join(origin=f"https://{NAME}:{edge.port}") as player:
            player.send(hello())
            assert player.recv(timeout=PATIENCE)[0] == WELCOME
    finally:
        edge.stop()


def test_the_files_for_one_pit_and_for_edges_differ_only_in_where_these_are():
    one, edges = (
        [line for line in (DEPLOY / "nginx" / name).read_text().splitlines() if line.strip()]
        for name in ("sticker-pit.conf", "edges.conf")
    )

    def site(lines):
        below = lines[lines.index("map $http_if_none_match $sticker_pit_known {") :]
        return [line for line in below if not line.lstrip().startswith("#")]

    assert site(one) == site(edges)
    assert "  ip_hash;" in edges


def test_the_caddyfile_is_written_as_caddy_writes_it():
    formatted = run("caddy", "fmt", DEPLOY / "caddy/Caddyfile")
    assert formatted.stdout == (DEPLOY / "caddy/Caddyfile").read_text(), formatted.stderr


def test_http_leads_to_https(edge):
    status, headers, _ = edge.ask_plainly("/index.html?a=b")
    assert status == 308
    assert headers["Location"].startswith(f"https://{NAME}")
    assert headers["Location"].endswith("/index.html?a=b")


@pytest.mark.parametrize(
    "path, file, kind",
    [
        ("/", "pinned.html", "text/html; charset=utf-8"),
        ("/main.js", "main.js", "text/javascript; charset=utf-8"),
        ("/pit.wasm", "pit.wasm", "application/wasm"),
    ],
)
def test_the_page_comes_through_and_is_asked_about_each_time(edge, path, file, kind):
    content = (ROOT / "web" / file).read_bytes()
    status, headers, body = edge.ask(path)
    assert (status, headers["Content-Type"], body) == (200, kind, content)
    assert headers["Cache-Control"] == "no-cache"
    assert "default-src" in headers["Content-Security-Policy"]
    # Compressed it is much shorter, and whoever has it is told so instead of getting it again.
    status, packed, body = edge.ask(path, Accept_Encoding="gzip")
    assert status == 200 and packed["Content-Encoding"] == "gzip"
    assert "accept-encoding" in packed["Vary"].lower()
    assert packed["Content-Type"] == kind and packed["Cache-Control"] == "no-cache"
    assert gzip.decompress(body) == content and len(body) < 0.6 * len(content)
    for tag in (headers["ETag"], packed["ETag"]):
        status, _, body = edge.ask(path, If_None_Match=tag, Accept_Encoding="gzip")
        assert (status, body) == (304, b"")
    assert edge.ask(path, If_None_Match='"another"')[0] == 200


def test_the_files_of_a_build_come_through_to_be_kept(edge):
    path = f"/b/{build_of()}/main.js"
    status, headers, body = edge.ask(path, Accept_Encoding="gzip")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(body) == (ROOT / "web/main.js").read_bytes()
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    status, headers, _ = edge.ask(f"/b/{'0' * 16}/main.js")
    assert (status, headers["Cache-Control"]) == (404, "no-store")


def test_a_stream_comes_through_and_is_decoded(edge):
    """Of the very origin that a page from there has."""
    player, client = edge.join(origin=f"https://{NAME}:{edge.port}"), StreamClient()
    with player:
        player.send(hello())
        meanings, ticks = [], []
        while len(ticks) < 120:
            message = player.recv(timeout=PATIENCE)
            if is_frame(message):
                client.receive(message)
                ticks.append(client.tick)
            else:
                meanings.append((message[0], messages.decode_server(message)))
    assert meanings[0][0] == WELCOME
    assert ticks == sorted(set(ticks)) and client.bodies()


def test_pages_from_elsewhere_stay_outside(edge):
    with pytest.raises(InvalidStatus) as refused:
        edge.join(origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403


def test_everybody_counts_by_their_own_address(edge):
    """Whatever they claim."""
    until(lambda: edge.pit.health()["people"] == 0)

    def join(source, claimed):
        player = edge.join(source, additional_headers={"X-Forwarded-For": claimed})
        player.send(hello())
        return player

    players = [join("127.0.0.2", f"203.0.113.{number}") for number in range(MOST)]
    with pytest.raises(InvalidStatus) as refused:
        join("127.0.0.2", "203.0.113.200")
    assert refused.value.response.status_code == 429
    players += [join(f"127.0.0.{number}", "127.0.0.2") for number in (3, 4, 5)]
    until(lambda: edge.pit.health()["people"] == MOST + 3)
    for player in players:
        player.close()
    until(lambda: edge.pit.health()["people"] == 0)


@pytest.mark.parametrize("stream", ["state", "replica"])
def test_bots_play_through_it(edge, stickerpit, stream):
    """They check every frame, and take any certificate."""
    played = stickerpit(
        "bots", "--url", f"wss://localhost:{edge.port}/ws", "--count", 5, "--seconds", 3,
        "--stream", stream, "--json",
    )  # fmt: skip
    assert played.returncode == 0, played.stdout + played.stderr
    assert json.loads(played.stdout)["frames"] > 0


@pytest.mark.parametrize(
    "path",
    ["/metrics", "/healthz", "/readyz", "/healthz?a=b", "/%6detrics", "//healthz", "/./metrics"],
)
def test_how_busy_it_is_can_not_be_seen(edge, path):
    status, _, body = edge.ask(path)
    assert status in (400, 404), path
    assert b"stickerpit_" not in body and b'"tick"' not in body


def test_without_the_edge_it_can_be_seen(pit):
    """Else the test above would find nothing to hide."""
    assert pit.health()["tick"] > 0
