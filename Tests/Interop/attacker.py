"""Sockets that keep no rule, and honest clients beside them that must notice nothing."""

import contextlib
import json
import random
import signal
import socket
import ssl
import struct
import subprocess

from pitserver import PATIENCE, STICKERPIT, until
from serverframe import split_frame

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
BINARY, CLOSE, PING, PONG = 0x2, 0x8, 0x9, 0xA


@contextlib.contextmanager
def honest_bots(pit, count=5):
    """Bots that play while somebody attacks from other addresses: every frame must reach them,
    nothing may close them, and the world must go on."""
    flags = ["--url", pit.socket_url, "--count", str(count), "--seconds", "3600", "--json"]
    bots = subprocess.Popen(
        [STICKERPIT, "bots", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        until(lambda: pit.health()["people"] >= count)
        before = pit.health()["tick"]
        yield
        pit.wait_for_tick(before + 60)
        bots.send_signal(signal.SIGINT)
        report = json.loads(bots.communicate(timeout=PATIENCE)[0])
    finally:
        bots.kill()
        bots.wait()
    assert report["errors"] == 0, report["messages"]
    assert report["gaps"] == 0 and report["connected"] == count
    assert report["frames"] > 0


class Attacker:
    """A TCP connection to the server, from whichever loopback address one likes."""

    def __init__(self, pit, source="127.0.0.2", receive_buffer=None):
        self.pit = pit
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", pit.port))
        if pit.scheme == "https":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.socket = context.wrap_socket(self.socket)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends what the server takes; False once it has hung up."""
        try:
            self.socket.sendall(data)
            return True
        except (ConnectionError, ssl.SSLError):
            return False

    def more(self):
        """Reads what there is; False at the end of the connection."""
        try:
            data = self.socket.recv(65536)
        except (ConnectionError, ssl.SSLError):
            return False
        self.received += data
        return bool(data)

    def all(self):
        """Everything until the server hangs up."""
        while self.more():
            pass
        return self.received

    # HTTP

    def request(self, head, *lines, host="127.0.0.1"):
        self.send("\r\n".join([head, f"Host: {host}", *lines, "", ""]).encode())

    def answer(self):
        """The next answer: its status and its body."""
        while b"\r\n\r\n" not in self.received:
            assert self.more(), f"no answer, only {self.received[:100]!r}"
        head, _, rest = self.received.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        while len(rest) < length:
            assert self.more(), "the answer was cut off"
            rest = self.received.partition(b"\r\n\r\n")[2]
        self.received = rest[length:]
        return int(lines[0].split()[1]), rest[:length]

    # WebSocket

    def shake_hands(self, *lines, key=KEY, path="/ws", host=None, version=13):
        """Asks for a WebSocket and gives the answer's status."""
        self.request(
            f"GET {path} HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", f"Sec-WebSocket-Version: {version}",
            "Sec-WebSocket-Protocol: stickerpit.v1", *lines,
            host=f"127.0.0.1:{self.pit.port}" if host is None else host,
        )
        return self.answer()[0]

    def frame(self, payload=b"", opcode=BINARY, final=True, masked=True, length=None, reserved=0):
        """A frame as one likes; `length` is the bytes of the length field, if not the fewest."""
        first = (0x80 if final else 0) | reserved << 4 | opcode
        count = len(payload)
        size = length or (1 if count < 126 else 2 if count < 65536 else 8)
        mask_bit = 0x80 if masked else 0
        head = {
            1: lambda: struct.pack(">BB", first, mask_bit | count),
            2: lambda: struct.pack(">BBH", first, mask_bit | 126, count),
            8: lambda: struct.pack(">BBQ", first, mask_bit | 127, count),
        }[size]()
        return self.send(head + (b"\0\0\0\0" if masked else b"") + payload)

    def frames(self):
        """The server's frames, as (opcode, payload), until it hangs up."""
        while True:
            parsed = self._next_frame()
            if parsed:
                yield parsed
            elif not self.more():
                return

    def _next_frame(self):
        found = split_frame(self.received)
        if found is None:
            return None
        opcode, payload, self.received = found
        return opcode, payload

    def closing(self):
        """Reads until the server closes: the code and the reason, or (None, "") without any."""
        code = None, ""
        for opcode, payload in self.frames():
            if opcode == CLOSE and len(payload) >= 2:
                code = struct.unpack(">H", payload[:2])[0], payload[2:].decode()
        return code

    @staticmethod
    def noise(seed, count):
        return random.Random(seed).randbytes(count)
