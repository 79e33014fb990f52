"""Records what a live server sends, and what it tells by HTTP, to be compared afterwards."""

import dataclasses
import http.client
import json
import socket
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from . import messages
from .stream import CATCH_UP, HELD, KEYFRAME, StreamClient, is_frame


class WorldRecorder:
    """Asks `/api/world?tick=T` for one tick after the other: the server keeps the last 120."""

    def __init__(self, pit):
        self._connection = http.client.HTTPConnection("127.0.0.1", pit.port, timeout=10)
        self._told = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.failure = None

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._connection.close()

    def _ask(self, query=""):
        self._connection.request("GET", "/api/world" + query)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def _run(self):
        try:
            # From the first tick on: a server that begins keeps none yet.
            status = 404
            while status == 404:
                time.sleep(0.05)
                status, body = self._ask()
            assert status == 200, body
            tick = json.loads(body)["tick"]
            while not self._ended.is_set():
                status, body = self._ask(f"?tick={tick}")
                if status == 200:
                    self._told[tick] = body
                    tick += 1
                    continue
                # Not reached yet. Asking at most 20 times a second for nothing, with 60 that tell
                # something, stays below the 120 a second that the server answers.
                assert status == 404, body
                time.sleep(0.05)
        except Exception as failure:  # told by whoever compares
            self.failure = failure

    def world(self, tick):
        body = self._told.get(tick)
        return body and json.loads(body)


@dataclasses.dataclass
class Compared:
    """How much of a recording was equal to what the server told."""

    decoded: int = 0  # ticks that came by frames
    ticks: int = 0  # of them those whose world was told, too
    bodies: int = 0
    moved: int = 0  # bodies that were elsewhere a frame before
    holders: int = 0
    rods: int = 0
    keyframes: int = 0
    catch_up: int = 0
    own: int = 0
    held: int = 0
    skipped: int = 0  # frames that keyframes and catch-up frames announced as such
    grouped: int = 0  # frames that were held back and came with another
    restarts: int = 0  # own frames after which the stream began its models anew
    intervals: list = dataclasses.field(default_factory=list)  # of the keyframes, in order
    sceneries: list = dataclasses.field(default_factory=list)  # each that was another, in order
    events: list = dataclasses.field(default_factory=list)  # in order
    notices: list = dataclasses.field(default_factory=list)  # codes, in order

    def note(self, meaning):
        if meaning["case"] == "events":
            self.events += meaning["events"]
        elif meaning["case"] == "notice" and "value" in meaning:
            self.notices.append(meaning["value"])


class Recorder:
    """A client that notes every message and decodes them when it is asked to."""

    def __init__(self, pit, rate=60, profile="strict", pause=0):
        """With a pause in seconds, one that now and then reads nothing for that long; whoever
        sets `delay` needs a pause, too, be it 0.001."""
        self.profile, self._pause = profile, pause
        self.delay = 0  # seconds that are waited after each message
        options = {"subprotocols": ["stickerpit.v1"], "legacy": True}
        if pause:
            options |= {"sock": self._narrow(pit), "max_queue": 1}
        self._socket = connect(pit.socket_url, **options)
        self._received = []
        self._thread = threading.Thread(target=self._run)
        self._socket.send(messages.hello(rate, profile))
        self.compared = self.decoded = None

    def _narrow(self, pit):
        """A connection that holds little, so that a short pause fills it."""
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", pit.port))
        return narrow

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.close()
        self._thread.join()

    def _run(self):
        try:
            while True:
                self._received.append(self._socket.recv())
                if self._pause and len(self._received) % 70 == 40:
                    time.sleep(self._pause)
                if self.delay:
                    time.sleep(self.delay)
        except ConnectionClosed:
            pass

    def send(self, kind, *fields):
        self._socket.send(messages.command(kind, *fields))

    def say(self, words):
        self._socket.send(messages.say(words))

    def pace(self, seconds, every):
        """Counts 0, 1, 2 … at that pace for as long as that."""
        began = time.monotonic()
        for step in range(round(seconds / every)):
            yield step
            time.sleep(max(0, began + (step + 1) * every - time.monotonic()))

    def wait(self, seconds):
        for _ in self.pace(seconds, every=seconds):
            pass

    def bodies_at_join(self):
        """The bodies of the keyframe, by their slots."""
        while not any(message[0] == KEYFRAME for message in list(self._received)):
            time.sleep(0.02)
        client = StreamClient()
        client.receive(next(m for m in list(self._received) if m[0] == KEYFRAME))
        return [(body["slot"], body) for body in client.bodies()]

    def decode(self, interval=None):
        """The bodies after each tick; if an interval is given, only of the stream that has it."""
        client, self.decoded = StreamClient(), {}
        for message in self._received:
            if is_frame(message):
                for _ in client.take(message):
                    if interval in (None, client.world.interval):
                        self.decoded[client.tick] = client.bodies()
        return self.decoded

    def compare(self, worlds):
        assert worlds.failure is None, worlds.failure
        client, compared = StreamClient(), Compared()
        welcomed = False
        before = {}
        for message in self._received:
            if not is_frame(message):
                meaning = messages.decode_server(message)
                welcomed = welcomed or meaning["case"] == "welcome"
                compared.note(meaning)
                continue
            assert welcomed, "a frame before the welcome"
            names = {KEYFRAME: "keyframes", CATCH_UP: "catch_up", HELD: "held"}
            name = names.get(message[0], "own")
            setattr(compared, name, getattr(compared, name) + 1)
            for index, _ in enumerate(client.take(message)):
                if index == 0:
                    compared.skipped += client.skipped
                    compared.grouped += client.held
                    if name == "keyframes":
                        compared.intervals.append(client.world.interval)
                compared.restarts += name in ("own", "held") and client.tick % 480 == 0
                before = self._compare(client, worlds.world(client.tick), compared, before)
        self.compared = compared
        return compared

    def _compare(self, client, told, compared, before):
        bodies = client.bodies()
        places = {body["slot"]: (body["x"], body["y"], body["angle"]) for body in bodies}
        compared.decoded += 1
        scenery = client.world.boundaries, client.world.holders, client.world.rods
        if not compared.sceneries or compared.sceneries[-1] != scenery:
            compared.sceneries.append(scenery)
        compared.moved += sum(before.get(slot, place) != place for slot, place in places.items())
        if told is None:
            return places
        compared.ticks += 1
        compared.bodies += len(bodies)
        compared.holders += len(told["holders"])
        compared.rods += len(told["rods"])
        assert client.world.gravity == told["gravity"], told["tick"]
        assert client.world.boundaries == told["boundaries"], told["tick"]
        assert client.world.holders == told["holders"], told["tick"]
        assert client.world.rods == told["rods"], told["tick"]
        if self.profile == "strict":
            for body in told["bodies"]:
                del body["visual_x"], body["visual_y"]
            assert bodies == told["bodies"], told["tick"]
        else:
            self._is_near(client, bodies, told)
        return places

    def _is_near(self, client, bodies, told):
        """Within the step that each body's last frame was coded with."""
        assert len(bodies) == len(told["bodies"])
        for body, true in zip(bodies, told["bodies"]):
            step, turn = client.world.bodies[body["slot"]].steps
            for name in ("slot", "generation", "kind", "size"):
                assert body[name] == true[name]
            assert abs(body["x"] - true["visual_x"]) <= step, (told["tick"], body, true)
            assert abs(body["y"] - true["visual_y"]) <= step, (told["tick"], body, true)
            off = (body["angle"] - true["angle"] + 512) % 1024 - 512
            assert abs(off) <= turn, (told["tick"], body, true)
