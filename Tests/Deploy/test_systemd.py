"""systemd's own tools read the units of deploy/, and the server takes the command in them."""

import json
import re
import shlex
import shutil

import pytest
from programs import DEPLOY, run

UNITS = DEPLOY / "systemd"
SERVICES = ["sticker-pit.service", "sticker-pit@.service"]
# Servers that share a world.
SHARING = ["sticker-pit-world@.service", "sticker-pit-edge@.service"]
# A template is looked at as one of its pits.
STARTED = [name.replace("@", "@hall") for name in SERVICES + SHARING]
MOST_EXPOSED = 2.5


def settings(name):
    """Key and values of a unit, in order."""
    text = (UNITS / name).read_text().replace("\\\n", "")
    found = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(key, []).append(value.strip())
    return found


@pytest.fixture
def machine(tmp_path):
    """A machine's files, as far as the units name them."""
    for unit in UNITS.glob("sticker-pit*"):
        place = tmp_path / "etc/systemd/system" / unit.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(unit, place)
    targets = ["multi-user", "network", "time-sync", "sockets", "basic", "sysinit", "shutdown"]
    for target in targets:
        place = tmp_path / f"usr/lib/systemd/system/{target}.target"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("[Unit]\n")
    for program in ("usr/bin/stickerpit", "bin/kill"):
        place = tmp_path / program
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("#!/bin/sh\n")
        place.chmod(0o755)
    return tmp_path


def verified(machine):
    """What systemd has to say against the units: of misspelled keys it only speaks."""
    units = [*STARTED, "sticker-pit.socket"]
    checked = run("systemd-analyze", "verify", f"--root={machine}", "--man=no", *units)
    said = (checked.stdout + checked.stderr).strip()
    return said or (f"exit code {checked.returncode}" if checked.returncode else "")


def test_systemd_has_nothing_against_the_units(machine):
    assert verified(machine) == ""


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("LimitRTPRIO=2", "LimitRTPRIOR=2"),
        ("Type=notify", "Type=tells"),
        ("/usr/bin/", "/usr/bim/"),
    ],
)
def test_a_mistake_would_be_seen(machine, right, wrong):
    unit = machine / "etc/systemd/system/sticker-pit.service"
    assert right in unit.read_text()
    unit.write_text(unit.read_text().replace(right, wrong))
    assert verified(machine) != ""


@pytest.mark.parametrize("unit", STARTED)
def test_little_is_exposed_and_the_readme_says_how_much(machine, unit):
    checked = run("systemd-analyze", "security", "--offline=true", f"--root={machine}", unit)
    found = re.search(rf"Overall exposure level for {re.escape(unit)}: ([0-9.]+)", checked.stdout)
    assert found, checked.stdout + checked.stderr
    assert float(found[1]) < MOST_EXPOSED
    assert f"exposure of {found[1]} " in (DEPLOY / "README.md").read_text()


def test_the_services_differ_only_where_each_pit_has_its_own():
    one, several = map(settings, SERVICES)
    differing = {key for key in one | several if one.get(key) != several.get(key)}
    assert differing == {"Description", "StateDirectory", "ExecStart"}


def test_those_that_share_a_world_differ_from_a_pit_only_in_what_they_need_for_it():
    pit, world, edge = map(settings, ["sticker-pit@.service", *SHARING])
    differing = {key for key in world | edge if world.get(key) != edge.get(key)}
    assert differing == {"Description", "ExecStart"}
    differing = {key for key in pit | world if pit.get(key) != world.get(key)}
    assert differing == {
        "Description", "ExecStart", "EnvironmentFile", "Restart", "RestartSec",
        "StartLimitIntervalSec", "StateDirectory", "StateDirectoryMode", "WatchdogSec",
    }  # fmt: skip


@pytest.mark.parametrize("name", SHARING)
def test_a_start_without_nats_is_tried_again_for_ever(stickerpit, name):
    command = "edge" if "edge" in name else "serve"
    ended = stickerpit(command, "--nats", "nats://127.0.0.1:1", "--world", "hall", "--port", "0")
    assert ended.returncode == 1, ended.stderr
    unit = settings(name)
    assert unit["StartLimitIntervalSec"] == ["0"] and unit["Restart"] == ["always"]
    # Who claimed to lead and is gone stands in nobody's way any more after 1.2 s.
    assert float(unit["RestartSec"][0]) > 1.2
    # No tick runs while NATS is away, and that is no reason to end.
    assert "WatchdogSec" not in unit


@pytest.mark.parametrize("name", SERVICES + SHARING)
def test_the_service_and_the_server_fit_each_other(name):
    """What systemd waits for is what the server does, and its tick's thread gets its priority."""
    unit = {key: values[-1] for key, values in settings(name).items()}
    assert (unit["Type"], unit["NotifyAccess"]) == ("notify", "main")
    assert name in SHARING or unit["WatchdogSec"] == "10"
    assert unit["ExecReload"] == "/bin/kill -HUP $MAINPID"
    assert unit["LimitRTPRIO"] == "2" and "RestrictRealtime" not in unit
    assert "~@privileged" in unit["SystemCallFilter"]
    # It ends within four seconds, and needs this many files: see FileLimit.
    assert int(unit["TimeoutStopSec"]) > 4 and int(unit["LimitNOFILE"]) > 4096 + 2 * 4096 + 512


@pytest.mark.parametrize("name", SERVICES)
def test_the_server_takes_the_command_and_the_file(stickerpit, tmp_path, name):
    for file in ("serve.json", "hall.json"):
        shutil.copy(UNITS / "serve.json", tmp_path / file)
    command = settings(name)["ExecStart"][0]
    values = {
        "${CONFIGURATION_DIRECTORY}": tmp_path,
        "${STATE_DIRECTORY}": tmp_path / "data",
        "%i": "hall",
    }
    for variable, value in values.items():
        command = command.replace(variable, str(value))
    program, *arguments = shlex.split(command)
    assert program == "/usr/bin/stickerpit" and "%" not in command and "$" not in command
    taken = stickerpit(*arguments, "--print-config")
    assert taken.returncode == 0, taken.stderr
    said = dict(re.findall(r'"([a-z-]+)": (.*?),?\n', taken.stdout))
    assert said["data"] == f'"{tmp_path / "data"}"'
    assert said["admin-listen"] == '"127.0.0.1:9090"'


@pytest.mark.parametrize("name", SHARING)
def test_a_server_of_a_shared_world_takes_the_command_and_the_file(
    stickerpit, tmp_path, monkeypatch, name
):
    shutil.copy(UNITS / "world.json", tmp_path / "hall.json")
    unit = settings(name)
    assert unit["EnvironmentFile"] == ["-/etc/sticker-pit/%i.env"]
    # What the comment of the settings has in that file.
    line = re.search(r"STICKERPIT_NATS=(nats://pit:secret@\S+)", (UNITS / "world.json").read_text())
    command = unit["ExecStart"][0].replace("${CONFIGURATION_DIRECTORY}", str(tmp_path))
    program, *arguments = shlex.split(command.replace("%i", "hall"))
    assert program == "/usr/bin/stickerpit" and "--data" not in arguments
    monkeypatch.setenv("STICKERPIT_NATS", line[1])
    taken = stickerpit(*arguments, "--print-config")
    assert taken.returncode == 0, taken.stderr
    said = json.loads(taken.stdout)
    # Which password it is need not be told.
    assert line[1].count(",") == 2
    assert said["nats"] == line[1].replace(":secret@", ":***@")
    assert (said["world"], said["data"]) == ("hall", None)
    assert said["standby"] == ("world" in name)


def test_the_socket_is_where_the_server_would_listen(stickerpit):
    """And where the proxies of deploy/ look for it."""
    assert settings("sticker-pit.socket")["ListenStream"] == ["0.0.0.0:8080"]
    taken = stickerpit("serve", "--print-config")
    assert '"host": "0.0.0.0"' in taken.stdout and '"port": 8080' in taken.stdout
    for file in ("nginx/sticker-pit.conf", "caddy/Caddyfile"):
        assert "127.0.0.1:8080" in (DEPLOY / file).read_text()
