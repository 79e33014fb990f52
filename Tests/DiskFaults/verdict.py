"""Whether what a cut left is a journal to go on with, and all that was promised of it."""

import json
import re
import sqlite3
import subprocess
from pathlib import Path

from pitserver import PATIENCE, PitServer, until
from promise import read_level

KEY_BYTES = 32
GREETING = re.compile(r"The world is kept in .* and (?:goes on after tick (\d+)|is new)\.")


def check(server, data):
    """What `journal check` says of a folder: its exit code, its answer if it gave one, and its words."""
    command = [server, "journal", "check", "--data", data, "--json"]
    done = subprocess.run(map(str, command), capture_output=True, text=True, timeout=PATIENCE)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    return done.returncode, answer, done.stderr.strip()


def notes_of_damage(answer):
    """What a check tells of damage. An entry that was under way at the end is none."""
    return [note for note in answer["notes"] if "was being written at the end" not in note]


class Finding:
    """What is found in the image of a cut."""

    def __init__(self, level=-1, hash=None):
        self.level, self.hash = level, hash
        self.problems, self.notes = [], []


def examine(server, recording, place):
    """Opens an image as a server would and compares it with the truth."""
    data = Path(place, "data")
    finding = Finding()
    if not (data / "journal.sqlite").exists():
        finding.problems += key_problems(recording, data, -1)
        return finding
    code, answer, words = check(server, data)
    if code != 0 or answer is None:
        found = answer["problems"] if answer else []
        finding.problems.append(f"check ends with {code}: {words} {'; '.join(found)}".strip())
        return finding
    finding.notes, finding.hash = notes_of_damage(answer), answer.get("hash")
    finding.level = answer["last"] if finding.hash else -1
    # By another reader, once the check has brought the database in order.
    level = read_level(data / "journal.sqlite")
    if level != finding.level and not finding.notes:
        finding.problems.append(f"the check says {finding.level}, SQLite {level}")
    finding.problems += link_problems(recording, data, finding.level)
    finding.problems += key_problems(recording, data, finding.level)
    return finding


def link_problems(recording, data, last):
    """The links are chained: if the last one is the truth's, everything before it is."""
    if last <= 0:
        return []
    database = sqlite3.connect(data / "journal.sqlite")
    try:
        row = database.execute("SELECT link FROM records WHERE last = ?", [last]).fetchone()
    finally:
        database.close()
    # After a snapshot that the records before it led to there may be none.
    link = row[0] if row else None
    if last not in recording.links:
        return [f"no group ever ended with tick {last}"]
    if link != recording.links[last]:
        return [f"tick {last} has the link {link}, written was {recording.links[last]}"]
    return []


def key_problems(recording, data, level):
    """Without the key nobody would get back the place that the journal keeps."""
    path = data / "token-key"
    if not path.exists():
        return [f"the journal reaches tick {level} and the key is gone"] if level >= 0 else []
    key = path.read_bytes()
    if len(key) < KEY_BYTES:
        return [f"the key has {len(key)} bytes: no server would start"]
    if level >= 0 and key != recording.key:
        return ["the key is another one"]
    return []


def start(server, place):
    """Starts a real server on an image, waits until it has written, and kills it.
    Gives the level that it went on from; raises `RuntimeError` if it doesn't start."""
    pit = PitServer("--data", Path(place, "data"), program=server, checks_frames=False)
    try:
        words = until(lambda: next(filter(None, map(GREETING.search, list(pit.lines))), None))
        level = -1 if words[1] is None else int(words[1])
        until(lambda: pit.health()["journal"]["tick"] > level + 1)
    finally:
        pit.process.kill()
        pit.stop()
    return level
