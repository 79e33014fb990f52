#!/usr/bin/env python3
"""People who leave in every way there is and come back by their tokens as who they were. Prints what
they did as one JSON object.

A guest says goodbye, or its connection breaks in the middle of a frame, or it comes back on a second
connection while the first is still open, which the server then has to end with 4002."""

import pathlib
import random
import socket
import struct
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "Interop")]

from attacker import CLOSE, Attacker  # noqa: E402
from pitclient import messages  # noqa: E402
from target import Target  # noqa: E402
from visits import Results, Refused, options  # noqa: E402

WAYS = ("goodbye", "broken", "taken over")
STREAMS = ("state", "replica")
# A person may take its own place over once a second, and four times at once.
STAY_SECONDS = 2.5


class Guest:
    def __init__(self, target, index, results, ends):
        self.target, self.results, self.ends = target, results, ends
        self.random = random.Random(index)
        self.source = f"127.0.32.{index + 1}"
        self.stream = STREAMS[index % len(STREAMS)]
        self.number, self.token = None, b""

    def run(self):
        connection = self.first_visit()
        if not connection:
            return
        while time.monotonic() < self.ends:
            self.stay(connection)
            way = self.random.choice(WAYS)
            before, number = connection, self.number
            if way != "taken over":
                self.leave(before, way)
            connection = self.enter()
            if way == "taken over" and before.closing()[0] != 4002:
                self.results.fault("who was taken over was not told so by 4002")
            before.socket.close()
            if self.number == number:
                self.results.add(way)
            else:
                self.results.fault(f"{way}: {number} came back as {self.number}")
        self.leave(connection, "goodbye")

    def first_visit(self):
        """Only somebody new is ever refused; None if that went on to the end."""
        while time.monotonic() < self.ends:
            try:
                return self.enter()
            except Refused:
                time.sleep(1)
        return None

    def enter(self):
        """A connection that was welcomed."""
        connection = Attacker(self.target, source=self.source)
        if (status := connection.shake_hands()) != 101:
            raise AssertionError(f"no WebSocket but {status}")
        connection.frame(messages.hello(rate=30, token=self.token, stream=self.stream))
        for opcode, payload in connection.frames():
            if opcode == CLOSE:
                connection.socket.close()
                raise Refused(payload[2:].decode())
            if payload[0] == messages.WELCOME:
                welcome = messages.decode_server(payload)
                self.number, self.token = welcome["clientID"], bytes.fromhex(welcome["token"])
                return connection
        raise AssertionError("no welcome")

    def stay(self, connection):
        """Reads for a while, and does everything at once now and then."""
        leaves = time.monotonic() + STAY_SECONDS
        next_deed = 0
        for opcode, _ in connection.frames():
            if opcode == CLOSE:
                raise AssertionError("a guest was closed")
            now = time.monotonic()
            if now >= leaves:
                return
            if now >= next_deed:
                next_deed = now + 0.5
                for message in self.deeds():
                    connection.frame(message)
        raise AssertionError("a guest was cut off")

    def deeds(self):
        x, y = self.random.randrange(2000), self.random.randrange(2000)
        return [
            struct.pack("<Bhh", messages.TILT, x * 4, y * 4),
            struct.pack("<BBhh", messages.DROP, x % 16, x, y),
            struct.pack("<Bhhhh", messages.THROW, x, y, 900, -900),
            struct.pack("<BHHhh", messages.GRAB, x % 200, 0, x, y),
            struct.pack("<BHhh", messages.MOVE, x % 200, y, x),
            messages.say("happy birthday") if x % 8 == 0 else struct.pack("<BI", messages.CLOCK, x),
        ]

    def leave(self, connection, way):
        if way == "broken":
            # Half a frame, and then the connection is reset and not closed.
            connection.send(b"\x82\x85\0\0\0\0\x02")
            reset_on_close = struct.pack("ii", 1, 0)
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset_on_close)
        else:
            connection.frame(struct.pack(">H", 1000), opcode=CLOSE)
            connection.closing()
        connection.socket.close()


def main():
    told = options(__doc__)
    ends = time.monotonic() + told.seconds
    results = Results(WAYS)
    target = Target(told.scheme, told.port)
    guests = [Guest(target, index, results, ends) for index in range(told.count)]
    results.run([(f"guest {index}", guest.run) for index, guest in enumerate(guests)])


if __name__ == "__main__":
    main()
