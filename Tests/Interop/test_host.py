"""The host of a real server, by HTTP and by `stickerpit admin`, and what others see of it."""

import http.client
import json
import signal
import time
import urllib.parse

import pytest
from pitclient import messages
from pitserver import PATIENCE, until
from test_protocol import FRAMES, KEYFRAME, NOTICE, WELCOME, Client, hello, welcome_of

TOKEN = "the-token-of-the-host-0123"
NOBODY_SAYS_SO = {"isFrozen": False, "isLocked": False, "announcement": ""}


@pytest.fixture
def token_file(tmp_path):
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def hosted(start_pit, token_file):
    def start(*flags, **options):
        return start_pit(
            "--admin-token-file", token_file, "--network-threads", 2, *flags, **options)

    return start


def ask(pit, method, path, token=TOKEN, source="127.0.0.1", body=None, **headers):
    """The host asks: the status, the answer and the headers."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", pit.port, timeout=PATIENCE, source_address=(source, 0))
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, f"/api/host/{path}", body=body, headers=headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    is_json = answer.headers["Content-Type"] == "application/json"
    return answer.status, json.loads(text) if is_json and text else text, answer.headers


def status(*arguments, **options):
    return ask(*arguments, **options)[0]


def act(pit, deed, /, **parameters):
    query = urllib.parse.urlencode(parameters)
    code, answer, _ = ask(pit, "POST", f"{deed}?{query}" if query else deed)
    assert code == 200, answer
    assert answer["done"] == deed
    return answer


def told(pit, page):
    code, answer, _ = ask(pit, "GET", page)
    assert code == 200
    return answer


class Guest(Client):
    """A client that knows who it is."""

    def __init__(self, pit, said=hello(), source="127.0.0.1"):
        super().__init__(pit, said, source_address=(source, 0))
        self.welcome = welcome_of(self.next(WELCOME))
        self.id, self.token = self.welcome["client"], self.welcome["token"]

    def notice(self, holds):
        """The next notice for which something holds."""
        while True:
            meaning = messages.decode_server(self.next(NOTICE))
            if holds(meaning):
                return meaning

    def decision(self, **wanted):
        """Waits until the host's decisions are these."""
        wanted = NOBODY_SAYS_SO | wanted
        self.notice(lambda meaning: {**meaning, **wanted} == meaning)


def refusal(pit, said=hello(), source="127.0.0.1"):
    """How somebody is refused: the code and the reason."""
    with Client(pit, said, source_address=(source, 0)) as client:
        return client.closing()


# Who may ask


def test_without_a_token_there_is_no_host(pit):
    for method, path in (("GET", "state"), ("POST", "freeze"), ("GET", "")):
        assert status(pit, method, path) == 404


def test_who_asks_must_be_the_host(hosted):
    pit = hosted()
    code, answer, headers = ask(pit, "GET", "state", token=None)
    assert code == 401 and headers["WWW-Authenticate"] == "Bearer" and "error" in answer
    assert status(pit, "POST", "freeze", token=None) == 401
    guesses = [status(pit, "GET", "state", token="wrong", source="127.0.0.5") for _ in range(7)]
    assert guesses == [401] * 5 + [429] * 2
    _, _, headers = ask(pit, "GET", "state", token="wrong", source="127.0.0.5")
    assert 0 < int(headers["Retry-After"]) <= 60
    assert status(pit, "GET", "state", source="127.0.0.5") == 200
    assert status(pit, "GET", "state", token="wrong", source="127.0.0.6") == 401
    # Nothing was done, and the tries are told.
    assert not told(pit, "state")["frozen"]
    acts = told(pit, "audit")["acts"]
    assert {one["act"] for one in acts} == {"refused"}
    assert "wrong token" in {one["outcome"] for one in acts}
    assert TOKEN not in "".join(pit.lines)


def test_who_shows_no_token_is_told_to_wait(hosted):
    """As who shows a wrong one, so that asking without end costs the one who asks."""
    pit = hosted()
    asked = [status(pit, "GET", "state", token=None, source="127.0.0.7") for _ in range(100)]
    assert asked == [401] * 5 + [429] * 95
    code, answer, headers = ask(pit, "POST", "freeze", token=None, source="127.0.0.7")
    assert code == 429 and 0 < int(headers["Retry-After"]) <= 60 and "too many" in answer["error"]
    # A wrong one counts together with those; the right one, and other addresses, are not held up.
    assert status(pit, "GET", "state", token="wrong", source="127.0.0.7") == 429
    assert status(pit, "GET", "state", source="127.0.0.7") == 200
    assert status(pit, "GET", "state", token=None, source="127.0.0.8") == 401
    acts = told(pit, "audit")["acts"]
    assert [(one["address"], one["outcome"]) for one in acts] == [("127.0.0.8", "no token")] + [
        ("127.0.0.7", "no token")
    ] * 5
    until(lambda: any("somebody asked as the host, with no token" in line for line in pit.lines))


def test_the_command_line_asks_nothing_without_its_token(hosted, admin):
    """So its own first request never counts as one without a token."""
    pit = hosted()
    assert [admin(pit, "state").returncode for _ in range(8)] == [0] * 8
    assert told(pit, "audit")["acts"] == []


def test_a_foreign_page_is_refused_even_with_the_token(hosted):
    pit = hosted()
    for headers in (
        {"Origin": "https://elsewhere.example"}, {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
    ):  # fmt: skip
        assert status(pit, "POST", "freeze", **headers) == 403
        assert status(pit, "GET", "state", **headers) == 403
    own = f"http://127.0.0.1:{pit.port}"
    assert status(pit, "POST", "freeze", Origin=own, Sec_Fetch_Site="same-origin") == 200


def test_methods_and_bodies(hosted):
    pit = hosted()
    code, _, headers = ask(pit, "GET", "freeze")
    assert code == 405 and headers["Allow"] == "POST"
    code, _, headers = ask(pit, "POST", "state")
    assert code == 405 and headers["Allow"] == "GET, HEAD"
    assert status(pit, "PUT", "freeze") == 405 and status(pit, "DELETE", "state") == 405
    assert status(pit, "HEAD", "state") == 200
    assert status(pit, "POST", "freeze", body=b"x") == 413
    assert status(pit, "POST", "melt") == 404 and status(pit, "GET", "melt") == 404
    for query in ("gravity", "gravity?percent=301", "gravity?percent=1&percent=2", "freeze?now=1"):
        code, answer, _ = ask(pit, "POST", query)
        assert code == 400 and answer["error"]
    connection = http.client.HTTPConnection("127.0.0.1", pit.port, timeout=PATIENCE)
    connection.request("POST", "/index.html")
    answer = connection.getresponse()
    assert answer.status == 405 and answer.headers["Allow"] == "GET, HEAD"


# What the host does


def test_who_is_kicked_is_gone_and_comes_back_as_somebody_new(hosted):
    pit = hosted()
    with Guest(pit) as guest, Guest(pit) as other:
        act(pit, "kick", person=guest.id)
        assert guest.closing() == (messages.REMOVED, "removed by the host")
        with Guest(pit, hello(token=guest.token)) as again:
            assert again.token != guest.token and again.id != guest.id
            people = told(pit, "people")
            assert people["count"] == 2
            assert [one["id"] for one in people["people"]] == [again.id, other.id]
            assert people["people"][0]["address"] == "127.0.0.1"
            code, answer, _ = ask(pit, "POST", f"kick?person={guest.id}")
            assert code == 404 and answer["error"]


def test_a_ban_is_for_an_address(hosted):
    pit = hosted()
    with Guest(pit, source="127.0.0.7") as one, Guest(pit, source="127.0.0.7") as two:
        with Guest(pit, source="127.0.0.8") as other:
            assert act(pit, "ban", person=one.id, minutes=3)["removed"] == 2
            assert one.closing()[0] == two.closing()[0] == messages.REMOVED
            code, reason = refusal(pit, source="127.0.0.7")
            assert code == messages.REMOVED
            assert reason == "this address may join again in 3 minutes"
            assert refusal(pit, hello(token=two.token), source="127.0.0.7")[0] == messages.REMOVED
            bans = told(pit, "state")["bans"]
            assert [ban["address"] for ban in bans] == ["127.0.0.7"]
            assert 0 < bans[0]["seconds"] <= 180
            act(pit, "unban", address="127.0.0.7")
            assert status(pit, "POST", "unban?address=127.0.0.7") == 404
            Guest(pit, source="127.0.0.7").socket.close()
            other.frames(1)


def test_a_scene_begins_under_everybody(hosted):
    pit = hosted()
    with Guest(pit) as guest, Guest(pit, messages.hello(stream="replica")) as follower:
        guest.frames(1)
        answer = act(pit, "scene", name="gallery", bodies=2)
        assert answer["scene"] == "gallery" and answer["bodies"] == 2
        for client in (guest, follower):
            again = welcome_of(client.next(WELCOME))
            assert again["client"] == client.id and again["size"] != client.welcome["size"]
        assert guest.next(*FRAMES)[0] == KEYFRAME
        until(lambda: len(pit.world()["bodies"]) == 2)
        assert status(pit, "POST", "clear") == 409
        assert status(pit, "POST", "limits?bodies=1") == 409
        assert status(pit, "POST", "scene?name=moon") == 400
        assert status(pit, "POST", "scene?name=gallery&bodies=99") == 400
        assert told(pit, "state")["scene"] == "gallery"


def test_the_world_stands_still_and_goes_on(hosted):
    pit = hosted("--bodies", 5)
    with Guest(pit) as guest:
        act(pit, "freeze")
        guest.decision(isFrozen=True)
        # Whoever is told of it may ask before the tick's world is there to be asked for.
        pit.wait_for_tick(pit.health()["tick"] + 2)
        first = pit.world()["bodies"]
        pit.wait_for_tick(pit.health()["tick"] + 30)
        assert pit.world()["bodies"] == first and told(pit, "state")["frozen"]
        act(pit, "unfreeze")
        guest.decision()
        act(pit, "clear")
        until(lambda: pit.world()["bodies"] == [])
        act(pit, "gravity", percent=40)
        until(lambda: told(pit, "state")["gravity"] == 40)


def test_a_locked_door_lets_those_in_who_were_here(hosted):
    pit = hosted()
    guest = Guest(pit)
    act(pit, "lock")
    guest.decision(isLocked=True)
    guest.socket.close()
    assert refusal(pit) == (1013, "joining is locked")
    with Guest(pit, hello(token=guest.token)) as back:
        assert back.token == guest.token
        back.decision(isLocked=True)
        act(pit, "unlock")
        back.decision()
        Guest(pit).socket.close()


def test_limits_of_stickers_people_and_commands(hosted):
    pit = hosted("--bodies", 20)
    with Guest(pit) as guest:
        act(pit, "limits", bodies=7, people=1, commands=1)
        until(lambda: len(pit.world()["bodies"]) == 7)
        assert refusal(pit) == (1013, "the pit is full")
        for _ in range(10):
            guest.socket.send(messages.command(messages.DROP, 0, 800, 800))
        outcomes = []
        while len(outcomes) < 10:
            receipt = messages.decode_server(guest.next(messages.RECEIPT))
            outcomes += [one["outcome"] for one in receipt["commands"]]
        assert "leftOut" in outcomes and "carriedOut" in outcomes
        state = told(pit, "state")
        assert (state["bodyCap"], state["peopleLimit"], state["commandsPerSecond"]) == (7, 1, 1)
        most = state["mostBodies"]
        assert status(pit, "POST", f"limits?bodies={most + 1}") == 400
        act(pit, "limits", bodies=most, people=4096)


def test_names_are_seen_by_everybody_and_stay(hosted):
    pit = hosted()
    with Guest(pit) as other:
        guest = Guest(pit)
        act(pit, "rename", person=guest.id, name="Zoë & co")
        renamed = guest.notice(lambda meaning: "colour" in meaning)
        assert renamed["id"] == guest.id and renamed["name"] == "Zoë & co"
        named = {"id": guest.id, "name": "Zoë & co"}
        other.notice(lambda m: any({**one, **named} == one for one in m.get("listed", [])))
        guest.socket.close()
        with Guest(pit, hello(token=guest.token)) as back:
            assert back.welcome["name"] == "Zoë & co"
            act(pit, "hide", person=back.id)
            hidden = {"id": back.id, "name": "Somebody"}
            other.notice(lambda m: any({**one, **hidden} == one for one in m.get("listed", [])))
            shown = [one for one in told(pit, "people")["people"] if one["id"] == back.id]
            assert shown[0]["hidden"] and shown[0]["name"] == "Somebody"
            assert status(pit, "POST", f"rename?person={back.id}&name=a%0Ab") == 400


def test_an_announcement_is_read_by_all_and_by_those_who_come(hosted):
    pit = hosted()
    with Guest(pit) as guest:
        act(pit, "notice", text="Pause ☕ until nine")
        guest.decision(announcement="Pause ☕ until nine")
        with Guest(pit) as newcomer:
            newcomer.decision(announcement="Pause ☕ until nine")
        assert status(pit, "POST", "notice?text=" + "x" * 121) == 400
        act(pit, "notice")
        guest.decision()


def test_the_host_and_its_limits_live_through_a_reload(hosted, token_file):
    pit = hosted()
    act(pit, "limits", commands=3)
    act(pit, "lock")
    token_file.write_text("another-token-of-the-host\n")
    before = len(pit.lines)
    pit.process.send_signal(signal.SIGHUP)
    line = until(lambda: [one for one in pit.lines[before:] if "was read again" in one])[0]
    assert "another admin token" in line and "another-token-of" not in line
    assert status(pit, "GET", "state") == 401
    code, state, _ = ask(pit, "GET", "state", token="another-token-of-the-host")
    assert code == 200 and state["commandsPerSecond"] == 3 and state["locked"]
    token_file.write_text("short\n")
    pit.process.send_signal(signal.SIGHUP)
    until(lambda: [one for one in pit.lines[before:] if "was refused" in one])
    assert status(pit, "GET", "state", token="another-token-of-the-host") == 200


def test_everything_is_written_down(hosted):
    pit = hosted()
    act(pit, "gravity", percent=50)
    assert status(pit, "POST", "kick?person=9") == 404
    acts = told(pit, "audit")["acts"]
    assert [(one["act"], one["details"]) for one in acts] == [
        ("kick", "person=9"), ("gravity", "percent=50"),
    ]  # fmt: skip
    assert acts[1]["outcome"] == "done" and acts[0]["outcome"].startswith("404")
    stamp = time.strptime(acts[0]["time"], "%Y-%m-%dT%H:%M:%SZ")
    assert stamp.tm_year >= 2024 and acts[0]["address"] == "127.0.0.1"
    until(lambda: sum("the host acted" in line for line in pit.lines) == 2)
    assert any("act=kick" in line and "person=9" in line for line in pit.lines)


# The token's file


@pytest.mark.parametrize(
    "text, words",
    [
        ("short", "has 5 characters, and needs 16"),
        ("has a blank in its middle", "printable ASCII"),
        ("x" * 257, "more than 256 characters"),
        (None, "can't be read: No such file"),
    ],
)
def test_a_token_that_is_none(stickerpit, tmp_path, text, words):
    path = tmp_path / "token"
    if text is not None:
        path.write_text(text)
    result = stickerpit("serve", "--host", "127.0.0.1", "--port", 0, "--admin-token-file", path)
    assert result.returncode == 1 and result.stderr.count("\n") == 1
    assert words in result.stderr and str(path) in result.stderr


def test_the_configuration_names_the_file_and_nothing_of_it(stickerpit, token_file):
    result = stickerpit("serve", "--admin-token-file", token_file, "--print-config")
    assert json.loads(result.stdout)["admin-token-file"] == str(token_file)
    assert TOKEN not in result.stdout + result.stderr


def test_a_token_that_everybody_reads_is_told(hosted, token_file):
    token_file.chmod(0o644)
    pit = hosted()
    until(lambda: any("everybody on this machine can read the admin token" in line for line in pit.lines))


# The command line


@pytest.fixture
def admin(stickerpit, token_file):
    def run(pit, *words, token=token_file):
        return stickerpit(
            "admin", "--url", f"{pit.scheme}://127.0.0.1:{pit.port}", "--token-file", token, *words)

    return run


def test_the_command_line_is_the_host(hosted, admin):
    pit = hosted()
    with Guest(pit) as guest:
        done = admin(pit, "people")
        assert done.returncode == 0 and guest.welcome["name"] in done.stdout and not done.stderr
        done = admin(pit, "rename", guest.id, "Anna & Bo")
        assert (done.returncode, done.stderr) == (0, ""), done
        assert f"done: rename, name Anna & Bo, person {guest.id}" in done.stdout
        assert admin(pit, "notice", "Hallo Welt").returncode == 0
        guest.decision(announcement="Hallo Welt")
        done = admin(pit, "--json", "state")
        assert json.loads(done.stdout)["notice"] == "Hallo Welt"
        assert "scene     pit" in admin(pit, "state").stdout
        assert admin(pit, "scene", "rain").returncode == 0
        assert welcome_of(guest.next(WELCOME))["size"] == (440, 736)
        assert admin(pit, "limits", "--people", 9, "--commands", 5).returncode == 0
        assert told(pit, "state")["peopleLimit"] == 9
        assert admin(pit, "ban", "--address", "192.0.2.1", "--minutes", 5).returncode == 0
        assert "192.0.2.1, 5 min" in admin(pit, "state").stdout
        assert admin(pit, "kick", guest.id).returncode == 0
        assert guest.closing()[0] == messages.REMOVED
        assert f"kick person={guest.id}: done" in admin(pit, "audit").stdout


def test_the_command_line_says_what_is_wrong(hosted, admin, stickerpit, tmp_path, token_file):
    pit = hosted()
    wrong = tmp_path / "wrong"
    wrong.write_text("a-token-of-another-server")
    for words, code, says in [
        (("kick",), 2, "kick needs a PERSON"),
        (("kick", "1", "2"), 2, "kick takes no '2'"),
        (("kick", "1", "--minutes", "2"), 2, "kick takes no --minutes"),
        (("limits",), 2, "limits needs"),
        (("ban",), 2, "ban needs a PERSON or --address"),
        (("kik", "1"), 2, "there is no 'kik'; the nearest is kick"),
        (("gravity", "500"), 2, "percent must be 0 to 300, not '500'"),
        (("kick", "77"), 1, "nobody here has the number 77"),
    ]:
        done = admin(pit, *words)
        assert done.returncode == code and says in done.stderr, (words, done)
        assert done.stderr.count("\n") == 1 and done.stdout == ""
    done = admin(pit, "state", token=wrong)
    assert done.returncode == 1 and "another token" in done.stderr
    done = stickerpit("admin", "--url", f"http://127.0.0.1:{pit.port}", "state")
    assert done.returncode == 2 and "--token-file" in done.stderr
    pit.stop()
    done = admin(pit, "state")
    assert done.returncode == 1 and "nobody listens" in done.stderr
    done = stickerpit("admin", "--url", "ftp://a", "--token-file", token_file, "state")
    assert done.returncode == 2 and "no web address" in done.stderr


def test_the_servers_own_certificate_can_be_trusted(hosted, stickerpit, tmp_path, token_file):
    pit = hosted("--data", tmp_path / "data", "--tls-self-signed")
    certificate = tmp_path / "data/tls/certificate.pem"
    for name in ("127.0.0.1", "localhost"):
        address = ("--url", f"https://{name}:{pit.port}", "--token-file", token_file)
        done = stickerpit("admin", *address, "--ca-file", certificate, "state")
        assert done.returncode == 0 and "scene     pit" in done.stdout, done
        done = stickerpit("admin", *address, "state")
        assert done.returncode == 1 and "certificate" in done.stderr, done
    done = stickerpit("admin", "--url", f"http://127.0.0.1:{pit.port}", "--token-file", token_file, "state")
    assert done.returncode == 1 and "https" in done.stderr
