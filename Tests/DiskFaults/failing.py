"""Real servers whose disk fails while people play, and is healed again."""

from pathlib import Path

import shim
from pitserver import PATIENCE, STICKERPIT, PitServer, until
from recording import start_bots
from verdict import check, notes_of_damage, start

BOTS = 8
# Ticks that show that the world goes on: two seconds.
A_WHILE = 120
# Ticks behind which a journal that has caught up may be: the machine may be slow, but not for so long.
NEAR = 60
LOST, AGAIN = "the journal can't be written", "the journal is written again"
GAVE_UP = "gave up ticks"


class FaultyDisk:
    """A folder whose disk fails, or is slow, while it is broken; and a server with its journal there."""

    def __init__(self, folder, fail=None, slow=None):
        self.folder = Path(folder, "disk")
        self.folder.mkdir()
        self.data = self.folder / "data"
        self.switch = Path(folder, "broken")
        self.environment = shim.environment(
            shim.build(folder), self.folder, fail=fail, slow=slow, after=self.switch
        )

    def break_it(self):
        self.switch.touch()

    def heal(self):
        self.switch.unlink()

    def serve(self, *flags):
        return PitServer("--data", self.data, *flags, environment=self.environment)


def journal(pit):
    return pit.health()["journal"]


def has_said(pit, words):
    return any(words in line for line in list(pit.lines))


def goes_on(pit):
    """Waits until the world has gone on for a while, and says how far."""
    tick = pit.health()["tick"]
    pit.wait_for_tick(tick + A_WHILE)
    return tick + A_WHILE


def has_caught_up(pit):
    health = pit.health()
    return not health["journal"]["failing"] and health["tick"] - health["journal"]["tick"] < NEAR


def killed(pit, bots=None):
    """Kills a server, and says what its journal had at least."""
    tick = journal(pit)["tick"]
    if bots:
        bots.kill()
        bots.wait()
    pit.process.kill()
    pit.stop()
    return tick


def fault_under_load(folder, fail, is_noticed=True):
    """A disk breaks while people play, and is healed: gives what was seen, for a test to judge."""
    disk = FaultyDisk(folder, fail=fail)
    pit = disk.serve()
    bots = start_bots(STICKERPIT, pit, BOTS)
    seen = {}
    try:
        goes_on(pit)
        disk.break_it()
        if is_noticed:
            until(lambda: journal(pit)["failing"])
        before = pit.health()
        goes_on(pit)
        during = pit.health()
        seen["status"], seen["players"] = during["status"], during["people"]
        seen["failing"] = during["journal"]["failing"]
        seen["waiting"] = during["journal"]["waiting"]
        seen["kept"] = during["journal"]["tick"] - before["journal"]["tick"]
        disk.heal()
        until(lambda: has_caught_up(pit))
        goes_on(pit)
        seen["failing_after"] = journal(pit)["failing"]
        seen["said"] = [words for words in (LOST, AGAIN) if has_said(pit, words)]
        seen["gave_up"] = has_said(pit, GAVE_UP)
    finally:
        tick = killed(pit, bots)
    return seen | go_on_after(disk.data, tick)


def go_on_after(data, tick):
    """What a killed server leaves, and what the next one makes of it; `tick` it had for certain."""
    code, answer, words = check(STICKERPIT, data)
    return {
        "check": (code, words),
        "has_all": bool(answer) and answer["last"] >= tick,
        "notes": answer and notes_of_damage(answer),
        "begins_at_end": bool(answer) and start(STICKERPIT, data.parent) == answer["last"],
    }


def slow_disk(folder):
    """A disk that takes its time, with people who play: gives what was seen."""
    disk = FaultyDisk(folder, slow="sync:300")
    pit = disk.serve()
    bots = start_bots(STICKERPIT, pit, BOTS)
    try:
        goes_on(pit)
        disk.break_it()
        # More than a fast one ever lets wait: three ticks are written at a time.
        waiting = until(lambda: max(0, journal(pit)["waiting"] - 12))
        goes_on(pit)
        seen = {"waited": waiting, "failing": journal(pit)["failing"]}
        disk.heal()
        until(lambda: has_caught_up(pit))
        seen["said"] = has_said(pit, LOST) or has_said(pit, GAVE_UP)
    finally:
        tick = killed(pit, bots)
    return seen | go_on_after(disk.data, tick)


def stops_without_journal(folder, fail):
    """A server that is to end when its disk does: its exit code, and what it said."""
    disk = FaultyDisk(folder, fail=fail)
    pit = disk.serve("--stop-without-journal")
    try:
        goes_on(pit)
        disk.break_it()
        pit.process.wait(timeout=PATIENCE)
    finally:
        code = pit.stop()
    return code, pit.lines
