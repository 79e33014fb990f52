"""TLS sessions are taken up again, also by the next process."""

import os
import socket
import ssl

import pytest
from pitserver import PATIENCE
from test_reload import certificate

OLD, NEW = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


@pytest.fixture
def secured(start_pit, tmp_path):
    certificate(tmp_path / "tls", "one")
    files = ["--tls-cert", tmp_path / "tls/cert.pem", "--tls-key", tmp_path / "tls/key.pem"]
    return lambda *flags, **options: start_pit(*files, *flags, **options)


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "token.key"
    path.write_bytes(os.urandom(32))
    path.chmod(0o600)
    return path


class Browser:
    """Keeps its session, and brings it to the next connection."""

    def __init__(self, version):
        self._context = ssl._create_unverified_context()
        self._context.minimum_version = self._context.maximum_version = version
        self._session = None

    def visit(self, pit):
        """Asks for the health page: whether the session was taken up."""
        with socket.create_connection(("127.0.0.1", pit.port), timeout=PATIENCE) as plain:
            with self._context.wrap_socket(plain, session=self._session) as secure:
                secure.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                while secure.recv(4096):
                    pass
                # In TLS 1.3 tickets come behind the handshake, so after the first answer.
                self._session = secure.session
                return secure.session_reused


def ends(pit):
    pit.process.terminate()
    assert pit.process.wait(timeout=PATIENCE) == 0


def test_a_session_is_taken_up_by_every_thread(secured):
    pit, browser = secured("--network-threads", 3), Browser(NEW)
    assert [browser.visit(pit) for _ in range(8)] == [False] + [True] * 7


def test_the_next_process_takes_it_up_with_the_same_key(secured, key):
    browser = Browser(NEW)
    before = secured("--token-key-file", key)
    assert not browser.visit(before)
    ends(before)
    after = secured("--token-key-file", key, port=before.port)
    assert browser.visit(after)


@pytest.mark.parametrize("key_is", ["another", "for all to read", "missing"])
def test_the_next_process_asks_for_all_of_the_handshake(secured, key, key_is):
    browser = Browser(NEW)
    if key_is == "for all to read":
        key.chmod(0o644)
    flags = [] if key_is == "missing" else ["--token-key-file", key]
    before = secured(*flags)
    assert not browser.visit(before)
    ends(before)
    if key_is == "another":
        key.write_bytes(os.urandom(32))
    after = secured(*flags, port=before.port)
    assert not browser.visit(after)
    assert browser.visit(after)


def test_an_old_client_gets_no_ticket(secured):
    """Of TLS 1.2, whose tickets hold what the whole session was encrypted with."""
    pit, browser = secured(), Browser(OLD)
    assert [browser.visit(pit) for _ in range(3)] == [False] * 3
