"""What the browser tests share: the real server on a free port and real Chromium pages.

Environment: STICKERPIT is the server's binary (default .build/release/stickerpit), CHROMIUM the
browser (default /usr/bin/chromium).
"""

import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = ROOT / os.environ.get("STICKERPIT", ".build/release/stickerpit")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

# A name that is not localhost, so that the page is no secure context, yet leads here.
INSECURE_HOST = "pit.example"

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1",
]

# Software rendering on a busy machine is slow; a condition that holds comes long before this.
PATIENCE_MS = 30_000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class PitServer:
    """One `stickerpit serve`, which can be stopped and started again on the same port."""

    def __init__(self, log, *arguments):
        self.port = free_port()
        self.arguments = arguments
        self.log = log
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        command = [BINARY, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--web", ROOT / "web", "--seed", "1", *self.arguments]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        deadline = time.monotonic() + 20
        while not self.answers():
            assert self.process.poll() is None, f"the server ended:\n{self.log.read_text()}"
            assert time.monotonic() < deadline, f"no answer in 20 s:\n{self.log.read_text()}"
            time.sleep(0.05)

    def answers(self):
        try:
            with urllib.request.urlopen(self.url + "healthz", timeout=1) as response:
                return response.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None


class PitPage:
    """A page in its own browser profile, and what it complained about."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def join(self, url):
        self.page.goto(url)
        self.wait("pit => pit.connected && pit.count > 0")
        return self

    def wait(self, condition, argument=None):
        """Waits until a JavaScript function of window.stickerPit and one argument holds."""
        self.page.wait_for_function(
            f"argument => window.stickerPit && ({condition})(window.stickerPit, argument)",
            arg=argument,
        )

    def get(self, expression):
        """The value of a JavaScript expression in which `pit` is window.stickerPit."""
        return self.page.evaluate(f"() => {{ const pit = window.stickerPit; return {expression}; }}")

    def place(self, x, y):
        """Where a point of the world lies in the window."""
        place = self.page.evaluate("([x, y]) => window.stickerPit.toWindow(x, y)", [x, y])
        return place["x"], place["y"]

    def tilt_phone(self, beta, gamma):
        """Lets the motion sensor report an attitude."""
        session = self.page.context.new_cdp_session(self.page)
        session.send(
            "DeviceOrientation.setDeviceOrientationOverride",
            {"alpha": 0, "beta": beta, "gamma": gamma},
        )


@pytest.fixture
def server(tmp_path):
    assert BINARY.exists(), f"{BINARY} is missing: build it with `swift build -c release`"
    assert (ROOT / "web/pit.wasm").exists(), "web/pit.wasm is missing: build it with `make web`"
    server = PitServer(tmp_path / "server.log", "--bodies", "40")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser):
    """Opens pages, each in a profile of its own like another person's; checks them at the end."""
    contexts = []

    def open_page(width=800, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        return PitPage(context.new_page())

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def pit(server, new_page):
    """A page that has joined."""
    return new_page().join(server.url)
