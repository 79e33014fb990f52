"""Debian's nats-server with JetStream as a process of its own, or three that keep all together."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from pitserver import PATIENCE, ROOT, until
from ports import free_port

UNPACKED = ROOT / ".run/nats-server/usr/sbin/nats-server"
NATS_SERVER = os.environ.get("NATS_SERVER") or shutil.which("nats-server") or str(UNPACKED)


class NATSServer:
    """One on a port that stays its own when it is started again, with its streams in a folder that
    does, too. `lines` are more of its configuration."""

    def __init__(self, lines=""):
        self.port, self._monitoring = free_port(), free_port()
        self.folder = tempfile.mkdtemp(prefix="nats-")
        self._lines = lines
        self.start()

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        configuration = pathlib.Path(self.folder) / "nats.conf"
        configuration.write_text(self._configuration())
        with open(pathlib.Path(self.folder) / "said", "a") as said:
            self.process = subprocess.Popen(
                [NATS_SERVER, "--config", str(configuration)],
                stdout=said, stderr=said, env=os.environ | self._environment(),
            )  # fmt: skip
        self._wait()

    def _configuration(self):
        return f"""
            host: 127.0.0.1
            port: {self.port}
            http: "127.0.0.1:{self._monitoring}"
            jetstream {{ store_dir: "{self.folder}/streams" }}
            # A slow subscriber is cut off after a second, so that it slows nobody down.
            write_deadline: "1s"
            {self._lines}
            """

    def _environment(self):
        """What its configuration takes from there."""
        return {}

    @property
    def said(self):
        return (pathlib.Path(self.folder) / "said").read_text()

    def _wait(self):
        ends = time.monotonic() + 30
        while True:
            assert self.process.poll() is None, f"nats-server did not start: {self.said}"
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                    assert connection.recv(4).startswith(b"INFO")
                    return
            except OSError:
                assert time.monotonic() < ends, "nats-server does not answer"
                time.sleep(0.02)

    def tells(self, path):
        """What its monitoring says, such as `varz`."""
        url = f"http://127.0.0.1:{self._monitoring}/{path}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return json.load(answer)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Has it end in order: what it leads in a cluster it gives to the others."""
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class NATSCluster:
    """Three that keep streams together: of each stream one leads, and two of three decide."""

    def __init__(self):
        routes = [free_port() for _ in range(3)]
        addresses = ", ".join(f'"nats://127.0.0.1:{route}"' for route in routes)
        self.servers = [
            NATSServer(
                f"""
                server_name: {self._name(place)}
                cluster {{
                  name: pit
                  host: 127.0.0.1
                  port: {route}
                  routes: [{addresses}]
                }}
                """
            )
            for place, route in enumerate(routes)
        ]
        # Streams can be made when the three have agreed on who decides where, and know all of it.
        until(lambda: any(self._leads(server.tells("jsz")) for server in self.servers))

    @staticmethod
    def _leads(told):
        """Whether one that tells this leads the others, and both follow."""
        others = told.get("meta_cluster", {}).get("replicas", [])
        return len(others) == 2 and all(other["current"] for other in others)

    @staticmethod
    def _name(place):
        return f"nats-{place}"

    @property
    def url(self):
        return ",".join(server.url for server in self.servers)

    @property
    def port(self):
        """Of one that is there."""
        return next(server.port for server in self.servers if server.process.poll() is None)

    def leader_of(self, stream):
        """The server that leads a stream; None while they have not agreed on one that is there."""
        name = self._cluster_of(stream).get("leader")
        found = [each for place, each in enumerate(self.servers) if self._name(place) == name]
        return found[0] if found and found[0].process.poll() is None else None

    def is_whole(self, stream):
        """Whether all three have everything of a stream, so that any of them may fail."""
        others = self._cluster_of(stream).get("replicas", [])
        return len(others) == 2 and all(other["current"] for other in others)

    def _cluster_of(self, stream):
        """What its leader says of a stream's servers: the others know less."""
        for place, server in enumerate(self.servers):
            if server.process.poll() is not None:
                continue
            accounts = server.tells("jsz?accounts=true&streams=true").get("account_details", [])
            for found in (one for account in accounts for one in account.get("stream_detail", [])):
                if found["name"] == stream and found["cluster"].get("leader") == self._name(place):
                    return found["cluster"]
        return {}

    def stop(self):
        for server in self.servers:
            server.stop()
