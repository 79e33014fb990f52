"""nginx and Caddy before a pit, with the very files of deploy/, on ports of this test."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
from pathlib import Path

from pitserver import PATIENCE, until
from ports import free_port
from programs import DEPLOY, program, replaced, run
from websockets.sync.client import connect

NAME = "pit.example"

# What Debian's /etc/nginx/nginx.conf says around a site, as far as it matters.
AROUND = """
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
  include {folder}/sticker-pit.conf;
}}
"""

# Caddy stands alone: no port for orders, no root certificate, and no ports that only root may have.
CADDY_ALONE = """{{
	admin off
	skip_install_trust
	http_port {http_port}
	https_port {port}
	default_bind 127.0.0.1
}}
"""


class Edge:
    """A proxy with TLS before a pit."""

    def __init__(self, pit):
        self.pit = pit
        self.folder = Path(tempfile.mkdtemp(prefix="pit-edge-"))
        self.port, self.http_port = free_port(), free_port()
        self._make_certificate()
        self._trust = ssl.create_default_context(cafile=self.certificate)
        # The `websockets` package reads on one thread and writes on another, and OpenSSL allows no two
        # calls of one connection at once. With TLS 1.3 nginx sends session tickets after the
        # handshake: while one thread read them, what the other one wrote was lost now and then.
        # TLS 1.2 has its tickets inside the handshake.
        self._trust_of_two_threads = ssl.create_default_context(cafile=self.certificate)
        self._trust_of_two_threads.maximum_version = ssl.TLSVersion.TLSv1_2
        self.file = self._write()
        self.process = None

    def _make_certificate(self):
        self.certificate, self.key = self.folder / "cert.pem", self.folder / "key.pem"
        made = run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},DNS:localhost", "-keyout",
            self.key, "-out", self.certificate,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr

    def start(self):
        self._said = open(self.folder / "said", "w")
        self.process = subprocess.Popen(
            self._command(), stdout=self._said, stderr=self._said, env=self._environment()
        )
        until(self._is_open)

    def _is_open(self):
        said = self.folder / "said"
        assert self.process.poll() is None, said.read_text()
        try:
            self.dial().close()
            return True
        except OSError:
            return False

    def _environment(self):
        return None

    def dial(self, source="127.0.0.1", name=NAME):
        """A connection with TLS whose certificate was checked."""
        client = socket.create_connection(
            ("127.0.0.1", self.port), timeout=PATIENCE, source_address=(source, 0)
        )
        return self._trust.wrap_socket(client, server_hostname=name)

    def ask(self, path, **headers):
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection(NAME, self.port, timeout=PATIENCE)
        connection.sock = self.dial()
        return self._answer(connection, path, headers)

    def ask_plainly(self, path):
        """The same without TLS."""
        connection = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=PATIENCE)
        return self._answer(connection, path, {"Host": NAME})

    @staticmethod
    def _answer(connection, path, headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=named)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def join(self, source="127.0.0.1", **options):
        """A WebSocket."""
        plain = socket.create_connection(
            ("127.0.0.1", self.port), timeout=PATIENCE, source_address=(source, 0)
        )
        return connect(
            f"wss://{NAME}:{self.port}/ws", sock=plain, ssl=self._trust_of_two_threads,
            server_hostname=NAME, subprotocols=["stickerpit.v1"], ping_timeout=None, legacy=True,
            **options,
        )  # fmt: skip

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)
            self._said.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Nginx(Edge):
    name = "sticker-pit.conf"

    def _upstream(self):
        return {"server 127.0.0.1:8080;": f"server 127.0.0.1:{self.pit.port};"}

    def _write(self):
        site = replaced(
            (DEPLOY / "nginx" / self.name).read_text(),
            {
                **self._upstream(),
                "listen 80;": f"listen 127.0.0.1:{self.http_port};",
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                # Not every machine that runs tests has IPv6.
                "listen [::]:80;": "",
                "listen [::]:443 ssl http2;": "",
                "/etc/letsencrypt/live/pit.example/fullchain.pem": self.certificate,
                "/etc/letsencrypt/live/pit.example/privkey.pem": self.key,
            },
        )
        (self.folder / "sticker-pit.conf").write_text(site)
        file = self.folder / "nginx.conf"
        file.write_text(AROUND.format(folder=self.folder))
        return file

    def check(self):
        """What `nginx -t` says."""
        return run("nginx", "-t", "-p", self.folder, "-c", self.file, "-e", self.folder / "errors")

    def _command(self):
        errors = self.folder / "errors"
        return [program("nginx"), "-p", self.folder, "-c", self.file, "-e", errors]


class NginxOfEdges(Nginx):
    """The file for several edges: one is the pit, and nobody is where the other one should be."""

    name = "edges.conf"

    def _upstream(self):
        return {
            "server 10.0.0.11:8080 ": f"server 127.0.0.1:{free_port()} ",
            "server 10.0.0.12:8080 ": f"server 127.0.0.1:{self.pit.port} ",
        }


class Caddy(Edge):
    def _write(self):
        first = "{$PIT_NAME:pit.example} {\n"
        site = replaced(
            (DEPLOY / "caddy/Caddyfile").read_text(),
            # Without this line it would ask for a certificate on the internet.
            {first: f"{first}\ttls {self.certificate} {self.key}\n"},
        )
        file = self.folder / "Caddyfile"
        file.write_text(CADDY_ALONE.format(port=self.port, http_port=self.http_port) + site)
        return file

    def _environment(self):
        # The site can be configured by two of these; the rest keeps Caddy's own files here.
        return os.environ | {
            "PIT_NAME": f"{NAME}, localhost",
            "PIT_ADDRESS": f"127.0.0.1:{self.pit.port}",
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
        }

    def check(self):
        """What `caddy validate` says."""
        return run("caddy", "validate", *self._names_file(), env=self._environment())

    def _names_file(self):
        return "--config", self.file, "--adapter", "caddyfile"

    def _command(self):
        return [program("caddy"), "run", *self._names_file()]
