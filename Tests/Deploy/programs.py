"""Where the programs are that read what deploy/ holds."""

import os
import shutil
import subprocess

from pitserver import PATIENCE, ROOT

DEPLOY = ROOT / "deploy"

# Installing Debian's packages of servers would start them: `make setup-test` unpacks them here.
PLACES = [
    os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", "/sbin",
    *(str(ROOT / ".run" / package) for package in (
        "nginx/usr/sbin", "caddy/usr/bin", "prometheus/usr/bin"
    )),
]  # fmt: skip


def program(name):
    """Where it is. A machine without it fails the test: nothing is skipped silently."""
    found = shutil.which(name, path=os.pathsep.join(PLACES))
    assert found, f"{name} is missing: run 'make setup-test'"
    return found


def run(name, *arguments, **options):
    """What a program says and how it ends."""
    return subprocess.run(
        [program(name), *map(str, arguments)],
        capture_output=True, text=True, timeout=PATIENCE, **options,
    )  # fmt: skip


def replaced(text, replacements):
    """The text of a file with other paths and ports. Each must be in it, so that no test goes on
    with a file that is not like the one that stands in deploy/ any more."""
    for old, new in replacements.items():
        assert old in text, f"'{old}' is not there any more"
        text = text.replace(old, str(new))
    return text
