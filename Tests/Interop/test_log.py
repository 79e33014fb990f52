"""The log tells of single connections, and of what everybody can cause only now and then."""

import fcntl
import json
import os
import pty
import signal
import socket
import subprocess
import time

import pytest
from attacker import Attacker
from pitclient import messages
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from test_protocol import WELCOME, Client


def lines_with(pit, words):
    return [line for line in pit.lines if words in line]


def identifier(line):
    return next(word for word in line.split() if word.startswith("connection="))


def test_at_debug_every_connection_is_followed(start_pit):
    pit = start_pit("--log-level", "debug")
    ids = []
    for _ in range(2):
        with Client(pit) as client:
            client.next(WELCOME)
            until(lambda: len(lines_with(pit, "a person came")) == len(ids) + 1)
            line = lines_with(pit, "a person came")[-1]
            assert "address=127.0.0.1" in line and "person=" in line and " debug " in line
            ids.append(identifier(line))
        until(lambda: len(lines_with(pit, "is ended by its client")) == len(ids))
        assert identifier(lines_with(pit, "is ended by its client")[-1]) == ids[-1]
    assert ids[0] != ids[1]


def break_the_rules(pit):
    with Attacker(pit, source="127.0.8.1") as attacker:
        assert attacker.shake_hands() == 101
        attacker.frame(messages.hello())
        attacker.frame(b"\xff")
        assert attacker.closing()[0] == 1002


def test_what_is_said_again_is_summed(start_pit):
    pit = start_pit()
    began, count = time.monotonic(), 0
    while len(lines_with(pit, "malformed message")) < 2:
        break_the_rules(pit)
        count += 1
    lines = lines_with(pit, "is ended: malformed message")
    # The first at once, the next ten seconds later or more.
    assert len(lines) <= 1 + (time.monotonic() - began) / 10, lines
    assert "connection=" in lines[0] and "code=1002" in lines[0] and " info " in lines[0]
    told = int(lines[1].split("(and ")[1].split(" times more before)")[0])
    assert 0 < told <= count
    assert not lines_with(pit, "a person came"), "that is for those who look for it"


def test_the_level_changes_while_it_runs(start_pit, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"log-level": "warning"}))
    pit = start_pit("--config", file)
    break_the_rules(pit)
    file.write_text(json.dumps({"log-level": "debug"}))
    pit.process.send_signal(signal.SIGHUP)

    def is_told():
        with Client(pit) as client:
            client.next(WELCOME)
        return lines_with(pit, "a person came")

    until(is_told)
    assert not lines_with(pit, "malformed message"), "below the level of then"
    # Not only the server's own lines go by it: also what reads the configuration ...
    until(lambda: lines_with(pit, "was read again: log-level: warning → debug"))
    # ... and what starts and ends the server.
    assert pit.stop() == 0
    assert lines_with(pit, "Gracefully shutting down group")


@pytest.mark.parametrize("level", ["loud", "", "INFO"])
def test_a_level_that_is_none(stickerpit, level):
    result = stickerpit("serve", "--port", 0, "--log-level", level)
    assert result.returncode == 2
    for word in ["--log-level", "trace, debug, info, notice, warning, error, critical"]:
        assert word in result.stderr, result.stderr


def test_a_server_whose_log_nobody_reads_goes_on(start_pit):
    """Standard error is a pipe of 64 kB that nobody reads any more: the server plays on."""
    pit = start_pit("--log-level", "trace", reads_log=False)
    fill = 0
    while fill < 300:
        with Client(pit) as client:
            client.next(WELCOME)
        fill += 1
    before = pit.health()["tick"]
    until(lambda: pit.health()["tick"] > before + 60)


def fill_pipe(path):
    """Nothing more fits into a pipe or a terminal afterwards. The kernel opens it anew, so that
    whoever else writes to it does wait."""
    pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)

    def put():
        """How many bytes it took."""
        count = 0
        for size in (4096, 1):
            try:
                while written := os.write(pipe, b"." * size):
                    count += written
            except BlockingIOError:
                pass
        return count

    try:
        # A terminal has room once more when the kernel has moved what it took.
        while put():
            time.sleep(0.1)
    finally:
        os.close(pipe)


def test_a_log_that_nobody_reads_holds_up_no_reload_and_no_end(start_pit, tmp_path):
    """Not only the server's own lines wait for nobody, also those of what reads the configuration and
    of what ends the server."""
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"log-level": "debug"}))
    pit = start_pit("--config", file, "--scene", "rain", reads_log=False)
    until(lambda: pit.health()["tick"] > 0)
    fill_pipe(f"/proc/{pit.process.pid}/fd/2")
    for word in ("hail", "sleet"):
        # Were the first one's line waited for, the second would not be read.
        file.write_text(json.dumps({"log-level": "debug", "keyword": [f"{word}=snow"]}))
        pit.process.send_signal(signal.SIGHUP)
        until(lambda: pit.ask("/api/keywords")["keywords"] == [word])
    began = time.monotonic()
    pit.process.send_signal(signal.SIGTERM)
    assert pit.process.wait(timeout=PATIENCE) == 0
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("place", [os.pipe, pty.openpty])
def test_a_log_that_nobody_reads_holds_up_no_failure(place):
    """Why the start failed is told to nobody then, but by the exit code. A shell that has the same
    pipe or terminal open finds it as it was: its own programs go on waiting for room."""
    read, write = place()
    flags_before = fcntl.fcntl(write, fcntl.F_GETFL)
    assert not flags_before & os.O_NONBLOCK
    try:
        fill_pipe(f"/proc/self/fd/{write}")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            flags = ["--host", "127.0.0.1", "--port", str(port), "--web", str(ROOT / "web")]
            process = subprocess.Popen([STICKERPIT, "serve", *flags], stderr=write)
            try:
                assert process.wait(timeout=PATIENCE) == 1
            finally:
                process.kill()
        assert fcntl.fcntl(write, fcntl.F_GETFL) == flags_before
    finally:
        os.close(read)
        os.close(write)
