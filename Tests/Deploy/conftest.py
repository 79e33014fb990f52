"""The files of deploy/ as they are, with the real server: its fixtures stand one folder up, and the
client and nginx of the tests from outside beside this folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Interop"))
