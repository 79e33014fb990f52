"""The real server and real Chromium pages; the server's own fixture stands one folder up, and the
proxies that may stand before it beside this folder."""

import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Deploy"))

import pytest
from pitpage import CHROMIUM, CHROMIUM_ARGUMENTS, KEEPS_NOTHING, PAGE_FILE, PATIENCE_MS, PitPage
from pitserver import STICKERPIT, PitServer
from playwright.sync_api import sync_playwright
from ports import free_port


class Pit:
    """`stickerpit serve` with 40 stickers, which can be started again on the same port."""

    def __init__(self, start_pit):
        self._start_pit = start_pit
        self._process = None
        # Somebody else may take the port before the server does.
        for attempt in range(10):
            self.port = free_port()
            try:
                return self.start()
            except RuntimeError:
                if attempt == 9:
                    raise

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        self._process = self._start_pit("--bodies", 40, "--seed", 1, port=self.port)

    def stop(self):
        self._process.stop()


@pytest.fixture
def server(start_pit):
    return Pit(start_pit)


@pytest.fixture(scope="module")
def shared_pit():
    """A server for tests that leave no trace in its world."""
    server = PitServer("--bodies", 40, "--seed", 1)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def crowd(shared_pit):
    """Fourteen others, more than the page lists."""
    flags = ["--url", shared_pit.socket_url, "--count", "14", "--seconds", "36000"]
    bots = subprocess.Popen(
        [STICKERPIT, "bots", *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield
    bots.kill()
    bots.wait()


@pytest.fixture(scope="module")
def blank_page(shared_pit, browser):
    """A page for tests of single modules, which each import what they need."""
    context = browser.new_context()
    context.add_init_script(KEEPS_NOTHING + PAGE_FILE)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"http://127.0.0.1:{shared_pit.port}/")
    yield page
    context.close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS, timeout=PATIENCE_MS
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser):
    """Opens pages, each in a profile of its own, like another person's. Only tests of that have them
    kept for later: it fetches everything a second time."""
    contexts = []

    def open_page(width=800, height=900, is_kept=False, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        if not is_kept:
            context.add_init_script(KEEPS_NOTHING)
        contexts.append(context)
        return PitPage(context.new_page())

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def pit(server, new_page):
    """A page that has joined."""
    return new_page().join(server.url)
