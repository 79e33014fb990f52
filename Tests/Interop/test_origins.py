"""Whose pages may connect: the server's own and those of the origins that the operator names."""

import json

import pytest
from attacker import Attacker
from test_startup import fails

OTHER = "https://elsewhere.example"


def shake_hands(pit, *origins):
    """What a handshake with these `Origin` headers is answered with."""
    with Attacker(pit) as visitor:
        return visitor.shake_hands(*(f"Origin: {origin}" for origin in origins))


def own(pit, scheme="http"):
    return f"{scheme}://127.0.0.1:{pit.port}"


def test_pages_of_others_are_refused(pit):
    for origin in (OTHER, "null", own(pit) + "0", "http://localhost", "https://127.0.0.1"):
        assert shake_hands(pit, origin) == 403, origin
    # A proxy in front may speak TLS. Who sends no origin is no browser.
    assert shake_hands(pit, own(pit)) == shake_hands(pit, own(pit, "https")) == 101
    assert shake_hands(pit) == 101


def test_pages_that_are_named_may_connect(start_pit):
    pit = start_pit("--origin", OTHER, "--origin", "HTTP://Pit.Example:80")
    for origin in (OTHER, "http://pit.example", own(pit)):
        assert shake_hands(pit, origin) == 101, origin
    assert shake_hands(pit) == 101
    for origin in (
        "http://elsewhere.example", OTHER + ":8443", OTHER + ".evil.example",
        "https://pit.example", "https://third.example", "null",
    ):
        assert shake_hands(pit, origin) == 403, origin


@pytest.mark.parametrize(
    "origin",
    ["example.org", "https://a/b", "https://a/", "*", "https://*.a", "null", "https://", "//a", ""],
)
def test_what_is_no_origin_is_refused_at_the_start(stickerpit, origin):
    result = stickerpit("serve", "--port", 0, "--origin", OTHER, "--origin", origin)
    fails(result, 2, "--origin must be", "such as https://example.org", f"not '{origin}'")


def test_each_place_is_named(stickerpit, monkeypatch, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"origin": ["example.org"]}))
    fails(stickerpit("serve", "--config", file), 1, f"{file}: origin must be", "not 'example.org'")
    monkeypatch.setenv("STICKERPIT_ORIGIN", "https://a,example.org")
    fails(stickerpit("serve"), 1, "STICKERPIT_ORIGIN must be", "not 'example.org'")
