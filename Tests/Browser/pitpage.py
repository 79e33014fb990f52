"""A page of the pit in real Chromium, as the browser tests use it."""

import contextlib
import json
import math
import os
import time
import urllib.request
from urllib.parse import urljoin

from pitserver import PATIENCE, until
from playwright.sync_api import TimeoutError as PlaywrightTimeout

# Without windows of its own, which nobody sees here: a page takes half the time to join.
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")

# A name that is not localhost, so that the page is no secure context, yet leads here.
INSECURE_HOST = "pit.example"

# A browser without service workers, as on pages without https.
KEEPS_NOTHING = "delete Navigator.prototype.serviceWorker;"

# Where a page has a file of its code, for `import(pageFile("./core/wire.js"))` in tests: under another address
# the same file would be another module, with a state of its own.
PAGE_FILE = """
window.pageFile = path => new URL(path, document.querySelector("script[src$='main.js']").src).href;
"""

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    # WebGL is computed as ever; what the browser itself puts together costs half as much this way.
    "--disable-gpu-compositing",
    f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1",
]

# Software rendering on a busy machine is slow; a condition that holds comes long before this.
PATIENCE_MS = PATIENCE * 1000

# Times that are promised hold on a machine that does nothing else, where `make bench-first` measures them. Tests,
# which run on any machine, give so many times as long.
PATIENT = 8

# What is shown for a moment only, noted however slowly anybody looks: the sentences of the toast
# and of the headline, and the answers to touches.
NOTE_WHAT_PASSES = """
window.passed = { toasts: [], headlines: [], splashes: 0 };
addEventListener("DOMContentLoaded", () => {
  const { passed } = window;
  const everything = { attributes: true, childList: true, characterData: true, subtree: true };
  for (const [id, sentences] of [["toast", passed.toasts], ["headline", passed.headlines]]) {
    const element = document.getElementById(id);
    const note = () => element.hidden || sentences.push(element.textContent);
    new MutationObserver(note).observe(element, everything);
  }
  new MutationObserver(changes => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    passed.splashes += added.filter(node => node.className === "splash").length;
  }).observe(document.getElementById("arena"), { childList: true });
});
"""

# Timers that wait for a hold or a second tap don't run out before they are let go.
HOLD_TIMERS = """() => {
  const { setTimeout: set, clearTimeout: clear } = window;
  const held = new Map();
  let last = 0;
  window.setTimeout = (action, delay, ...values) => {
    if (!(delay >= 100 && delay < 1000)) return set(action, delay, ...values);
    held.set((last -= 1), action);
    return last;
  };
  window.clearTimeout = timer => held.delete(timer) || clear(timer);
  window.letTimersGo = () => {
    Object.assign(window, { setTimeout: set, clearTimeout: clear });
    for (const action of held.values()) action();
  };
}"""


# What a page fetches by itself once there is a picture: hints, what screen readers hear of the pit as a
# whole, what reads a phone's sensors, what keeps the screen awake, and what lowers the sharpness on a slow
# device.
AFTER_THE_PICTURE = {
    "draw/governor.js",
    "ui/hint.js",
    "ui/hint.css",
    "ui/dom.js",
    "ui/wakelock.js",
    "ui/summary.js",
    "play/thing.js",
    "strings/later/en.js",
    "strings/later/zh.js",
    "input/readings.js",
    "input/level.js",
}

# The type of a message around another one.
AIMED = 0x0C


class PitPage:
    """A page in its own browser profile, and what it complained about."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        # An overridden sensor belongs to the session that has overridden it.
        self.devtools = page.context.new_cdp_session(page)
        self._permit()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(PAGE_FILE + NOTE_WHAT_PASSES)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        self._records = []
        page.on("websocket", lambda socket: socket.on("framesent", self._note))
        page.on("requestfailed", self._fail)

    def _permit(self):
        """Grants what a browser with windows does unasked. Playwright's own way would refuse all else."""
        profile = self.devtools.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
        for name in ("accelerometer", "gyroscope", "magnetometer", "screen-wake-lock"):
            granted = {"permission": {"name": name}, "setting": "granted", "browserContextId": profile}
            self.devtools.send("Browser.setPermission", granted)

    def _note(self, payload):
        message = bytes(payload)
        # What is meant for a tick stands behind its type and the tick.
        kind = message[5] if message[0] == AIMED else message[0]
        for record in self._records:
            record.append(kind)

    def _fail(self, request):
        # Said of what a page was still loading when it was left.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url}")

    def _hear(self, message):
        # Said of what a page does not use within seconds of its loading: of a busy machine, too.
        is_early = "was preloaded using link preload but not used" in message.text
        # Said of Chromium itself, which fetches WebGL's picture to put the page together.
        is_its_own = "GPU stall due to ReadPixels" in message.text
        if message.type in ("error", "warning") and not is_early and not is_its_own:
            self.complaints.append(f"{message.type}: {message.text}")

    def join(self, url):
        self.page.goto(url)
        self.wait("pit => pit.connected && pit.count > 0")
        return self

    def resize(self, width, height):
        """Gives the window another size, and the page three pictures to follow."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(
            """async size => {
              while (String([innerWidth, innerHeight]) !== size) await new Promise(requestAnimationFrame);
              for (let left = 3; left > 0; left -= 1) await new Promise(requestAnimationFrame);
            }""",
            f"{width},{height}",
        )

    def wait(self, condition, argument=None):
        """Waits until a JavaScript function of window.stickerPit and one argument holds."""
        self.page.wait_for_function(
            f"argument => window.stickerPit && ({condition})(window.stickerPit, argument)",
            arg=argument,
        )

    def comes(self, condition, argument=None, seconds=10):
        """Whether it comes soon; for what may pass unseen and can be tried again."""
        try:
            self.page.wait_for_function(
                f"argument => ({condition})(window.stickerPit, argument)",
                arg=argument,
                timeout=seconds * 1000,
            )
        except PlaywrightTimeout:
            return False
        return True

    def until(self, condition):
        """Waits until a function of ours holds, while the browser's events come in."""
        ends = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < ends, "it never came to that"
            self.page.wait_for_timeout(20)

    def said(self, words):
        """Waits until the toast has said it."""
        self.wait("(pit, words) => window.passed.toasts.some(one => one.includes(words))", words)

    def settle(self):
        """Waits until the stickers lie still, none moving a point in twenty ticks of the server's,
        and are shown where they lie: a picture alone may stand still for other reasons."""
        shown = """(pit, places) => {
          const isThere = ({ slot, x, y }) =>
            slot in places && Math.hypot(x - places[slot][0], y - places[slot][1]) < 2;
          return pit.count === Object.keys(places).length && pit.positions().every(isThere);
        }"""

        def lies():
            # A round one may roll on more slowly than that: then it is soon elsewhere.
            places = self._places_at_rest()
            return places is not None and self.comes(shown, places, seconds=5)

        until(lies)

    def _places_at_rest(self):
        before_tick, before = self._world()
        tick, places = before_tick, before
        while tick < before_tick + 20:
            time.sleep(0.05)
            tick, places = self._world()
        moved = [
            slot for slot in places
            if slot not in before or math.dist(places[slot], before[slot]) >= 1
        ]
        return None if moved else places

    def _world(self):
        """The server's tick, and where its stickers are, by slots as JSON has them."""
        with urllib.request.urlopen(urljoin(self.page.url, "/api/world")) as answer:
            world = json.load(answer)
        return world["tick"], {
            str(body["slot"]): (body["x"] / 16, body["y"] / 16) for body in world["bodies"]
        }

    def free_place(self, x, y):
        """Where a point of the world lies in the window, as soon as no sticker is near it: there
        the slowest click drops one at once, and takes none."""
        self.wait(
            "(pit, [x, y]) => pit.positions().every(one => Math.hypot(one.x - x, one.y - y) > 120)",
            [x, y],
        )
        return self.place(x, y)

    @contextlib.contextmanager
    def held_timers(self):
        """Inside, a hold or a second tap comes in time, however busy the machine is."""
        self.page.evaluate(HOLD_TIMERS)
        yield
        self.page.evaluate("window.letTimersGo()")

    def get(self, expression):
        """The value of a JavaScript expression in which `pit` is window.stickerPit."""
        return self.page.evaluate(
            f"() => {{ const pit = window.stickerPit; return {expression}; }}"
        )

    def place(self, x, y):
        """Where a point of the world lies in the window."""
        place = self.page.evaluate("([x, y]) => window.stickerPit.toWindow(x, y)", [x, y])
        return place["x"], place["y"]

    def flick(self, start, end):
        """Flicks with the mouse between two points of the world. The events carry times of their
        own, so that a flick is as fast on a busy machine as on an idle one."""
        begin = time.time()
        points = [start] + [
            (start[0] + (end[0] - start[0]) * part / 4, start[1] + (end[1] - start[1]) * part / 4)
            for part in range(5)
        ]
        self.mouse("mouseMoved", start, begin)
        for index, point in enumerate(points[1:], start=1):
            kind = "mousePressed" if index == 1 else "mouseMoved"
            self.mouse(kind, point, begin + index * 0.016, buttons=1)
        self.mouse("mouseReleased", end, begin + len(points) * 0.016)

    def mouse(self, kind, point, at, buttons=0):
        x, y = self.place(*point)
        event = {"type": kind, "x": x, "y": y, "timestamp": at, "clickCount": 1}
        button = {"button": "none"} if kind == "mouseMoved" else {"button": "left"}
        self.devtools.send("Input.dispatchMouseEvent", {**event, **button, "buttons": buttons})

    def sent(self):
        """The types of the messages that the page sends from now on, whatever tick they are for."""
        self._records.append([])
        return self._records[-1]

    def openings(self):
        """The connections that the page opens from now on."""
        found = []
        self.page.on("websocket", lambda socket: found.append(socket))
        return found

    def set_visibility(self, state):
        """As if another page lay over this one, or no longer."""
        self.page.evaluate(
            """state => {
              Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            state,
        )

    def double_tap(self, point):
        """Two taps with times of their own, however busy the machine is."""
        x, y = self.place(*point)
        begin = time.time()
        with self.held_timers():
            for offset in (0.0, 0.12):
                self._touch("touchStart", [{"x": x, "y": y}], begin + offset)
                self._touch("touchEnd", [], begin + offset + 0.05)

    def fingers(self):
        """Fingers on the glass, none of them down."""
        return Fingers(self)

    def swipe(self, start, end):
        """Drags a finger across the window."""
        for part in range(9):
            x = start[0] + (end[0] - start[0]) * part / 8
            y = start[1] + (end[1] - start[1]) * part / 8
            self._touch("touchMove" if part else "touchStart", [{"x": x, "y": y}])
        self._touch("touchEnd", [])

    def _touch(self, kind, points, at=None):
        event = {"type": kind, "touchPoints": points}
        if at is not None:
            event["timestamp"] = at
        self.devtools.send("Input.dispatchTouchEvent", event)

    def tilt_phone(self, beta, gamma):
        """Lets the motion sensor report an attitude."""
        self.devtools.send(
            "DeviceOrientation.setDeviceOrientationOverride",
            {"alpha": 0, "beta": beta, "gamma": gamma},
        )


class Fingers:
    """Touches by number, each at a point of the world."""

    def __init__(self, page):
        self._page = page
        self._places = {}

    def down(self, finger, point):
        self._set(finger, point)
        self._tell("touchStart")

    def move(self, finger, point, steps=4):
        start, end = self._places[finger], self._page.place(*point)
        for step in range(1, steps + 1):
            self._places[finger] = tuple(
                a + (b - a) * step / steps for a, b in zip(start, end, strict=True)
            )
            self._tell("touchMove")

    def up(self, finger):
        # Chromium wants the one that is lifted, not those that stay.
        x, y = self._places.pop(finger)
        self._page._touch("touchEnd", [{"x": x, "y": y, "id": finger}] if self._places else [])

    def cancel(self):
        """The system takes all fingers away."""
        self._places.clear()
        self._tell("touchCancel")

    def _set(self, finger, point):
        self._places[finger] = self._page.place(*point)

    def _tell(self, kind):
        self._page._touch(
            kind, [{"x": x, "y": y, "id": finger} for finger, (x, y) in self._places.items()]
        )
