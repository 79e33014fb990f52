"""Sets of stickers from outside: what is wrong with a folder ends the start, the welcome names the set,
and its files are served under that name."""

import json
import shutil
import urllib.error
import urllib.request

import pytest
from pitclient import messages
from pitserver import PATIENCE, ROOT, until
from test_configuration import printed
from test_protocol import DROP, WELCOME, Client
from test_startup import fails, serve

FRUIT = ROOT / "sets/fruit"


@pytest.fixture
def folder(tmp_path):
    """A copy of a set, to be spoilt."""
    return shutil.copytree(FRUIT, tmp_path / "fruit")


def change(folder, **keys):
    """Gives the third sticker other values."""
    file = folder / "stickers.json"
    manifest = json.loads(file.read_text())
    manifest["stickers"][2] |= keys
    file.write_text(json.dumps(manifest))


def welcomed(pit):
    with Client(pit) as client:
        message = client.next(WELCOME)
    return message, messages.decode_server(message)


def fetch(pit, path):
    url = f"http://127.0.0.1:{pit.port}{path}"
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return answer.read(), answer.headers


@pytest.mark.parametrize(
    "keys, words",
    [
        ({"size": 300}, ["stickers[2].size must be a number of 50 to 200, not 300"]),
        ({"density": "heavy"}, ["stickers[2].density", "0.25 to 4", "'heavy'"]),
        ({"colour": 1}, ["stickers[2].colour is not known here", "elasticity"]),
        ({"picture": "nothing.svg"}, ["nothing.svg can't be read", "stickers[2].picture"]),
        ({"shape": {"outline": [[0, 0], [0, 90], [90, 0]]}}, ["outline[0] must turn to the right"]),
    ],
)
def test_a_bad_manifest_ends_the_start(stickerpit, folder, keys, words):
    change(folder, **keys)
    result = serve(stickerpit, "--port", 0, "--web", ROOT / "web", "--stickers", folder)
    fails(result, 1, str(folder), *words)


def test_a_folder_without_a_manifest(stickerpit, tmp_path):
    result = serve(stickerpit, "--port", 0, "--web", ROOT / "web", "--stickers", tmp_path)
    fails(result, 1, f"{tmp_path}/stickers.json can't be read", "--stickers")
    (tmp_path / "stickers.json").write_text("{'name': 1}")
    result = serve(stickerpit, "--port", 0, "--web", ROOT / "web", "--stickers", tmp_path)
    fails(result, 1, "stickers.json is no JSON")


def test_every_source_names_the_folder(stickerpit, monkeypatch, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"stickers": "from/file"}))
    settings, sources = printed(stickerpit("serve", "--config", file, "--print-config"))
    assert (settings["stickers"], sources["stickers"]) == ("from/file", str(file))
    monkeypatch.setenv("STICKERPIT_STICKERS", "from/environment")
    settings, sources = printed(stickerpit("serve", "--config", file, "--print-config"))
    assert settings["stickers"] == "from/environment"
    settings, sources = printed(stickerpit("serve", "--stickers", "flag", "--print-config"))
    assert (settings["stickers"], sources["stickers"]) == ("flag", "--stickers")


def test_the_welcome_names_the_set_and_its_files_lie_there(start_pit):
    pit = start_pit("--stickers", FRUIT)
    message, meaning = welcomed(pit)
    named = meaning["stickers"]
    assert named["name"] == "fruit" and named["digest"] != 0
    assert message.endswith(named["digest"].to_bytes(8, "little") + b"\x05fruit")
    path = f"/sets/{named['digest']:016x}/"
    for file in FRUIT.iterdir():
        bytes, headers = fetch(pit, path + file.name)
        assert bytes == file.read_bytes()
        kind = "application/json" if file.suffix == ".json" else "image/svg+xml"
        assert headers["Content-Type"] == kind
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for other in ("/sets/0000000000000001/stickers.json", path + "none.svg", path, "/sets/"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(pit, other)
        assert refused.value.code == 404
    # The same files are the same set, in another process too.
    assert welcomed(start_pit("--stickers", FRUIT))[1]["stickers"] == named


def test_without_a_set_the_welcome_has_no_more_bytes(start_pit):
    message, meaning = welcomed(start_pit())
    assert "stickers" not in meaning
    length = message[8]
    assert len(message) == 9 + length + 16 + 4 + 1 + 4 + 1 + 2 + 4


def test_only_kinds_of_the_set_are_there_and_may_be_dropped(start_pit):
    pit = start_pit("--stickers", FRUIT, "--bodies", 40)
    assert {body["kind"] for body in pit.world()["bodies"]} <= set(range(8))
    with Client(pit) as client:
        client.next(WELCOME)
        for kind in (7, 8):
            client.socket.send(messages.encode_client(
                {"case": "drop", "type": DROP, "kind": kind, "x": 2880, "y": 400}))
        until(lambda: len(pit.world()["bodies"]) == 41)
        tick = pit.health()["tick"]
        pit.wait_for_tick(tick + 30)
    assert len(pit.world()["bodies"]) == 41


def test_a_data_folder_keeps_its_set(start_pit, stickerpit, folder, tmp_path):
    data = tmp_path / "data"
    flags = ["--data", data, "--stickers"]
    pit = start_pit(*flags, folder)
    until(lambda: pit.health()["tick"] > 30)
    assert pit.stop() == 0
    plain = ["--port", 0, "--web", ROOT / "web", "--data", data]
    fails(serve(stickerpit, *plain), 1, str(data), "other stickers", "--stickers")
    fails(
        serve(stickerpit, *plain, "--stickers", ROOT / "sets/space"), 1, str(data), "other stickers"
    )
    # What only pages read may change.
    change(folder, names={"zh": "奇异果"}, sound="block")
    pit = start_pit(*flags, folder)
    assert {body["kind"] for body in pit.world()["bodies"]} <= set(range(8))
    assert welcomed(pit)[1]["stickers"]["name"] == "fruit"
