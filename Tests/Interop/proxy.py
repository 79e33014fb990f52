"""nginx before a pit, as an operator would put it there, for the tests that look through it."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from pitserver import PATIENCE, ROOT, until

# Debian keeps servers where only root's PATH leads; `make setup-test` unpacks one of its own.
PLACES = [os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", str(ROOT / ".run/nginx/usr/sbin")]

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/errors warn;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  keepalive_requests 100000;
  upstream pit {{
    server 127.0.0.1:{port};
    # Few, so that what one client leaves on a connection meets the next one's request.
    keepalive 2;
    keepalive_requests 100000;
  }}
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen unix:{folder}/socket;
    location / {{
      proxy_pass http://pit;
      proxy_http_version 1.1;
      proxy_set_header Host localhost;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_request_buffering {request_buffering};
      {extra}
    }}
  }}
}}
"""


def nginx_program():
    """Where nginx is. A machine without it fails the test: nothing is skipped silently."""
    program = shutil.which("nginx", path=os.pathsep.join(PLACES))
    assert program, "nginx is missing: run 'make setup-test'"
    return program


class Proxy:
    """nginx on a Unix socket of its own, with a few lasting connections to the pit behind it. Needs
    no rights, no port, and nothing but a folder for temporary files."""

    def __init__(self, pit, request_buffering="on", extra=""):
        program = nginx_program()
        self.pit = pit
        # The path of a socket is short, and pytest's folders are not.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pit-proxy-"))
        self.path = str(self.folder / "socket")
        file = self.folder / "nginx.conf"
        file.write_text(
            CONFIGURATION.format(
                folder=self.folder, port=pit.port, request_buffering=request_buffering,
                extra=extra,
            )
        )
        errors = str(self.folder / "errors")
        self.process = subprocess.Popen(
            [program, "-p", self.folder, "-c", file, "-e", errors],
            stderr=subprocess.DEVNULL,
        )
        until(self._is_open)

    def _is_open(self):
        assert self.process.poll() is None, (self.folder / "errors").read_text()
        try:
            self.connect().close()
            return True
        except OSError:
            return False

    def connect(self):
        """A connection to nginx."""
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(PATIENCE)
        client.connect(self.path)
        return client

    def connections_to_the_pit(self):
        """Sockets to the pit's port, those included whose end is less than a minute ago."""
        port = f":{self.pit.port:04X}"
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[2].endswith(port) for line in lines)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class ProxyClient:
    """A client of the proxy that sends bytes as it likes and takes the answers apart."""

    def __init__(self, proxy):
        self.socket = proxy.connect()
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            pass

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            return False
        self.received += data
        return bool(data)

    def answer(self, is_head=False):
        """The next answer as status, headers and body; None at the end of the connection."""
        while b"\r\n\r\n" not in self.received:
            if not self._more():
                assert not self.received, f"half an answer: {self.received[:200]!r}"
                return None
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        assert first.startswith("HTTP/1.1 "), f"no answer begins so: {first!r}"
        headers = {name.lower(): value.strip() for name, _, value in (l.partition(":") for l in lines)}
        status = int(first.split()[1])
        if is_head or status in (100, 101, 204, 304):
            return status, headers, b""
        return status, headers, self._body(headers)

    def _body(self, headers):
        assert "transfer-encoding" not in headers, headers
        length = int(headers["content-length"])
        while len(self.received) < length:
            assert self._more(), "the answer was cut off"
        body, self.received = self.received[:length], self.received[length:]
        return body

    def answers(self, heads=()):
        """Every answer until nginx hangs up, but none that says "go on" (100). `heads` says which
        of them belong to a HEAD."""
        found = []
        while answer := self.answer(is_head=len(found) in heads):
            if answer[0] != 100:
                found.append(answer)
        return found
