"""The page over https, through a real nginx or Caddy with the files of deploy/."""

import pytest
from edges import NAME, Caddy, Nginx
from pitserver import PitServer, until


@pytest.fixture(scope="module")
def proxied():
    server = PitServer(
        "--bodies", 40, "--seed", 1, "--allowed-host", NAME, "--trusted-proxy", "127.0.0.1"
    )
    until(lambda: server.health()["tick"] > 0)
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="module", params=[Nginx, Caddy], ids=["nginx", "caddy"])
def edge(proxied, request):
    edge = request.param(proxied)
    try:
        edge.start()
        yield edge
    finally:
        edge.stop()


@pytest.fixture
def visitor(edge, new_page):
    """A phone. The certificate is the test's own, which no browser knows."""
    until(lambda: edge.pit.health()["people"] == 0)
    page = new_page(390, 844, has_touch=True, is_mobile=True, ignore_https_errors=True)
    page.opened = page.openings()
    return page.join(f"https://{NAME}:{edge.port}/")


def test_it_joins_securely_and_has_no_complaints(edge, visitor):
    assert [socket.url for socket in visitor.opened] == [f"wss://{NAME}:{edge.port}/ws"]
    assert visitor.page.evaluate("isSecureContext") is True
    # Without https it would say that there is no motion sensor.
    assert "https" not in visitor.page.locator("#motion").inner_text()
    until(lambda: edge.pit.health()["people"] == 1)
    visitor.wait("(pit, tick) => pit.tick > tick + 120", visitor.get("pit.tick"))
    assert visitor.get("pit.link.gaps") == 0
    assert len(visitor.opened) == 1 and visitor.complaints == []


def test_a_tap_drops_a_sticker(edge, visitor):
    count = visitor.get("pit.count")
    visitor.page.touchscreen.tap(*visitor.free_place(360, 60))
    visitor.wait("(pit, before) => pit.count === before + 1", count)
    # Not only on this page, which shows at once what it expects.
    until(lambda: len(edge.pit.world()["bodies"]) == count + 1)
    visitor.wait("(pit, tick) => pit.tick > tick + 60", visitor.get("pit.tick"))
    assert visitor.get("pit.count") == count + 1 and visitor.complaints == []


def test_another_page_sees_what_is_dropped(edge, visitor, new_page):
    other = new_page(ignore_https_errors=True).join(f"https://{NAME}:{edge.port}/")
    for page in (visitor, other):
        page.wait("pit => pit.people === 2")
    count = other.get("pit.count")
    visitor.page.touchscreen.tap(*visitor.free_place(360, 60))
    other.wait("(pit, before) => pit.count === before + 1", count)
    assert visitor.complaints + other.complaints == []
