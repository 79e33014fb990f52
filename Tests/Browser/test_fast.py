"""How long it takes until something happens for who has just opened the page. `make bench-first` holds it to
the second on a machine that does nothing else."""

import subprocess
import time

import pytest
from pitpage import PATIENT
from pitserver import STICKERPIT

# The moment, ms after the navigation, at which the first picture was drawn in which a sticker has moved.
NOTE_FIRST_MOVE = """
let first = null;
const look = () => {
  const positions = window.stickerPit?.positions() ?? [];
  first ??= positions.length > 0 ? new Map(positions.map(({ slot, x, y }) => [slot, [x, y]])) : null;
  const hasMoved = ({ slot, x, y }) => {
    const [fromX, fromY] = first?.get(slot) ?? [x, y];
    return Math.hypot(x - fromX, y - fromY) > 0.5;
  };
  if (positions.some(hasMoved)) window.movedAt = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""

# A phone in a network that others use, too: 10 Mbit/s and 50 ms to the server and back.
SLOW_NETWORK = {
    "offline": False, "latency": 50, "downloadThroughput": 1_250_000, "uploadThroughput": 625_000,
}
TIMES_SLOWER = 4


@pytest.fixture
def lively(server):
    """A pit in which others play."""
    flags = ["--url", server.url.replace("http", "ws") + "ws", "--count", "5", "--seconds", "3600"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([STICKERPIT, "bots", *flags], **quiet) as bots:
        yield server
        bots.terminate()


# The best of some tries: other work of the machine is no slowness of the page.


def test_the_first_move_is_seen_within_a_second(lively, new_page):
    taken = []
    for _ in range(5):
        page = new_page(390, 844, has_touch=True, is_mobile=True)
        page.page.add_init_script(NOTE_FIRST_MOVE)
        page.page.goto(lively.url)
        page.wait("() => window.movedAt !== undefined")
        taken.append(page.get("window.movedAt"))
        page.page.context.close()
        print(f"first move after {taken[-1]:.0f} ms")
        if taken[-1] < 1000 * PATIENT:
            return
    raise AssertionError(taken)


def test_from_the_code_to_the_first_sticker_is_a_tap_and_five_seconds(server, new_page):
    taken = []
    for _ in range(3):
        page = new_page(390, 844, has_touch=True, is_mobile=True)
        page.devtools.send("Network.enable")
        page.devtools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        page.devtools.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
        began = time.monotonic()
        page.page.goto(server.url, wait_until="commit")
        page.wait("pit => pit.connected && pit.count > 0")
        count = page.get("pit.count")
        page.page.touchscreen.tap(*page.place(360, 120))
        page.wait("(pit, count) => pit.count > count", count)
        taken.append(time.monotonic() - began)
        page.page.context.close()
        print(f"first sticker after {taken[-1]:.1f} s")
        if taken[-1] < 5 * PATIENT:
            return
    raise AssertionError(taken)
