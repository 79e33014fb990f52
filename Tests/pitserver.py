"""`stickerpit` as a process of its own, for the tests that look at it from outside."""

import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.request

from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent
STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))

# Seconds until what ought to come counts as missing. What comes does so long before, also on a slow
# machine that has other things to do; so only a failure takes that long.
PATIENCE = 120


def build_of(web=ROOT / "web"):
    """The version that the addresses of a page's files have in them."""
    return re.search(r'^  version: "([0-9a-f]{16})",$', (web / "build.js").read_text(), re.MULTILINE)[1]


def until(condition, seconds=PATIENCE, every=0.05):
    """The first true answer; fails if there is none in time."""
    ends = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < ends, "it never came to that"
        time.sleep(every)
    return found


class PitServer:
    """`stickerpit serve` on a free port, or on the one given. It decodes and compares every frame that
    it sends, unless told otherwise, and stops at the first difference. `descriptors` is how many
    files and sockets it may have open, which it can't raise. `program` is another build of it,
    `part` the command: `edge` for one whose world another server runs. Unless `reads_log`, nobody
    reads what it says after its start until it is stopped."""

    def __init__(
        self, *flags, port=0, web=ROOT / "web", checks_frames=True, descriptors=None,
        program=STICKERPIT, environment=None, part="serve", reads_log=True,
    ):  # fmt: skip
        # Not one that the kernel chooses: while the server is started again on it, somebody's
        # connection might be given it.
        port = port or free_port()
        command = [program, part, "--host", "127.0.0.1", "--port", str(port)]
        if descriptors:
            # The shell lowers both limits, the soft and the hard one, and becomes the server.
            command = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *command]
        if checks_frames:
            command.append("--check-frames")
        self.process = subprocess.Popen(
            [*command, "--web", str(web), *map(str, flags)],
            stderr=subprocess.PIPE,
            text=True,
            env=None if environment is None else os.environ | environment,
        )
        # Whatever it says later is read as well: its lines are looked at, and a full pipe loses some.
        self.lines = []
        self.scheme, self.port = self._address()
        self._reader = threading.Thread(target=self._read, daemon=True)
        if reads_log:
            self._reader.start()

    def _read(self):
        self.lines.extend(self.process.stderr)

    def _address(self):
        # The server says where it is open; a server that fails to start closes the pipe instead.
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            self.lines.append(line)
            if found := re.search(r"here\s+(https?)://localhost:(\d+)", line):
                return found[1], int(found[2])
        self.process.wait()
        raise RuntimeError("the server did not start: " + "".join(seen))

    @property
    def socket_url(self):
        return f"{self.scheme.replace('http', 'ws')}://127.0.0.1:{self.port}/ws"

    def ask(self, path):
        """What it answers to an HTTP request; raises `HTTPError` if that is a refusal."""
        url = f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return json.load(answer)

    def health(self):
        return self.ask("/healthz")

    def world(self):
        """The newest world, as soon as there is one."""
        until(lambda: self.health()["tick"] > 0)
        return self.ask("/api/world")

    def wait_for_tick(self, tick):
        until(lambda: self.health()["tick"] >= tick)

    def processor_seconds(self):
        """What it has computed so far: tells a server with too much to do from a machine that
        stands still or has others to serve."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """Asks the server to end, waits, and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        if self._reader.ident is None:
            self._reader.start()
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join()
        self.process.stderr.close()
        if code != 0:
            print(f"the server ended with {code}:", *self.lines[-40:], sep="\n", flush=True)
        return code
