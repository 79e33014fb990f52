"""The servers that are compared: how each is built, started on a core of its own, and looked at."""
import contextlib
import json
import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests"))

from pitserver import PitServer, until  # noqa: E402

OURS, FLOOR, TUTORIAL, UWS = "ours", "floor", "tutorial", "uws"
TITLES = {
    OURS: "Sticker Pit", FLOOR: "bare loop", TUTORIAL: "libwebsockets, tutorial", UWS: "uWebSockets",
}  # fmt: skip
# The thread that fans out; the world's thread costs the same whatever the number of clients.
NETWORK_THREAD = "stickerpit-net"


def gcc(program, *sources_and_libraries):
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-o", program, *sources_and_libraries]
    subprocess.run(command, check=True, cwd=HERE)
    return program


def compile_load(folder):
    """Builds the clients into `folder`."""
    return gcc(f"{folder}/load", "load.c", "client.c", "meter.c", "-lssl", "-lcrypto", "-lm")


def compile_all(folder):
    """Builds the load and the peers into `folder`. Returns the programs of the peers by engine."""
    compile_load(folder)
    programs = {
        FLOOR: gcc(f"{folder}/floor", "floor.c", "-lssl", "-lcrypto"),
        TUTORIAL: gcc(f"{folder}/tutorial", "tutorial.c", "-lwebsockets", "-lssl", "-lcrypto"),
    }
    if sources := os.environ.get("UWEBSOCKETS"):
        programs[UWS] = compile_uwebsockets(folder, Path(sources))
    return programs


def compile_uwebsockets(folder, sources):
    """uWebSockets' own flags as far as they matter: -O3, link-time optimization, OpenSSL, no zlib.
    Its µSockets are in the folder too, as in a recursive clone, or where USOCKETS says."""
    below = Path(os.environ.get("USOCKETS", sources / "uSockets")) / "src"
    flags = ["-O3", "-flto=auto", "-DLIBUS_USE_OPENSSL", f"-I{below}"]
    built = Path(folder) / "usockets"
    built.mkdir()
    c_files = [*below.glob("*.c"), *below.glob("eventing/*.c"), *below.glob("crypto/*.c")]
    if not c_files:
        raise SystemExit(f"{below} holds no µSockets; USOCKETS names their folder")
    subprocess.run(["gcc", "-std=c11", *flags, "-w", "-c", *c_files], check=True, cwd=built)
    cpp_files = list(below.glob("crypto/*.cpp"))
    subprocess.run(["g++", "-std=c++20", *flags, "-w", "-c", *cpp_files], check=True, cwd=built)
    subprocess.run(
        [
            "g++", "-std=c++20", *flags, "-Wall", "-Wextra", "-DUWS_NO_ZLIB",
            "-isystem", sources / "src", HERE / "uws.cpp", *built.glob("*.o"),
            "-o", f"{folder}/uws", "-lssl", "-lcrypto", "-lpthread",
        ],
        check=True, cwd=HERE,
    )  # fmt: skip
    return f"{folder}/uws"


# MARK: Cores


def cores():
    """The server's core and the load's: the first and the last that we may use."""
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) < 2:
        print("fanout: one core only: server and load share it, which tells little", file=sys.stderr)
    return mine[0], mine[-1]


@contextlib.contextmanager
def on_core(core):
    """Programs that are started in here stay on that core, with all their threads. None: on any."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before if core is None else {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


# MARK: Servers


class Server:
    """A server under way: what it has computed, and what it holds."""

    pid: int
    port: int

    def processor_seconds(self):
        """What each of its threads has computed, by the thread's name."""
        sums = {}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
                name = (task / "comm").read_text().strip()
                spent = int((task / "schedstat").read_text().split()[0]) / 1e9
                sums[name] = sums.get(name, 0) + spent
        return sums

    def resident_bytes(self):
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def health(self):
        """Counters that only our server has."""
        return {}


class Ours(Server):
    def __init__(self, core, bodies, certificate, clients, threads=1):
        flags = ["--bodies", bodies, "--max-bodies", bodies, "--network-threads", threads]
        flags += ["--limit", f"connections={max(4096, clients + 16)}"]
        if certificate:
            flags += ["--tls-cert", certificate[0], "--tls-key", certificate[1]]
        with on_core(core):
            self.server = PitServer(*flags, checks_frames=False)
        self.pid, self.port = self.server.process.pid, self.server.port
        until(lambda: self.health()["tick"] > 60)

    def health(self):
        url = f"{self.server.scheme}://127.0.0.1:{self.port}/healthz"
        unverified = ssl._create_unverified_context()
        with urllib.request.urlopen(url, timeout=60, context=unverified) as answer:
            return json.load(answer)

    def stop(self):
        self.server.stop()


class Peer(Server):
    def __init__(self, program, core, size, hz, certificate):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        arguments = [self.port, size, hz, *(certificate or [])]
        with on_core(core):
            self.process = subprocess.Popen([program, *map(str, arguments)])
        self.pid = self.process.pid
        until(self._is_listening, seconds=10)
        time.sleep(0.2)

    def _is_listening(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.process.args[0]} did not start")
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        return False

    def stop(self):
        self.process.terminate()
        self.process.wait()


def certificate(folder):
    """A certificate for this machine, of the kind that `make run TLS=1` serves with."""
    subprocess.run([ROOT / "scripts/certificate", folder], check=True, stdout=subprocess.DEVNULL)
    return f"{folder}/certificate.pem", f"{folder}/key.pem"
