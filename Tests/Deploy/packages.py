"""Packages and archives of the server under test, which may link the toolchain's Swift runtime."""

import pathlib
import subprocess

from machine import run
from pitserver import PATIENCE, ROOT, STICKERPIT

CHECKOUTS = ROOT / ".build/checkouts"
# Symbols for debuggers take long, and so does the last percent of compression. The time is fixed,
# because somebody may commit in between.
OPTIONS = {
    "DEB_BUILD_OPTIONS": "noautodbgsym",
    "DPKG_DEB_COMPRESSOR_LEVEL": "0",
    "SOURCE_DATE_EPOCH": "1767225600",
}


def build(output, *flags):
    """Builds a package: its path."""
    return pathlib.Path(
        run(
            ROOT / "scripts/package-deb", "--binary", STICKERPIT, "--checkouts", CHECKOUTS,
            "--output", output, "--development", *flags, environment=OPTIONS,
        ).strip()
    )  # fmt: skip


def build_both(folder):
    """The package of this version, and one of a higher version."""
    first = build(folder)
    version = run("dpkg-deb", "--field", first, "Version").strip()
    return first, build(folder, "--version", version + "+1")


def dist(output, *flags):
    """Makes the archives: how scripts/dist ended."""
    command = [ROOT / "scripts/dist", "--binary", STICKERPIT, "--checkouts", CHECKOUTS]
    command += ["--output", output, *flags]
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE
    )
