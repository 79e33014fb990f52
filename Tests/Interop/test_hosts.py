"""The names that the server goes by: another one is a foreign page's, unless the operator says it."""

import pytest
from attacker import Attacker

PAGE = "GET /index.html HTTP/1.1"


def ask(pit, host, request=PAGE):
    with Attacker(pit) as visitor:
        visitor.request(request, host=host)
        return visitor.answer()


def shake_hands(pit, host):
    with Attacker(pit) as visitor:
        return visitor.shake_hands(host=host)


def test_another_name_is_refused_and_the_flag_named(pit):
    for host in ("pit.example", "pit.example:80", "[::1]rest", "127.0.0.1.pit.example"):
        status, body = ask(pit, host)
        assert status == 421, host
        assert b"--allowed-host" in body and host.partition(":")[0].encode()[:4] in body, body
        assert shake_hands(pit, host) == 421
    for host in ("127.0.0.1", "localhost:1", "[::1]:80"):
        assert ask(pit, host)[0] == 200
        assert shake_hands(pit, host) == 101


def test_a_name_that_is_allowed_is_served(start_pit):
    pit = start_pit("--allowed-host", "pit.example", "--allowed-host", "Other.Example")
    for host in ("pit.example", "PIT.example:8443", "other.example.", "127.0.0.1"):
        assert ask(pit, host)[0] == 200
        assert shake_hands(pit, host) == 101
    for host in ("evil.example", "pit.example.evil", "a.pit.example", "[pit.example]x"):
        assert ask(pit, host)[0] == 421
        assert shake_hands(pit, host) == 421


def test_every_name_can_be_allowed(start_pit):
    pit = start_pit("--allowed-host", "*")
    assert ask(pit, "whatever.example")[0] == 200
    assert shake_hands(pit, "whatever.example:99") == 101


@pytest.mark.parametrize("name", ["http://x", "https://x/", "x:80", "x y", "a/b", "*.x", ""])
def test_what_is_no_name_is_refused_at_the_start(stickerpit, name):
    result = stickerpit("serve", "--host", "127.0.0.1", "--port", 0, "--allowed-host", name)
    lines = result.stderr.strip().splitlines()
    assert result.returncode == 2 and len(lines) == 1, result
    assert name in lines[0] and "without scheme and port" in lines[0]
