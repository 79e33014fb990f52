"""Builds the shim, and says with what environment a process is put behind it."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "shim.c"


def build(folder):
    """The library, made anew in a folder."""
    library = Path(folder) / "shim.so"
    command = ["clang", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, SOURCE]
    subprocess.run([*command, "-ldl", "-lpthread"], check=True)
    return library


def environment(library, folder, trace=None, fail=None, slow=None, after=None):
    """What shim.c explains, for the files below a folder."""
    said = {"TRACE": trace, "FAIL": fail, "SLOW": slow, "AFTER": after}
    # The name that the system knows the folder by: the shim compares paths as they are.
    values = {"LD_PRELOAD": str(library), "DISK_FAULTS_DIR": os.path.realpath(folder)}
    return values | {f"DISK_FAULTS_{key}": str(value) for key, value in said.items() if value}
