"""Debian's Firefox on a display that nobody sees, driven by WebDriver BiDi, its own remote control.
Playwright drives only a Firefox of its own build, which Debian has not."""

import contextlib
import json
import os
import select
import subprocess
import tempfile
from pathlib import Path

from pitserver import PATIENCE, until
from websockets.sync.client import connect

FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")

# Nothing but the pit's own server is asked; WebGL is computed where there is no graphics card. Whole
# pages are loaded from the server, as the other browser's are (KEEPS_NOTHING of pitpage.py).
PREFERENCES = {
    "webgl.force-enabled": True,
    "dom.serviceWorkers.enabled": False,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
}

# The codes that WebDriver has for keys without a character.
ARROW_LEFT, ARROW_UP = "\ue012", "\ue013"


class BrowserError(Exception):
    """What Firefox answers when it can't do something."""


def move_to(x, y):
    return {"type": "pointerMove", "x": round(x), "y": round(y)}


class FirefoxPage:
    """A window, and what it complained about."""

    def __init__(self, firefox, window):
        self._firefox = firefox
        self._window = window

    @property
    def complaints(self):
        return self._firefox.complaints.setdefault(self._window, [])

    def goto(self, url):
        self._ask("browsingContext.navigate", url=url, wait="complete")
        return self

    def get(self, expression):
        """The value of a JavaScript expression in which `pit` is window.stickerPit, through JSON."""
        value = f"JSON.stringify({expression} ?? null)"
        return self._call(f"() => {{ const pit = window.stickerPit; return {value}; }}")

    def evaluate(self, function, argument):
        """What a JavaScript function, which may be async, makes of an argument; both through JSON."""
        value = f"JSON.stringify(await ({function})({json.dumps(argument)}) ?? null)"
        return self._call(f"async () => {value}")

    def _call(self, function):
        answer = self._firefox.ask(
            "script.callFunction",
            functionDeclaration=function,
            target={"context": self._window},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise BrowserError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait(self, condition):
        """Waits until a JavaScript expression of `pit` holds, once there is one."""
        until(lambda: self.get(f"pit ? Boolean({condition}) : false"))

    def click(self, x, y):
        self.press(x, y)
        self.release()

    def press(self, x, y):
        """Presses the mouse's button at a place in the window, and keeps it down."""
        self._mouse(move_to(x, y), {"type": "pointerDown", "button": 0})

    def move(self, x, y):
        """Moves the mouse there within a fifth of a second, in steps."""
        self._mouse(move_to(x, y) | {"duration": 200})

    def release(self):
        self._mouse({"type": "pointerUp", "button": 0})

    def _mouse(self, *actions):
        self._act({"type": "pointer", "id": "mouse", "actions": actions})

    @contextlib.contextmanager
    def key_held(self, key):
        self._act({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key}]})
        yield
        self._act({"type": "key", "id": "keys", "actions": [{"type": "keyUp", "value": key}]})

    def close(self):
        self._ask("browsingContext.close")

    def _act(self, source):
        self._ask("input.performActions", actions=[source])

    def _ask(self, method, **parameters):
        return self._firefox.ask(method, context=self._window, **parameters)


class Firefox:
    """A process of Firefox with a display and a profile of its own. Commands are sent one at a time;
    events come in between and are kept."""

    def __init__(self):
        self.complaints = {}
        self._number = 0
        with contextlib.ExitStack() as stack:
            # Its processes may still write into the profile while they end.
            profile = tempfile.TemporaryDirectory(prefix="pit-firefox-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(profile))
            display = stack.enter_context(virtual_display())
            self._start(stack, folder, display)
            self._stack = stack.pop_all()

    def _start(self, stack, folder, display):
        set_to = ((json.dumps(name), json.dumps(value)) for name, value in PREFERENCES.items())
        (folder / "user.js").write_text("".join(f"user_pref({one}, {to});\n" for one, to in set_to))
        flags = ["--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank"]
        own = {"DISPLAY": display, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
        process = subprocess.Popen(
            [FIREFOX, *flags],
            env=os.environ | own,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(end, process)
        # It writes down where it listens as soon as it does.
        address = folder / "WebDriverBiDiServer.json"

        def listens():
            assert process.poll() is None, "Firefox has ended"
            with contextlib.suppress(OSError, ValueError):
                return json.loads(address.read_text())

        found = until(listens)
        url = f"ws://{found['ws_host']}:{found['ws_port']}/session"
        self._socket = stack.enter_context(connect(url, max_size=None, compression=None))
        self.ask("session.new", capabilities={})
        stack.callback(self._close_browser)
        self.ask("session.subscribe", events=["log.entryAdded"])

    def open(self, url):
        """A page in a window of its own, loaded: a tab behind another one would draw nothing."""
        window = self.ask("browsingContext.create", type="window")["context"]
        return FirefoxPage(self, window).goto(url)

    def stop(self):
        self._stack.close()

    def ask(self, method, **parameters):
        """What Firefox answers to a command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == self._number:
                if message["type"] == "error":
                    raise BrowserError(f"{method}: {message['message']}")
                return message["result"]
            if message.get("method") == "log.entryAdded":
                self._hear(message["params"])

    def _hear(self, entry):
        if entry["level"] in ("warn", "error"):
            told = self.complaints.setdefault(entry["source"].get("context"), [])
            told.append(f"{entry['level']}: {entry['text']}")

    def _close_browser(self):
        with contextlib.suppress(Exception):
            self.ask("browser.close")


@contextlib.contextmanager
def virtual_display():
    """An X server that draws into memory; gives its name. It chooses a free number itself."""
    reader, writer = os.pipe()
    screen = ["-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), *screen],
        pass_fds=[writer],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        assert select.select([reader], [], [], PATIENCE)[0], "Xvfb did not say its display"
        number = os.read(reader, 16).decode().strip()
        assert number, "Xvfb has ended"
        yield f":{number}"
    finally:
        os.close(reader)
        end(server)


def end(process):
    """Ends a process, by force if it takes too long."""
    process.terminate()
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
