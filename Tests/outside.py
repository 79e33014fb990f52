"""Runs the tests from outside: first those that bear company, in several processes, which take over from
each other what is left; then those that measure servers or the machine (marked `serial`), one after the
other. What takes long (marked `long`) is left to `make test-long`.

Where CI is set in the environment, tests that failed are run once more, alone, if they are few: the
busy machines of others let even patient tests fail now and then. Which these were is printed at the
end, whatever came of it. Anywhere else nothing is run twice."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["Tests/Interop", "Tests/Browser", "Tests/Deploy"]
# Processes: most tests wait for most of their time, so that there is work for one more than cores.
PROCESSES = (os.cpu_count() or 1) + 1
# More failures than that are no accident.
MOST_AGAIN = 8
# As pytest ends.
PASSED, FAILED, NOTHING_TO_DO = 0, 1, 5


class Part:
    """Some of the tests, and where pytest keeps which of them have failed."""

    def __init__(self, name, *flags):
        self._flags = flags
        self._memory = ROOT / ".run/pytest" / name
        shutil.rmtree(self._memory, ignore_errors=True)

    def run(self, *flags):
        """How pytest ended."""
        command = [sys.executable, "-m", "pytest", "-q", "--timeout", "900", "--rootdir", ROOT]
        command += ["-o", f"cache_dir={self._memory}", *self._flags, *flags]
        ended = subprocess.run([*command, *sys.argv[1:], *FOLDERS], cwd=ROOT).returncode
        return PASSED if ended == NOTHING_TO_DO else ended

    @property
    def failed(self):
        """The names of the tests that failed when they were run last."""
        file = self._memory / "v/cache/lastfailed"
        return sorted(json.loads(file.read_text())) if file.exists() else []


def main():
    beside = ["-n", str(PROCESSES), "--dist", "worksteal"]
    parts = [
        (Part("beside", "-m", "not serial and not long"), beside),
        (Part("serial", "-m", "serial and not long"), []),
    ]
    ended = [part.run(*flags) for part, flags in parts]
    again = [name for part, _ in parts for name in part.failed]
    if not os.environ.get("CI") or not again or not set(ended) <= {PASSED, FAILED}:
        return max(ended, key=abs)
    if len(again) > MOST_AGAIN:
        print(f"==> {len(again)} tests failed: more than {MOST_AGAIN} are not run again")
        return FAILED
    print("==> once more, alone, what has failed", flush=True)
    ended = [part.run("--last-failed") for part, _ in parts if part.failed]
    still = [name for part, _ in parts for name in part.failed]
    for name in again:
        print(f"==> needed a second run, and {'failed' if name in still else 'passed'}: {name}")
    return max(ended, key=abs)


if __name__ == "__main__":
    sys.exit(main())
