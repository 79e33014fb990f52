"""The Debian package: it installs, serves, is upgraded under its world, and leaves nothing.

It is installed into a Debian of its own, whose apt brings what it depends on. The server runs in
there as the user that the package made, with the arguments of the unit's ExecStart; only free ports
are added. What systemd adds (sandbox, notification, sockets, restarts) is in test_readme.py. This
needs root; without it that test is skipped, and the package is still built and checked.
"""

import os
import re
import shlex
import shutil
import subprocess
import urllib.request

import pytest
from installed import InstalledPit
from machine import Debian, run
from packages import CHECKOUTS, build
from pitserver import PATIENCE, ROOT, STICKERPIT, until
from ports import free_port
from programs import DEPLOY

STATE = "/var/lib/sticker-pit"
CONFIGURATION = "/etc/sticker-pit/serve.json"
# What systemd puts in place of these names in the unit (StateDirectory=, ConfigurationDirectory=).
FOLDERS = {"${STATE_DIRECTORY}": STATE, "${CONFIGURATION_DIRECTORY}": "/etc/sticker-pit"}
ADDITION = "// The operator wrote this.\n"


@pytest.fixture
def debian(base):
    copy = Debian(base, "package")
    yield copy
    copy.remove()


def status(debian):
    """What dpkg says of the package in there: installed, config-files, or nothing."""
    command = ["dpkg-query", "-W", "-f", "${db:Status-Status}", "sticker-pit"]
    asked = subprocess.run(debian.command(*command), capture_output=True, text=True)
    return asked.stdout.strip()


def unit_arguments(debian):
    """The unit's ExecStart, as systemd would start it."""
    unit = debian.path("/lib/systemd/system/sticker-pit.service").read_text()
    text = re.search(r"^ExecStart=(.*)$", unit.replace("\\\n", " "), re.MULTILINE)[1]
    for name, folder in FOLDERS.items():
        text = text.replace(name, folder)
    assert "$" not in text and "%" not in text, text
    return shlex.split(text)


def start(debian):
    # Not where serve.json has the metrics: a pit of this machine's may be there.
    added = ["--host", "127.0.0.1", "--port", "0", "--admin-listen", f"127.0.0.1:{free_port()}"]
    return InstalledPit(debian, *unit_arguments(debian), *added)


def test_lintian_finds_no_error(packages):
    # No tag is overridden. The other package has the same files.
    said = run("lintian", "--allow-root", "--fail-on", "error", packages[0])
    assert "E:" not in said, said


def test_the_package_is_made_the_same_way_twice(packages, tmp_path):
    assert build(tmp_path).read_bytes() == packages[0].read_bytes()


@pytest.fixture(scope="module")
def unpacked(packages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    run("dpkg-deb", "-x", packages[0], folder)
    return folder


def test_the_libraries_are_named_by_those_who_know(packages, unpacked):
    depends = run("dpkg-deb", "--field", packages[0], "Depends")
    for library in ("libc6", "libsqlite3-0", "libssl3", "libwebsockets-evlib-ev"):
        assert library in depends
    # The builder's folders are no place to look for libraries.
    assert "/usr/lib/swift" in run("readelf", "-d", STICKERPIT)
    assert "/usr/lib/swift" not in run("readelf", "-d", unpacked / "usr/bin/stickerpit")


def test_units_and_settings_are_those_of_deploy(unpacked):
    places = {
        "sticker-pit": "lib/systemd/system",
        "serve.json": "etc/sticker-pit",
        "world.json": "usr/share/doc/sticker-pit/examples",
    }
    shipped = list((DEPLOY / "systemd").iterdir())
    assert len(shipped) == 7
    for file in shipped:
        place = next(each for start, each in places.items() if file.name.startswith(start))
        assert (unpacked / place / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("folder", ["nginx", "caddy", "prometheus", "grafana", "nats"])
def test_examples_are_those_of_deploy(unpacked, folder):
    shipped = unpacked / "usr/share/doc/sticker-pit/examples" / folder
    files = sorted((DEPLOY / folder).iterdir())
    assert files and [path.name for path in sorted(shipped.iterdir())] == [f.name for f in files]
    for file in files:
        assert (shipped / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("script", ["postinst", "prerm"])
def test_every_template_is_restarted_and_stopped(script):
    """debhelper knows of no instances."""
    text = (DEPLOY / "debian" / f"sticker-pit.{script}").read_text()
    templates = [path.name for path in (DEPLOY / "systemd").glob("*@.service")]
    assert len(templates) == 3
    for name in templates:
        assert f"'{name.replace('@', '@*')}'" in text


def test_the_manual_tells_every_command(unpacked):
    page = run("zcat", unpacked / "usr/share/man/man1/stickerpit.1.gz").replace("\\-", "-")
    for word in ("stickerpit serve", "stickerpit journal prune", "--max-bodies", "30", "EXIT STATUS"):
        assert word in page
    # As `man` would show it, with everything that troff has against it.
    said = subprocess.run(
        ["man", "--warnings", "-l", unpacked / "usr/share/man/man1/stickerpit.1.gz"],
        capture_output=True, text=True, env=os.environ | {"MANPAGER": "cat", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert said.returncode == 0 and said.stderr == ""
    assert "--max-bodies" in said.stdout
    # A table is not filled up like text.
    assert re.search(r"^ +clear +Take all", said.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "flags, says",
    [
        (["--binary", "/nowhere"], "no server at /nowhere"),
        (["--web", "/nowhere"], "no page with pit.wasm in /nowhere"),
        (["--units", "/nowhere"], "no sticker-pit.service in /nowhere"),
        (["--checkouts", "/nowhere"], "no packages in /nowhere"),
        (["--version", "a b"], "not a version of Debian"),
        (["--version", "1.0-1"], "its version has no '-'"),
        (["--colour"], "unknown option '--colour'"),
        (["--version"], "--version needs a value"),
    ],
)
def test_wrong_input_is_told(flags, says, tmp_path):
    command = [ROOT / "scripts/package-deb", "--binary", STICKERPIT, "--output", tmp_path]
    command += ["--checkouts", CHECKOUTS]
    ended = subprocess.run(
        [*map(str, command), "--development", *flags], capture_output=True, text=True
    )
    assert ended.returncode != 0
    assert says in ended.stderr
    assert not list(tmp_path.glob("*.deb"))


def test_the_world_outlives_an_upgrade_and_goes_with_a_purge(packages, debian):
    for name, package in zip(("first", "second"), packages, strict=True):
        shutil.copy(package, debian.path(f"/{name}.deb"))
    debian.run("apt-get", "satisfy", "-qq", run("dpkg-deb", "--field", packages[0], "Depends"))
    users = debian.path("/etc/passwd").read_text()
    before = files(debian)

    debian.run("dpkg", "--install", "/first.deb")
    assert status(debian) == "installed"
    assert "sticker-pit:" in debian.path("/etc/passwd").read_text()
    assert debian.path(STATE).stat().st_mode & 0o777 == 0o700
    pit = start(debian)
    with urllib.request.urlopen(f"http://127.0.0.1:{pit.port}/", timeout=PATIENCE) as answer:
        assert b"<title>" in answer.read()
    with urllib.request.urlopen(f"http://127.0.0.1:{pit.port}/pit.wasm") as answer:
        assert answer.read(4) == b"\0asm"
    pit.wait_for_tick(120)
    slots = {(body["slot"], body["kind"]) for body in pit.world()["bodies"]}
    reached = pit.health()["tick"]
    assert pit.stop() == 0
    assert any("is new" in line for line in pit.lines)

    configuration = debian.path(CONFIGURATION)
    configuration.write_text(ADDITION + configuration.read_text())
    debian.run("dpkg", "--force-confold", "--install", "/second.deb")
    assert configuration.read_text().startswith(ADDITION)
    pit = start(debian)
    until(lambda: pit.health()["tick"] > reached)
    assert not any("is new" in line for line in pit.lines)
    assert {(body["slot"], body["kind"]) for body in pit.world()["bodies"]} == slots
    assert pit.stop() == 0

    debian.run("dpkg", "--remove", "sticker-pit")
    assert status(debian) == "config-files"
    assert not debian.path("/usr/bin/stickerpit").exists()
    assert debian.path(STATE + "/journal.sqlite").exists()
    assert configuration.read_text().startswith(ADDITION)

    debian.run("dpkg", "--purge", "sticker-pit")
    assert status(debian) in ("", "not-installed")
    assert files(debian) - before == set()
    assert debian.path("/etc/passwd").read_text() == users


def files(debian):
    """Everything that is there, but for dpkg's own records, logs, what is gone after a start of the
    machine (/run, where adduser has its lock), and the lists of users with their copies."""
    found = (str(path.relative_to(debian.root)) for path in debian.root.rglob("*"))
    return {
        path
        for path in found
        if not path.startswith(("var/lib/dpkg/", "var/log/", "proc/", "run/"))
        and not re.fullmatch(r"etc/g?(passwd|shadow|group|gshadow)-?|etc/sub[ug]id-?", path)
    }
