"""A Debian of its own in a folder, to install things in: as a folder that commands are run in by
chroot, or started like a machine, with systemd running in it.

mmdebstrap makes it once for all tests, with packages from Debian's mirror; each test has a copy.
All this needs root.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest
from pitserver import PATIENCE, STICKERPIT
from programs import program

# What a Debian that somebody installed has, and the smallest one lacks. Nothing of it is ours, or
# a library that only we use.
ORDINARY = "systemd-sysv,dbus,procps,adduser,sudo,curl,openssl,ca-certificates"
UNREAD = ("doc", "man", "locale", "info")
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
# Where the Swift runtime is in there, if the server needs one.
RUNTIME = "opt/swift-runtime"


def run(*command, environment=None, **options):
    """A command that must succeed: what it printed."""
    ended = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        env=os.environ | QUIET | (environment or {}),
        timeout=5 * PATIENCE,
        **options,
    )
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"
    return ended.stdout


def needs_root():
    if os.geteuid() != 0:
        pytest.skip("a system of its own, and its users, need root")


def make_base():
    """Makes the folder that `Debian` copies."""
    # Not below pytest's folder, which only root may enter: servers run as somebody else.
    above = pathlib.Path(tempfile.mkdtemp(prefix="sticker-pit-"))
    # In memory, because dpkg waits for a disk after each package. At most 1 GB is taken.
    run("mount", "-t", "tmpfs", "-o", "mode=755", "sticker-pit-test", above)
    suite = run("sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME").strip()
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in UNREAD]
    try:
        run(
            program("mmdebstrap"), "--variant=apt", f"--include={ORDINARY}", *left_out,
            # The lists stay, so that apt knows what there is.
            "--skip=cleanup/apt", suite, above / "base",
        )  # fmt: skip
        copy_runtime(above / "base")
    except BaseException:
        remove_base(above / "base")
        raise
    return above / "base"


def remove_base(base):
    """Removes it, with all copies."""
    run("umount", base.parent)
    base.parent.rmdir()


def copy_runtime(root):
    """Copies the Swift runtime that the server under test links, which no Debian package has, and
    has the linker find it: nothing if it was built with --static-swift-stdlib."""
    linked = re.findall(r"=> (/\S+)", run("ldd", STICKERPIT))
    own = [path for path in linked if "/swift/" in path]
    if own:
        (root / RUNTIME).mkdir(parents=True)
        # The C++ library is only the runtime's, so no package of ours brings it.
        for path in [*own, *(path for path in linked if "libstdc++" in path)]:
            shutil.copy(path, root / RUNTIME)
        (root / "etc/ld.so.conf.d/swift.conf").write_text(f"/{RUNTIME}\n")
        run("chroot", root, "ldconfig")


class Debian:
    """A copy. What is installed in it starts nothing, as long as systemd does not run."""

    def __init__(self, base, name):
        self.root = base.parent / name
        run("cp", "-a", base, self.root)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        answers = 'APT::Get::Assume-Yes "true";\nDpkg::Options { "--force-confold"; };\n'
        (self.root / "etc/apt/apt.conf.d/90answers").write_text(answers)
        self.container = None

    def path(self, inside):
        return self.root / inside.lstrip("/")

    def command(self, *command, user="root:root"):
        """How a command is run in there. Swift reads a program's arguments from /proc, which is
        there for that command only."""
        script = 'mount --bind /proc "$1/proc" && shift && exec "$@"'
        return [
            "unshare", "--mount", "sh", "-c", script, "sh", str(self.root),
            "chroot", f"--userspec={user}", str(self.root), *map(str, command),
        ]  # fmt: skip

    def run(self, *command):
        return run(*self.command(*command))

    def remove(self):
        shutil.rmtree(self.root)


class Machine(Debian):
    """A copy in which systemd runs, without a network. It skips its test where systemd can't be
    started, such as within a container that has few rights."""

    def start(self, *binds):
        (self.root / "etc/resolv.conf").unlink()
        # An installer writes these.
        self.path("/etc/hostname").write_text("here\n")
        self.path("/etc/hosts").write_text("127.0.0.1 localhost here\n::1 localhost\n")
        self._groups = []
        # Where a systemd runs already, it gives the container its place among the control groups.
        # Elsewhere the container takes the place that its starter has: one of this test's own.
        own = [] if os.path.isdir("/run/systemd/system") else ["--keep-unit"]
        if own:
            self._groups = self._make_groups()
        self._said = open(self.root.parent / f"{self.root.name}.said", "w+")
        self.container = subprocess.Popen(
            [
                "sh", "-c", 'for one in $GROUPS_OF_TEST; do echo $$ > "$one/cgroup.procs"; done\n'
                'exec "$@"', "sh",
                program("systemd-nspawn"), "--register=no", *own, "--private-network",
                "--hostname=here", "--boot", "--quiet", "--directory", str(self.root),
                *(f"--bind-ro={there}:{here}" for there, here in binds),
            ],
            stdin=subprocess.DEVNULL, stdout=self._said, stderr=self._said,
            env=os.environ | {"GROUPS_OF_TEST": " ".join(map(str, self._groups))},
        )  # fmt: skip
        ends = time.monotonic() + PATIENCE
        while not self._is_up():
            if self.container.poll() is not None or time.monotonic() > ends:
                self._said.seek(0)
                said = self._said.read()[-1000:]
                self.stop()
                pytest.skip(f"no systemd can be started here in a container: {said}")
            time.sleep(0.2)

    def _make_groups(self):
        """A control group for this test in each hierarchy that takes it."""
        made = []
        for place in ("", "systemd", "unified"):
            above = pathlib.Path("/sys/fs/cgroup") / place
            if (above / "cgroup.procs").exists():
                made.append(above / self.root.parent.name)
                try:
                    made[-1].mkdir()
                except OSError as error:
                    pytest.skip(f"no systemd can be started here in a container: {error}")
        return made

    def _is_up(self):
        children = pathlib.Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children")
        try:
            self._leader = children.read_text().split()[0]
        except (OSError, IndexError):
            return False
        asked = self.ask("systemctl is-system-running")
        return asked.stdout.strip() in ("running", "degraded")

    def ask(self, script, user="root", folder="/", **environment):
        """Runs a shell script in there: how it ended."""
        entered = ["nsenter", "--target", self._leader, "--all", "--root", "--wd", "env", "-i"]
        path = "/usr/local/bin:/usr/bin:/bin"
        # Others than root find no programs of the administrator's, as on Debian.
        known = {"HOME": f"/home/{user}" if user != "root" else "/root", "USER": user}
        known["PATH"] = path if user != "root" else "/usr/local/sbin:/usr/sbin:/sbin:" + path
        named = [f"{name}={value}" for name, value in (known | QUIET | environment).items()]
        if user != "root":
            entered = [*entered, *named, "setpriv", f"--reuid={user}", f"--regid={user}"]
            entered += ["--init-groups"]
        else:
            entered += named
        command = [*entered, "sh", "-e", "-c", f"cd {folder}\n{script}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)

    def stop(self):
        """Ends the container: in order, if it does so within half a minute."""
        if self.container and self.container.poll() is None:
            self.container.send_signal(signal.SIGTERM)
            try:
                self.container.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.container.kill()
                self.container.wait()
        self._said.close()
        for group in self._groups:
            for folder in sorted(group.rglob("*/"), reverse=True):
                if folder.is_dir():
                    folder.rmdir()
            group.rmdir()
