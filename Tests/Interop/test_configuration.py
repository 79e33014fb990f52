"""`stickerpit serve` told by flags, environment and a file: the real server does as they say."""

import json
import os
import urllib.error

import pytest
from attacker import Attacker
from pitserver import ROOT
from test_startup import fails


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in list(os.environ):
        if name.startswith("STICKERPIT_"):
            monkeypatch.delenv(name)


@pytest.fixture
def config(tmp_path):
    """Writes a configuration file."""

    def write(content):
        file = tmp_path / "config.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    return write


def printed(result):
    """The configuration that was printed, and where each key of it came from."""
    assert result.returncode == 0, result
    sources = dict(line.split(maxsplit=1) for line in result.stderr.splitlines())
    return json.loads(result.stdout), sources


def open_sockets(pit, most):
    """How many WebSockets the server lets in at the same time, of `most` that try."""
    visitors = [Attacker(pit) for _ in range(most)]
    try:
        return sum(visitor.shake_hands() == 101 for visitor in visitors)
    finally:
        for visitor in visitors:
            visitor.socket.close()


def test_a_file_starts_the_server(start_pit, config):
    file = config(
        """{
          // what a test wants
          "scene": "gallery", "bodies": 2, "web": "%s",
          "allowed-host": ["pit.example"],
          "limits": {"connections-per-address": 3},
        }"""
        % (ROOT / "web")
    )
    pit = start_pit("--config", file)
    assert len(pit.world()["bodies"]) == 2
    with Attacker(pit) as visitor:
        visitor.request("GET /index.html HTTP/1.1", host="pit.example")
        assert visitor.answer()[0] == 200
    assert open_sockets(pit, 5) == 3


def test_the_environment_goes_before_the_file_and_flags_before_both(
    start_pit, config, monkeypatch
):
    file = config({"scene": "gallery", "bodies": 1, "limits": {"connections-per-address": 1}})
    monkeypatch.setenv("STICKERPIT_CONFIG", str(file))
    monkeypatch.setenv("STICKERPIT_BODIES", "2")
    monkeypatch.setenv("STICKERPIT_LIMITS_CONNECTIONS_PER_ADDRESS", "2")
    pit = start_pit()
    assert len(pit.world()["bodies"]) == 2
    assert open_sockets(pit, 5) == 2
    pit = start_pit("--bodies", 3, "--limit", "connections-per-address=4")
    assert len(pit.world()["bodies"]) == 3
    assert open_sockets(pit, 5) == 4


def test_limits_on_traffic_reach_the_listener(start_pit):
    limits = ["requests-per-second-per-address=1", "requests-burst-per-address=3"]
    pit = start_pit(*(f"--limit=traffic.{limit}" for limit in limits))
    answers = []
    for _ in range(8):
        try:
            pit.health()
            answers.append(200)
        except urllib.error.HTTPError as error:
            answers.append(error.code)
    assert answers[0] == 200 and answers[-1] != 200, answers


def test_what_is_printed_starts_the_same_server(stickerpit, config, monkeypatch):
    monkeypatch.setenv("STICKERPIT_SEED", "7")
    file = config({"port": 1, "origin": ["https://pit.example"], "limits": {"hold-seconds": 5}})
    flags = ["--port", 9000, "--max-per-address", 9000, "--print-config"]
    first = stickerpit("serve", "--config", file, *flags)
    settings, sources = printed(first)
    assert settings["port"] == 9000 and sources["port"] == "--port"
    assert settings["seed"] == 7 and sources["seed"] == "STICKERPIT_SEED"
    assert settings["origin"] == ["https://pit.example"] and sources["origin"] == str(file)
    assert settings["limits"]["hold-seconds"] == 5
    assert settings["limits"]["connections-per-address"] == 9000
    assert sources["limits.connections-per-address"] == "--max-per-address"
    assert settings["limits"]["connections"] == 9000
    assert sources["limits.connections"].startswith("default, to fit")
    assert settings["bodies"] is None and sources["bodies"] == "default"
    monkeypatch.delenv("STICKERPIT_SEED")
    again = stickerpit("serve", "--config", config(first.stdout), "--print-config")
    assert again.stdout == first.stdout
    assert set(printed(again)[1].values()) == {str(file), "default"}


def test_secrets_are_not_printed(stickerpit, tmp_path):
    key = tmp_path / "key.pem"
    key.write_text("SECRET")
    files = ["--tls-cert", key, "--tls-key", key]
    result = stickerpit("serve", *files, "--print-config")
    assert printed(result)[0]["tls-key"] == str(key)
    assert "SECRET" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("STICKERPIT_PORT", "abc", ["STICKERPIT_PORT must be 0 to 65535, not 'abc'"]),
        ("STICKERPIT_PROT", "80", ["STICKERPIT_PROT", "STICKERPIT_PORT"]),
        (
            "STICKERPIT_CONFIG", "/no/config.json",
            ["/no/config.json can't be read", "with STICKERPIT_CONFIG"],
        ),
        ("STICKERPIT_ALLOWED_HOST", "pit.example, https://x", ["STICKERPIT_ALLOWED_HOST"]),
    ],
)
def test_broken_environment(stickerpit, monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    fails(stickerpit("serve"), 1, *words)


def test_a_file_that_is_not_there(stickerpit, monkeypatch):
    monkeypatch.setenv("STICKERPIT_CONFIG", "/other/config.json")
    result = stickerpit("serve", "--config", "/no/config.json")
    fails(result, 1, "/no/config.json can't be read", "with --config")


@pytest.mark.parametrize(
    "content, words",
    [
        (
            {"limits": {"connections-per-address": 0}},
            ["config.json: limits.connections-per-address must be 1 to 32000, not 0"],
        ),
        ({"prot": 80}, ["config.json", "prot", "the nearest is port"]),
        ({"port": "80"}, ["config.json: port must be 0 to 65535, not '80'"]),
        ('{\n"port" 80}', ["config.json, line 2"]),
        ("", ["config.json, line 1"]),
        ({"tls-key": "k.pem"}, ["config.json: tls-key needs tls-cert"]),
    ],
)
def test_broken_file(stickerpit, config, content, words):
    fails(stickerpit("serve", "--config", config(content)), 1, *words)


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--limit", "conections=5"], ["conections", "the nearest is connections"]),
        (["--limit", "connections"], ["--limit", "NAME=VALUE"]),
        (["--limit", "ping-seconds=0"], ["--limit ping-seconds", "1 to 65535"]),
        (["--limit", "connections-per-address=5", "--max-per-address", 5], ["the same"]),
        (["--limit", "message-bytes=1"], ["--limit message-bytes"]),
    ],
)
def test_bad_limits_on_the_command_line(stickerpit, flags, words):
    fails(stickerpit("serve", *flags), 2, *words)


def test_a_flag_says_no_to_the_environment(stickerpit, monkeypatch):
    monkeypatch.setenv("STICKERPIT_CHECK_FRAMES", "yes")
    assert printed(stickerpit("serve", "--print-config"))[0]["check-frames"] is True
    flags = ["--no-check-frames", "--print-config"]
    assert printed(stickerpit("serve", *flags))[0]["check-frames"] is False
