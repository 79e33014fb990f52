"""How long it takes until something happens for who opens the page or comes back to it. The tests hold it
to what is promised, generously; `make bench-first` writes down what it is."""

import time

# What is promised on a machine that does nothing else, ms.
FIRST_MOVE_MS, FIRST_STICKER_MS, BACK_MS = 1000, 5000, 1000

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}

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

# Shows the screen again, and notes how long after that the socket and the sound were back, ms.
RETURN = """() => {
  window.back = {};
  const began = performance.now();
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
  const look = () => {
    const { back, stickerPit: pit } = window;
    if (pit.connected) back.socket ??= performance.now() - began;
    if (window.audio.contexts[0].state === "running") back.sound ??= performance.now() - began;
    if (Object.keys(back).length < 2) setTimeout(look, 10);
  };
  look();
}"""


def first_move_ms(page, url):
    """From the navigation of a new page to the first picture in which a sticker has moved; others play."""
    page.page.add_init_script(NOTE_FIRST_MOVE)
    page.page.goto(url)
    page.wait("() => window.movedAt !== undefined")
    return page.get("window.movedAt")


def first_sticker_ms(page, url):
    """From the navigation of a new page on a slow phone to the sticker that one tap drops."""
    page.devtools.send("Network.enable")
    page.devtools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    page.devtools.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
    began = time.monotonic()
    page.page.goto(url, wait_until="commit")
    page.wait("pit => pit.connected && pit.count > 0")
    count = page.get("pit.count")
    page.page.touchscreen.tap(*page.place(360, 120))
    page.wait("(pit, count) => pit.count > count", count)
    return 1000 * (time.monotonic() - began)


def back_ms(page):
    """From the moment at which a locked screen is shown again until socket and sound are both back, on a
    page that notes its sounds (NOTE_SOUNDS of test_sound.py) and has begun to play them."""
    page.set_visibility("hidden")
    page.wait("pit => !pit.connected && window.audio.contexts[0].state === 'suspended'")
    # A phone that was locked in the pocket.
    page.page.wait_for_timeout(1000)
    page.page.evaluate(RETURN)
    page.wait("() => Object.keys(window.back).length === 2")
    return page.get("Math.max(window.back.socket, window.back.sound)")
