"""Starts that must fail: one line on standard error that says what to do, and the exit code."""

import json
import os
import shutil
import socket

import pytest
from pitserver import ROOT


def fails(result, code, *words):
    lines = result.stderr.strip().splitlines()
    assert result.returncode == code, result
    assert len(lines) == 1, result.stderr
    for word in words:
        assert word in lines[0], lines[0]


def serve(stickerpit, *flags):
    return stickerpit("serve", "--host", "127.0.0.1", *flags)


def test_port_in_use(stickerpit, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = serve(stickerpit, "--port", port, "--web", ROOT / "web")
        fails(result, 1, str(port), "in use", "--port")
        file = tmp_path / "pit.json"
        file.write_text(json.dumps({"port": port}))
        result = serve(stickerpit, "--config", file, "--web", ROOT / "web")
        fails(result, 1, str(port), "in use", f"(port is from {file})")


def test_address_of_another_machine(stickerpit):
    result = stickerpit("serve", "--host", "192.0.2.77", "--port", 0, "--web", ROOT / "web")
    fails(result, 1, "192.0.2.77", "0.0.0.0")


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--prot", 8080], ["--prot"]),
        (["--port", 70000], ["--port", "65535", "70000"]),
        (["--port", "http"], ["--port", "http"]),
        (["--bodies=-1"], ["bodies"]),
        (["--bodies", 5000], ["5000"]),
        (["--max-bodies", 99999], ["99999"]),
        (["--seed", "x"], ["--seed"]),
        (["--scene", "beach"], ["--scene", "beach", "pit", "rain", "gallery", "drag", "toss"]),
        (["--scene", "rain", "--bodies", 1], ["1 bodies"]),
        (["--scene", "toss", "--bodies", 6], ["6 bodies", "5"]),
        (["--keyword", "merry christmas"], ["--keyword", "phrase = sticker"]),
        (["--keyword", "fire=dragon"], ["dragon", "snow"]),
        (["--max-per-address", 70000], ["--max-per-address", "32000", "70000"]),
        (["--max-per-address", 0], ["--max-per-address", "0"]),
        (["--max-per-address=-1"], ["--max-per-address", "-1"]),
        (["--tls-cert", "a.pem"], ["--tls-cert", "--tls-key"]),
    ],
)
def test_bad_usage(stickerpit, flags, words):
    fails(serve(stickerpit, *flags), 2, *words)


def test_unknown_command(stickerpit):
    fails(stickerpit("surf"), 2, "surf")


def test_missing_web_folder(stickerpit, tmp_path):
    folder = tmp_path / "nowhere"
    fails(serve(stickerpit, "--port", 0, "--web", folder), 1, str(folder), "does not exist", "--web")


def test_missing_keyword_file(stickerpit, tmp_path):
    file = tmp_path / "words"
    fails(serve(stickerpit, "--port", 0, "--keyword-file", file), 1, str(file), "can't be read")
    file.write_text("hello=sun\n")
    result = serve(stickerpit, "--port", 0, "--keyword-file", file)
    fails(result, 1, f"{file} (--keyword-file): keyword 1: ", "sun", "smile")


def test_unreadable_web_folder(stickerpit, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0)
    if os.access(folder, os.R_OK):
        # Root reads everything: a file in place of the folder is unreadable as one for anybody.
        folder.rmdir()
        folder.write_text("not a folder")
    fails(serve(stickerpit, "--port", 0, "--web", folder), 1, str(folder), "--web")


def test_web_folder_without_the_module(stickerpit, tmp_path):
    shutil.copy(ROOT / "web/index.html", tmp_path)
    fails(serve(stickerpit, "--port", 0, "--web", tmp_path), 1, "pit.wasm", "make web")


def test_missing_certificate(stickerpit):
    flags = ["--port", 0, "--web", ROOT / "web", "--tls-cert", "/no/c.pem", "--tls-key", "/no/k.pem"]
    fails(serve(stickerpit, *flags), 1, "/no/c.pem")


def test_broken_certificate(stickerpit, tmp_path):
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nnot base64\n-----END CERTIFICATE-----\n")
    flags = ["--port", 0, "--web", ROOT / "web", "--tls-cert", broken, "--tls-key", broken]
    fails(serve(stickerpit, *flags), 1, str(broken))


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--stream", "video"], ["--stream", "replica"]),
        (["--count", 0], ["--count", "10000"]),
        (["--url", "http://localhost/ws"], ["--url", "ws://"]),
        (["--rate", 50], ["--rate", "60, 30, 20 or 10"]),
        (["--stream", "replica", "--no-decoding"], ["--no-decoding", "--stream state"]),
        (["--dump", "/tmp"], ["--dump", "--stream replica"]),
        (["--stream", "replica", "--dump", "/no/folder"], ["--dump", "/no/folder is no folder"]),
    ],
)
def test_bad_bots(stickerpit, flags, words):
    fails(stickerpit("bots", *flags), 2, *words)


def test_bots_without_a_server(stickerpit):
    result = stickerpit("bots", "--url", "ws://127.0.0.1:9/ws", "--count", 1, "--seconds", 1)
    assert result.returncode == 1
    assert "0 of 1 connected" in result.stderr.splitlines()[-1]


def test_help_is_no_error(stickerpit):
    result = stickerpit("serve", "--help")
    assert result.returncode == 0
    assert "--tls-cert" in result.stdout
