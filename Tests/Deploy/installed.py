"""A server that was installed in a Debian of its own, run in there as its own user."""

import shlex

from pitserver import PitServer


class InstalledPit(PitServer):
    """The user needs a group of the same name."""

    def __init__(self, debian, *command, user="sticker-pit"):
        command = debian.command(*command, user=f"{user}:{user}")
        # `PitServer` begins with a program and its flags; a shell in between takes only ours.
        script = debian.root.parent / f"{debian.root.name}.start"
        script.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
        script.chmod(0o755)
        super().__init__(program=script, checks_frames=False)
