"""TLS sessions are taken up again, also by the next process."""

import os
import signal
import socket
import ssl
import struct

import pytest
from pitserver import PATIENCE, until
from test_reload import certificate, presented

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


def extension(kind, body):
    return struct.pack(">HH", kind, len(body)) + body


def hello_of_the_old(versions):
    """A ClientHello that asks for a ticket and lists its versions, of which none is TLS 1.3."""
    listed = b"".join(struct.pack(">H", version) for version in versions)
    extensions = b"".join(
        [
            extension(10, bytes.fromhex("0004 001d 0017")),  # groups: X25519, P-256
            extension(11, bytes.fromhex("0100")),  # points: uncompressed
            extension(13, bytes.fromhex("0006 0403 0804 0401")),  # ECDSA, RSA-PSS and RSA, with SHA-256
            extension(35, b""),  # a ticket, please
            extension(43, bytes([len(listed)]) + listed),
        ]
    )
    ciphers = bytes.fromhex("c02b c02f")
    body = b"".join(
        [
            b"\x03\x03", os.urandom(32), b"\x00", struct.pack(">H", len(ciphers)), ciphers, b"\x01\x00",
            struct.pack(">H", len(extensions)), extensions,
        ]
    )  # fmt: skip
    message = b"\x01" + len(body).to_bytes(3, "big") + body
    return b"\x16\x03\x01" + struct.pack(">H", len(message)) + message


def answered_extensions(plain):
    """The version and the kinds of extensions of a ServerHello."""
    with plain.makefile("rb") as stream:
        kind, _, length = struct.unpack(">BHH", stream.read(5))
        hello = stream.read(length)
    assert kind == 22 and hello[0] == 2
    at = 4 + 2 + 32
    at += 1 + hello[at]  # the session's number
    at += 3  # cipher and compression
    end = at + 2 + struct.unpack_from(">H", hello, at)[0]
    at += 2
    kinds = []
    while at < end:
        kind, length = struct.unpack_from(">HH", hello, at)
        kinds.append(kind)
        at += 4 + length
    return hello[4:6], kinds


@pytest.mark.parametrize("versions", [[0x0303], [0x0303, 0x0302]])
def test_nor_does_one_that_lists_its_versions(secured, versions):
    with socket.create_connection(("127.0.0.1", secured().port), timeout=PATIENCE) as plain:
        plain.sendall(hello_of_the_old(versions))
        version, kinds = answered_extensions(plain)
    assert version == b"\x03\x03"
    assert 35 not in kinds


def test_another_certificate_ends_all_sessions(secured, tmp_path):
    # One thread, because each takes the new certificate in a moment of its own.
    pit, browser = secured("--network-threads", 1), Browser(NEW)
    assert [browser.visit(pit) for _ in range(2)] == [False, True]
    certificate(tmp_path / "tls", "two")
    before = presented(pit)
    pit.process.send_signal(signal.SIGHUP)
    until(lambda: presented(pit) != before)
    assert [browser.visit(pit) for _ in range(2)] == [False, True]
