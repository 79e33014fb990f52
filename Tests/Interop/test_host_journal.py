"""What the host does outlives the process: it is in the log, and the log brings it back."""

import json
import subprocess
import urllib.request

from journal import JournalCopy
from pitclient import messages
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from test_host import act, ask, hosted, token_file  # noqa: F401  (two of them are fixtures)
from test_journal import kill, resumed, verify
from test_protocol import WELCOME, Client, hello

RAIN = 1


def state(pit):
    return ask(pit, "GET", "state")[1]


def wait_until_written(pit):
    tick = pit.health()["tick"]
    until(lambda: pit.health()["journal"]["tick"] > tick)


def test_another_world_outlives_a_kill(hosted, tmp_path):  # noqa: F811
    data = tmp_path / "data"
    pit = hosted("--data", data, "--bodies", 12)
    with Client(pit) as client:
        before = messages.decode_server(client.next(WELCOME))
        act(pit, "gravity", percent=150)
        act(pit, "clear")
        act(pit, "scene", name="rain")
        assert messages.decode_server(client.next(WELCOME))["scene"] == RAIN
        act(pit, "limits", bodies=33)
        act(pit, "freeze")
        until(lambda: state(pit)["frozen"])
        wait_until_written(pit)
        kill(pit)

    left = JournalCopy(data, tmp_path / "copy")
    acts = [one["case"] for record in left.records().values() for one in record.get("acts", [])]
    assert acts == ["gravity", "clear", "begin", "mostBodies", "freeze"]

    # It was started with another scene, and goes on with the host's.
    after = hosted("--data", data, "--bodies", 12)
    assert resumed(after) == left.last
    assert any("The scene is rain." in line for line in after.lines)
    now = until(lambda: (told := state(after))["frozen"] and told)
    assert now["scene"] == "rain" and now["bodyCap"] == 33 and now["mostBodies"] > 33
    with Client(after, hello(token=bytes.fromhex(before["token"]))) as client:
        again = messages.decode_server(client.next(WELCOME))
        assert again["scene"] == RAIN and again["clientID"] == before["clientID"]
    act(after, "unfreeze")
    act(after, "scene", name="pit", bodies=7)
    until(lambda: after.health()["bodies"] == 7)
    assert after.stop() == 0

    for flags in ([], ["--wasm"]):
        outcome = verify(data, *flags)
        assert outcome["mismatches"] == 0 and outcome["ticks"] > 0


def test_the_scene_to_name_is_the_host_s(hosted, tmp_path, stickerpit):  # noqa: F811
    data = tmp_path / "data"
    pit = hosted("--data", data, "--scene", "pit")
    act(pit, "scene", name="rain")
    until(lambda: state(pit)["scene"] == "rain")
    wait_until_written(pit)
    kill(pit)
    refused = stickerpit("serve", "--port", 0, "--data", data, "--scene", "toss")
    assert refused.returncode == 1
    # Before it may stand what was being written when the server was killed.
    words = refused.stderr.splitlines()[-1]
    assert "holds the scene rain" in words and "'--scene rain'" in words, refused.stderr
    # A service whose settings nobody has changed names the one that the world was made in.
    for named in ("rain", "pit"):
        left = JournalCopy(data, tmp_path / f"copy before {named}")
        after = hosted("--data", data, "--scene", named)
        assert resumed(after) == left.last
        assert until(lambda: state(after)["scene"] == "rain")
        until(lambda: after.health()["journal"]["tick"] > left.last)
        assert after.stop() == 0
    assert verify(data)["mismatches"] == 0


def test_the_past_of_several_worlds_is_served(hosted, tmp_path):  # noqa: F811
    data = tmp_path / "data"
    pit = hosted("--data", data, "--scene", "rain")
    until(lambda: pit.health()["tick"] > 30)
    act(pit, "scene", name="toss")
    wait_until_written(pit)
    assert pit.stop() == 0
    # The first world decides what a page opens with; it looks itself when another one comes.
    command = [STICKERPIT, "replay", "--data", data, "--port", "0", "--web", ROOT / "web"]
    past = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in past.stderr if "localhost:" in line)
        port = line.partition("localhost:")[2].split()[0].split("/")[0]
        url = f"http://127.0.0.1:{port}/api/replay"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            summary = json.load(answer)
        assert (summary["scene"], summary["width"], summary["height"]) == (RAIN, 440, 736)
    finally:
        past.terminate()
        past.wait(timeout=PATIENCE)
        past.stderr.close()
