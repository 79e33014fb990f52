"""The log of a shared world as it stands in NATS, read by nobody's code but Python's own."""

import json
import secrets
import socket
import struct

from pitserver import PATIENCE, until


class NATSClient:
    """One connection, and the few words of NATS' protocol that requests take."""

    def __init__(self, port, trust=None, **login):
        """`login` is `user` and `pass`. With `trust`, an SSL context, the connection is encrypted once
        NATS has said who it is."""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        # One byte at a time: what comes behind the line may be encrypted.
        info = b""
        while not info.endswith(b"\n"):
            info += self._socket.recv(1)
        assert info.startswith(b"INFO ")
        if trust:
            self._socket = trust.wrap_socket(self._socket, server_hostname="127.0.0.1")
        self._file = self._socket.makefile("rb")
        self._inbox = f"_INBOX.{secrets.token_hex(8)}"
        options = dict(verbose=False, pedantic=False, headers=True, no_responders=True) | login
        greeting = f"CONNECT {json.dumps(options)}\r\nSUB {self._inbox}.* 1\r\n"
        self._socket.sendall(greeting.encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def publish(self, subject, data):
        """Sends a message that nobody answers, and waits until NATS has it."""
        self._socket.sendall(b"PUB %s %d\r\n%s\r\nPING\r\n" % (subject.encode(), len(data), data))
        while (line := self._file.readline()) != b"PONG\r\n":
            assert line and not line.startswith(b"-ERR"), line

    def listen(self, subject):
        """From now on messages of a subject come here; NATS knows of it when this returns."""
        self._socket.sendall(b"SUB %s 2\r\nPING\r\n" % subject.encode())
        while (line := self._file.readline()) != b"PONG\r\n":
            assert line and not line.startswith(b"-ERR"), line

    def heard(self):
        """The contents of what came since the last call, of subjects that this one listens to."""
        self._socket.sendall(b"PING\r\n")
        contents = []
        while words := self._file.readline().split():
            if words[0] == b"PONG":
                return contents
            if words[0] in (b"MSG", b"HMSG"):
                content = self._file.read(int(words[-1]) + 2)[:-2]
                contents.append(content[int(words[-2]) if words[0] == b"HMSG" else 0 :])
        raise ConnectionError("NATS hung up")

    def ask(self, subject, *questions):
        """The answers to questions that go out in one piece: each its headers and its content, in
        the order of the questions."""
        lines = [
            b"PUB %s %s.%d %d\r\n%s\r\n"
            % (subject.encode(), self._inbox.encode(), number, len(question), question)
            for number, question in enumerate(questions)
        ]
        self._socket.sendall(b"".join(lines))
        answers = {}
        while len(answers) < len(questions):
            number, answer = self._next()
            answers[number] = answer
        return [answers[number] for number in range(len(questions))]

    def _next(self):
        while True:
            words = self._file.readline().split()
            assert words, "NATS hung up"
            if words[0] == b"PING":
                self._socket.sendall(b"PONG\r\n")
            if words[0] not in (b"MSG", b"HMSG"):
                assert words[0] != b"-ERR", words
                continue
            data = self._file.read(int(words[-1]) + 2)[:-2]
            head = int(words[-2]) if words[0] == b"HMSG" else 0
            return int(words[1].rsplit(b".", 1)[1]), (data[:head], data[head:])


class SharedLog:
    """What the stream has, kept here message by message, so that nothing is missing when the stream
    lets go of it."""

    def __init__(self, nats, world="test"):
        self._nats, self._stream = nats, f"PIT_{world}"
        # The number of the last message.
        self.last = 0
        # The record of each tick, and the term in which it was written.
        self.records, self.epochs = {}, {}

    def read(self):
        """Takes what is new."""
        # In a cluster any server answers: one that is behind, or has no leader, is asked again.
        until(self._read)
        return self

    def _read(self):
        with NATSClient(self._nats.port) as client:
            last = self._end(client)
            if last is None:
                return False
            # Some at a time, so that what is asked and what is answered fit into buffers.
            while numbers := range(self.last + 1, last + 1)[:256]:
                questions = [b'{"seq":%d}' % number for number in numbers]
                for head, data in client.ask(f"$JS.API.DIRECT.GET.{self._stream}", *questions):
                    if b"Nats-Sequence" not in head:
                        return False
                    self._take(data)
                    self.last += 1
        return True

    def _end(self, client):
        """The number of the last message; None while nobody knows."""
        ((_, said),) = client.ask(f"$JS.API.STREAM.INFO.{self._stream}", b"")
        state = json.loads(said or b"{}").get("state")
        return state and state["last_seq"]

    def _take(self, message):
        version, epoch, position, _ = struct.unpack_from("<BIQQ", message)
        assert version == 2
        at = 21
        for width in 8, 6, 6:
            (count,) = struct.unpack_from("<H", message, at)
            at += 2 + count * width
        # Where a term begins there is no record.
        if record := message[at:]:
            assert position not in self.records, "a tick stands in the log twice"
            self.records[position], self.epochs[position] = record, epoch

    def newest_world(self):
        """The number of the message after which the newest kept world is; 0 while there is none."""
        with NATSClient(self._nats.port) as client:
            question = b'{"last_by_subj":"%s"}' % b"pit.test.world"
            ((_, data),) = client.ask(f"$JS.API.DIRECT.GET.{self._stream}_WORLDS", question)
            return struct.unpack_from("<BIQQ", data)[3] if data else 0

    def forget(self, number):
        """Has the stream let go of what is before a message, as it does after ten minutes."""
        with NATSClient(self._nats.port) as client:
            question = json.dumps({"seq": number}).encode()
            ((_, said),) = client.ask(f"$JS.API.STREAM.PURGE.{self._stream}", question)
            assert json.loads(said).get("success"), said
