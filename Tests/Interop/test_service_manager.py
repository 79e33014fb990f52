"""The server under a service manager: what it tells it (sd_notify(3)), and the socket that it is handed
(sd_listen_fds(3)). The test is the manager."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest
from heldthread import held
from pitserver import PATIENCE, ROOT, STICKERPIT, until


class Manager:
    """Starts servers as systemd does: with a socket for their messages, and one that listens."""

    def __init__(self, folder):
        self.messages = []
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(folder / "notify"))
        self.port_socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.port_socket.getsockname()[1]
        self.environment = {"NOTIFY_SOCKET": str(folder / "notify")}
        self.processes = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while data := self.notices.recv(4096):
            self.messages.append(data.decode())

    def start(self, *flags, hands_over=True, watchdog=None):
        environment = os.environ | self.environment
        if watchdog:
            environment["WATCHDOG_USEC"] = str(int(watchdog * 1e6))
        # The shell becomes the server, whose own number the variable must name.
        take = "exec 3<&$FROM; LISTEN_FDS=1 LISTEN_PID=$$ " if hands_over else ""
        handed = self.port_socket.fileno()
        process = subprocess.Popen(
            [
                "bash", "-c", take + 'exec "$@"', "bash", STICKERPIT, "serve", "--port", "0",
                "--web", ROOT / "web", *map(str, flags),
            ],
            env=environment | {"FROM": str(handed)}, pass_fds=[handed], stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def told(self, word):
        return [message for message in self.messages if word in message.splitlines()]

    def ask(self, path):
        url = f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.read()

    def status(self, path):
        """How a request is answered, also if it is refused."""
        try:
            self.ask(path)
        except urllib.error.HTTPError as refused:
            return refused.code
        return 200

    def end(self):
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def manager(tmp_path):
    manager = Manager(tmp_path)
    yield manager
    manager.end()


def test_it_says_when_it_serves_works_and_ends(manager):
    process = manager.start(watchdog=0.4)
    until(lambda: manager.told("READY=1"))
    # Ticks run already: that is what ready means.
    assert manager.ask("/readyz") == b"ready\n"
    assert re.search(rf"STATUS=Serving 0 people on port {manager.port}", manager.messages[0])
    until(lambda: len(manager.told("WATCHDOG=1")) >= 3)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0
    until(lambda: manager.told("STOPPING=1"))
    assert len(manager.told("READY=1")) == 1


def test_a_server_that_stands_still_says_nothing(manager):
    process = manager.start(watchdog=0.2)
    until(lambda: manager.told("WATCHDOG=1"))
    process.send_signal(signal.SIGSTOP)
    until(lambda: open(f"/proc/{process.pid}/stat").read().rpartition(")")[2].split()[0] == "T")
    before = len(manager.messages)
    with pytest.raises(AssertionError):
        until(lambda: len(manager.messages) > before + 1, seconds=2)
    process.send_signal(signal.SIGCONT)
    until(lambda: len(manager.messages) > before + 1)


def test_a_server_whose_ticks_stand_still_says_nothing(manager):
    """All other threads go on: messages that only a clock sends would go on with them."""
    process = manager.start(watchdog=0.4)
    until(lambda: len(manager.told("WATCHDOG=1")) >= 3)
    assert manager.status("/readyz") == 200
    with held(process.pid, "tick"):
        until(lambda: manager.status("/readyz") == 503)
        tick = json.loads(manager.ask("/healthz"))["tick"]
        before = len(manager.told("WATCHDOG=1"))
        time.sleep(2)
        # Ten were due. One may have been on its way while the server answered that it isn't ready.
        assert len(manager.told("WATCHDOG=1")) <= before + 1
        health = json.loads(manager.ask("/healthz"))
        assert health["tick"] == tick and health["status"] == "degraded"
        assert manager.status("/readyz") == 503 and process.poll() is None
        before = len(manager.told("WATCHDOG=1"))
    until(lambda: manager.status("/readyz") == 200)
    until(lambda: len(manager.told("WATCHDOG=1")) >= before + 3)
    until(lambda: json.loads(manager.ask("/healthz"))["tick"] > tick)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0


def test_reading_the_configuration_again_is_told(manager, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"log-level": "info"}))
    process = manager.start("--config", file)
    until(lambda: manager.told("READY=1"))
    file.write_text("{")
    process.send_signal(signal.SIGHUP)
    until(lambda: len(manager.told("READY=1")) == 2)
    assert "MONOTONIC_USEC=" in manager.told("RELOADING=1")[0]
    assert "refused, nothing changed" in manager.told("READY=1")[1]


def test_a_restart_refuses_nobody(manager, tmp_path):
    """The socket is the manager's: who comes between two servers waits for the second."""
    flags = ["--data", tmp_path / "data", "--network-threads", 2]
    first = manager.start(*flags)
    until(lambda: manager.told("READY=1"))
    tick = json.loads(manager.ask("/healthz"))["tick"]
    first.send_signal(signal.SIGTERM)
    answers = []
    assert first.wait(timeout=PATIENCE) == 0
    waiting = [
        threading.Thread(target=lambda: answers.append(json.loads(manager.ask("/api/venue"))))
        for _ in range(20)
    ]
    for thread in waiting:
        thread.start()
    manager.start(*flags)
    for thread in waiting:
        thread.join()
    assert len(answers) == 20 and all(answer == answers[0] for answer in answers)
    # It is the same world that goes on.
    until(lambda: json.loads(manager.ask("/healthz"))["tick"] > tick)


@pytest.mark.parametrize("kind", ["a pipe", "a connection", "datagrams"])
def test_what_is_handed_over_must_listen(manager, kind):
    wrong = {
        "a pipe": lambda: socket.socketpair()[0],
        "a connection": lambda: socket.create_connection(("127.0.0.1", manager.port)),
        "datagrams": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    }[kind]()
    listening, manager.port_socket = manager.port_socket, wrong
    process = manager.start()
    _, said = process.communicate(timeout=PATIENCE)
    listening.close()
    assert process.returncode == 1 and "descriptor 3, which was handed over" in said
    assert "ListenStream=" in said


def test_without_a_manager_nothing_is_told(manager):
    manager.environment = {}
    process = manager.start(hands_over=False)
    for line in process.stderr:
        if "ticking" in line:
            break
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and manager.messages == []
