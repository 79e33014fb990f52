"""deploy/README.md, followed from top to bottom on a Debian in which systemd runs.

Every ```sh block of it is run as it stands there, by somebody who may use sudo, in a copy of what
it needs of the repository; walk.py says what is run in place of a line, and which block can't be
run here, each with its reason. A block that is not in that table fails the first test. The machine
has no network: what the blocks install was fetched before. Root is needed, and a kernel that lets
systemd start in a container; otherwise the walk itself is skipped, and says so.
"""

import re
import shutil

import machine
import pytest
from pitserver import ROOT, STICKERPIT
from programs import DEPLOY, program
from walk import STEPS

README = (DEPLOY / "README.md").read_text()
OPERATOR = "host"
SOURCE = f"/home/{OPERATOR}/sticker-pit"
# What timeout ended by a signal, as it should, gives 124.
ENDED = 'ended() { "$@" && return 1 || [ $? = 124 ]; }\n'
REFUSED = 'refused() { if "$@"; then echo "not refused: $*"; exit 1; fi; }\n'


def blocks():
    return re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def is_of(step, block):
    return re.match(re.escape(step.first) + r"(\s|$)", block)


def changed(step, block):
    """The block as it is run here."""
    lines = block.splitlines()
    for beginning, (other, reason) in step.instead.items():
        assert reason
        at = [number for number, line in enumerate(lines) if line.startswith(beginning)]
        assert at, f"'{beginning}' is not in the block any more:\n{block}"
        for number in at:
            lines[number] = other + lines[number][len(beginning) :]
    return "\n".join(lines) + "\n"


def test_every_block_is_known_and_in_order():
    found = blocks()
    assert README.count("```") == 2 * len(found), "a block that is no sh block, or has no end"
    for block, step in zip(found, STEPS, strict=False):
        assert is_of(step, block), f"walk.py has '{step.first}' in place of:\n{block}"
    assert len(found) == len(STEPS)


def test_what_is_left_out_has_a_reason():
    for step in STEPS:
        assert bool(step.not_here) != bool(step.instead or step.before or step.after), step.first
        assert all(len(reason) > 20 for _, reason in step.instead.values()), step.first


@pytest.fixture(scope="module")
def operated(base, packages, archives):
    """A machine with an operator, who has the repository, and what will be installed at hand."""
    there = machine.Machine(base, "operated")
    try:
        home = there.path(SOURCE)
        for folder in ("deploy", "web"):
            shutil.copytree(ROOT / folder, home / folder)
        (home / ".build/release").mkdir(parents=True)
        (home / ".build-static/deb").mkdir(parents=True)
        shutil.copy(STICKERPIT, home / ".build/release/stickerpit")
        for name, package in zip(("first", "second"), packages, strict=True):
            shutil.copy(package, home / f"{name}.deb")
        shutil.copytree(archives, home / "archives")
        there.run("useradd", "--user-group", "--shell", "/bin/sh", OPERATOR)
        there.run("chown", "-R", f"{OPERATOR}:", f"/home/{OPERATOR}")
        sudoers = there.path("/etc/sudoers.d/host")
        sudoers.write_text(f"{OPERATOR} ALL=(ALL) NOPASSWD: ALL\n")
        sudoers.chmod(0o440)
        named = re.findall(r"^sudo apt-get install (.*)$", README, re.MULTILINE)
        wanted = " ".join(named).split()
        assert wanted
        fetched = ["apt-get", "install", "-qq", "--download-only", *wanted]
        there.run(*fetched, f"{SOURCE}/first.deb")
        binds = [
            (program(name), f"/usr/local/bin/{name}") for name in ("prometheus", "promtool")
        ]
        there.start(*binds)
        yield there
        there.stop()
    finally:
        there.remove()


def test_the_readme_is_followed_from_top_to_bottom(operated):
    for step, block in zip(STEPS, blocks(), strict=True):
        if step.not_here:
            continue
        script = changed(step, block)
        # The shell says each line that it runs, so that it can be seen which one failed.
        for user, text in (
            ("root", REFUSED + "set -x\n" + step.before),
            (OPERATOR, ENDED + "set -x\n" + script),
            ("root", REFUSED + "set -x\n" + step.after),
        ):
            ended = operated.ask(text, user=user, folder=SOURCE)
            assert ended.returncode == 0, f"{text}\n-- said:\n{ended.stdout}{ended.stderr}"
