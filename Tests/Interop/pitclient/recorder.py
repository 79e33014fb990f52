"""Records what a live server sends, and what it tells by HTTP, to be compared afterwards."""

import dataclasses
import http.client
import itertools
import json
import socket
import struct
import threading
import time

from pitserver import PATIENCE, until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from . import messages
from .stream import CATCH_UP, HELD, KEYFRAME, StreamClient, is_frame, restarts


# By its step, how far a body of the visual profile may be from its place.
MOST_OFF = {1: 1, 2: 2, 4: 3, 8: 6}
# Of a place and of an angle.
WIDEST = (8, 8)


class WorldRecorder:
    """Asks `/api/world?tick=T` for one tick after the other: the server keeps the last 120."""

    def __init__(self, pit):
        self._connection = http.client.HTTPConnection("127.0.0.1", pit.port, timeout=PATIENCE)
        self._told = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        # Ticks that were not kept any more when they were asked for.
        self.missed = 0
        self.failure = None

    def __enter__(self):
        self._thread.start()
        # From here on nothing is missed but by a standstill.
        until(lambda: self._told or self.failure)
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._connection.close()

    def _ask(self, query=""):
        while True:
            try:
                status, body = self._answer(query)
            except (http.client.HTTPException, ConnectionError):
                # The server hung up, as nothing was asked for long: a new connection does.
                self._connection.close()
                status, body = self._answer(query)
            if status != 429:
                return status, body
            time.sleep(0.1)

    def _answer(self, query):
        self._connection.request("GET", "/api/world" + query)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def _newest(self):
        status, body = self._ask()
        assert status == 200, body
        return json.loads(body)["tick"], body

    def _run(self):
        try:
            # From the first tick on: a server that begins keeps none yet.
            while self._ask()[0] == 404:
                time.sleep(0.05)
            tick, body = self._newest()
            self._told[tick] = body
            tick += 1
            refusals = 0
            while True:
                status, body = self._ask(f"?tick={tick}")
                if status == 200:
                    self._told[tick] = body
                    tick += 1
                    refusals = 0
                    continue
                assert status == 404, body
                # Not reached yet, or kept no longer.
                refusals += 1
                is_last = self._ended.is_set()
                if (is_last or refusals % 10 == 0) and (newest := self._newest()[0]) > tick:
                    self.missed += newest - tick
                    tick = newest
                elif is_last:
                    return
                # Asking at most 20 times a second for nothing, with 60 that tell something, stays
                # below the 120 a second that the server answers.
                time.sleep(0.05)
        except Exception as failure:  # told by whoever compares
            self.failure = failure

    def world(self, tick):
        body = self._told.get(tick)
        return body and json.loads(body)

    def count(self, since):
        """How many ticks were told from that one on."""
        assert self.failure is None, self.failure
        return sum(tick >= since for tick in list(self._told))


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

    def __init__(self, pit, rate=60, profile="strict", narrow=False):
        """A narrow one's connection holds little, so that a short standstill fills it."""
        self.profile, self._pit = profile, pit
        # No answer to a ping is no end: it may wait behind frames that are not read.
        options = {"subprotocols": ["stickerpit.v1"], "legacy": True, "ping_timeout": None}
        options["open_timeout"] = PATIENCE
        if narrow:
            options |= {"sock": self._narrow(pit), "max_queue": 1}
        self._socket = connect(pit.socket_url, **options)
        self._received = []
        self._reads = threading.Event()
        self._reads.set()
        self._thread = threading.Thread(target=self._run)
        self._socket.send(messages.hello(rate, profile))
        # What the first bytes of the messages so far tell.
        self.tick = self.first = self.interval = None
        self.frames = self.own = self.grouped = self.long_catch_ups = self.keyframes = 0
        self.events, self.notices = [], []
        self.compared = self.decoded = None
        self.skipped = 0

    def _narrow(self, pit):
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", pit.port))
        return narrow

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._reads.set()
        self._socket.close()
        self._thread.join()

    def _run(self):
        try:
            while True:
                message = self._socket.recv()
                self._received.append(message)
                self._note(message)
                self._reads.wait()
        except ConnectionClosed:
            pass

    def _note(self, message):
        if not is_frame(message):
            meaning = messages.decode_server(message)
            if meaning["case"] == "events":
                self.events += [event for event in meaning["events"] if isinstance(event, str)]
            elif meaning["case"] == "notice" and "value" in meaning:
                self.notices.append(meaning["value"])
            return
        held = 0
        if message[0] == KEYFRAME:
            self.tick, self.interval = struct.unpack_from("<IB", message, 1)
            self.keyframes += 1
        elif message[0] == CATCH_UP:
            self.tick, back = struct.unpack_from("<IB", message, 1)
            self.long_catch_ups += back > 1
        else:
            held = message[1] if message[0] == HELD else 0
            self.tick += (held + 1) * self.interval
            self.own += 1
        self.first = self.first or self.tick
        self.frames += held + 1
        self.grouped += held

    def send(self, kind, *fields):
        self._socket.send(messages.command(kind, *fields))

    def ask_for_stream(self, rate, profile):
        self._socket.send(messages.stream(rate, profile))

    def say(self, words):
        self._socket.send(messages.say(words))

    def stand_still(self, skipped, ticks=0):
        """Reads nothing from now on. The answer tells whether the server has left so many frames
        out since, however much the kernel holds, and so many ticks have passed after that."""
        goal = self._pit.health()["skipped"] + skipped
        ends = None
        self._reads.clear()

        def is_enough():
            nonlocal ends
            health = self._pit.health()
            if ends is None and health["skipped"] >= goal:
                ends = health["tick"] + ticks
            return ends is not None and health["tick"] >= ends

        return is_enough

    def read_on(self):
        self._reads.set()

    def pace(self, enough, every):
        """Counts 0, 1, 2 … at that pace until it is enough."""
        ends = time.monotonic() + PATIENCE
        for step in itertools.count():
            if enough():
                return
            assert time.monotonic() < ends, "it never was enough"
            yield step
            time.sleep(every)

    def bodies_at_join(self):
        """The bodies of the keyframe, by their slots."""
        until(lambda: self.tick)
        client = StreamClient()
        client.receive(next(m for m in list(self._received) if m[0] == KEYFRAME))
        return [(body["slot"], body) for body in client.bodies()]

    def decode(self, interval=None):
        """The bodies after each tick; if an interval is given, only of the stream that has it."""
        client, self.decoded, self.skipped = StreamClient(), {}, 0
        for message in self._received:
            if is_frame(message):
                for index, _ in enumerate(client.take(message)):
                    if index == 0:
                        self.skipped += client.skipped
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
                own = name in ("own", "held")
                compared.restarts += own and restarts(client.tick, client.world.interval)
                before = self._compare(client, worlds.world(client.tick), own, compared, before)
        self.compared = compared
        return compared

    def _compare(self, client, told, own, compared, before):
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
            self._is_near(client, bodies, told, own)
        return places

    def _is_near(self, client, bodies, told, own):
        """As near as the steps say that the stream coded each body with. Only its own frames tell
        them: a keyframe or a catch-up frame leads to the stream's places by steps of its own."""
        assert len(bodies) == len(told["bodies"])
        for body, true in zip(bodies, told["bodies"]):
            steps = client.world.bodies[body["slot"]].steps if own else WIDEST
            step, turn = (MOST_OFF[n] for n in steps)
            for name in ("slot", "generation", "kind", "size"):
                assert body[name] == true[name]
            assert abs(body["x"] - true["visual_x"]) <= step, (told["tick"], body, true)
            assert abs(body["y"] - true["visual_y"]) <= step, (told["tick"], body, true)
            off = (body["angle"] - true["angle"] + 512) % 1024 - 512
            assert abs(off) <= turn, (told["tick"], body, true)
