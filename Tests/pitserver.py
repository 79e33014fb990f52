"""`stickerpit` as a process of its own, for the tests that look at it from outside."""

import json
import os
import pathlib
import re
import signal
import subprocess
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
STICKERPIT = os.environ.get("STICKERPIT", str(ROOT / ".build/release/stickerpit"))


class PitServer:
    """`stickerpit serve` on a free port, or on the one given."""

    def __init__(self, *flags, port=0, web=ROOT / "web"):
        command = [STICKERPIT, "serve", "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(
            [*command, "--web", str(web), *map(str, flags)],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.scheme, self.port = self._address()

    def _address(self):
        # The server says where it is open; a server that fails to start closes the pipe instead.
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if found := re.search(r"here\s+(https?)://localhost:(\d+)", line):
                return found[1], int(found[2])
        raise RuntimeError("the server did not start: " + "".join(seen))

    @property
    def socket_url(self):
        return f"{self.scheme.replace('http', 'ws')}://127.0.0.1:{self.port}/ws"

    def health(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz") as answer:
            return json.load(answer)

    def stop(self):
        """Asks the server to end, waits, and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=20)
        self.process.stderr.close()
        return code
