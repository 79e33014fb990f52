"""The real server and real Chromium pages; the server's own fixture stands one folder up."""

import socket
import subprocess

import pytest
from pitpage import CHROMIUM, CHROMIUM_ARGUMENTS, PitPage
from playwright.sync_api import sync_playwright


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Pit:
    """`stickerpit serve` with 40 stickers, which can be started again on the same port."""

    def __init__(self, start_pit):
        self.port = free_port()
        self._start_pit = start_pit
        self._process = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        self._process = self._start_pit("--bodies", 40, "--seed", 1, port=self.port)

    def stop(self):
        self._process.stop()

    def start_bots(self, count):
        binary = self._process.process.args[0]
        url = f"ws://127.0.0.1:{self.port}/ws"
        return subprocess.Popen(
            [binary, "bots", "--url", url, "--count", str(count), "--seconds", "600"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture
def server(start_pit):
    return Pit(start_pit)


@pytest.fixture
def crowd(server):
    """Fourteen others, more than the page lists."""
    bots = server.start_bots(14)
    yield
    bots.kill()
    bots.wait()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser):
    """Opens pages, each in a profile of its own, like another person's."""
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
