"""A model of a disk: what a folder may look like after the power went or the process was killed, at any
point of a trace.

What was done to a file is certain once the file was synced, and its name once its folder was. Of what
was done since, a power cut leaves any part, in sectors of 512 bytes: writes may be reordered, lost and
torn. Each sector is then as it was at some time since the sync; that is all that is promised of it."""

import os
from pathlib import Path

from disktrace import CLOSE, MKDIR, OPEN, RENAME, START, SYNC, TRUNCATE, UNLINK, WRITE

SECTOR = 512
# What stands for a folder among the names.
FOLDER = "a folder"


class File:
    """What a file has for certain, what it has for a process, and what was done between the two."""

    def __init__(self):
        self.certain, self.now = bytearray(), bytearray()
        # The operation's number, where, and the bytes; None instead of bytes where it was cut.
        self.pending = []

    def write(self, number, offset, data):
        write(self.now, offset, data)
        self.pending.append((number, offset, data))

    def cut(self, number, size):
        resize(self.now, size)
        self.pending.append((number, size, None))

    def sync(self):
        for _, offset, data in self.pending:
            if data is None:
                resize(self.certain, offset)
            else:
                write(self.certain, offset, data)
        self.pending.clear()

    def after_power_cut(self, luck):
        found, old, sizes = bytearray(self.certain), set(), [len(self.certain)]
        for number, offset, data in self.pending:
            if number >= luck.end:
                break
            if data is None:
                if not luck.loses():
                    resize(found, offset)
            elif luck.loses_nothing:
                write(found, offset, data, luck.filling)
            else:
                write_sectors(found, offset, data, old, luck)
            sizes.append(len(found))
        # The file's size is written by itself as well.
        if luck.loses():
            resize(found, luck.choice(sizes))
        return found


def write(content, offset, data, filling=bytes):
    if offset > len(content):
        content.extend(filling(offset - len(content)))
    content[offset : offset + len(data)] = data


def resize(content, size):
    del content[size:]
    content.extend(bytes(size - len(content)))


def write_sectors(content, offset, data, old, luck):
    """Writes those sectors that get to the disk. One that doesn't stays as it is (`old`), whatever is
    written there later."""
    end = offset + len(data)
    for sector in range(offset // SECTOR, (end - 1) // SECTOR + 1):
        if sector in old:
            continue
        if luck.loses():
            old.add(sector)
            continue
        first, last = max(offset, sector * SECTOR), min(end, (sector + 1) * SECTOR)
        write(content, first, data[first - offset : last - offset], luck.filling)


class Luck:
    """What a power cut takes, by chance."""

    def __init__(self, random, first_pending, end):
        self.random = random
        self.choice = random.choice
        # The share of what is not certain that is lost.
        self.share = random.choice([0, 0.02, 0.1, 0.5, 0.9, 0.98, 1])
        self.loses_nothing = self.share == 0
        # Some disks keep the order: then nothing of what came after some operation is there.
        self.end = random.randint(first_pending, end) if random.random() < 0.4 else end
        # Where nothing was written there are zeros, or what another file left there.
        self.filling = random.randbytes if random.random() < 0.2 else bytes

    def loses(self):
        return self.random.random() < self.share


class Disk:
    """A disk on which the operations of a trace are done, one after the other."""

    def __init__(self, forgets_syncs=False):
        # The planted fault: a disk that says it has synced, and has not.
        self.forgets_syncs = forgets_syncs
        self.done = 0
        self.certain, self.now = {"": FOLDER}, {"": FOLDER}
        # Changes of names: the operation's number, the old name, the new name, the file.
        self.pending = []
        self.handles = {}

    def do(self, operation):
        number, kind = self.done, operation.kind
        self.done += 1
        if kind == START:
            self.handles = {}
        if operation.result < 0:
            return
        if kind == OPEN:
            self.open(number, operation)
        elif kind == WRITE:
            self.handles[operation.handle].write(
                number, operation.argument, operation.data[: operation.result]
            )
        elif kind == TRUNCATE:
            self.handles[operation.handle].cut(number, operation.argument)
        elif kind == SYNC:
            self.sync(operation)
        elif kind == CLOSE:
            del self.handles[operation.handle]
        elif kind == MKDIR:
            self.rename(number, None, operation.path, FOLDER)
        elif kind == UNLINK:
            self.rename(number, operation.path, None, None)
        elif kind == RENAME:
            new = bytes(operation.data).decode()
            self.rename(number, operation.path, new, self.now[operation.path])

    def open(self, number, operation):
        file = self.now.get(operation.path)
        if file is None:
            file = File()
            self.rename(number, None, operation.path, file)
        elif operation.argument & os.O_TRUNC and file.now:
            file.cut(number, 0)
        self.handles[operation.handle] = file

    def rename(self, number, old, new, file):
        change(self.now, old, new, file)
        self.pending.append((number, old, new, file))

    def sync(self, operation):
        file = self.handles[operation.handle]
        if self.forgets_syncs:
            return
        if file is not FOLDER:
            return file.sync()
        inside = [one for one in self.pending if os.path.dirname(one[1] or one[2]) == operation.path]
        for _, old, new, renamed in inside:
            change(self.certain, old, new, renamed)
        self.pending = [one for one in self.pending if one not in inside]

    # What is found later

    def after_kill(self, half=None):
        """The content of each file, by its name. `half` is a write of which only the first half was
        done as well."""
        contents = {name: file if file is FOLDER else file.now for name, file in self.now.items()}
        if half and half.kind == WRITE and half.path in contents:
            contents[half.path] = bytearray(contents[half.path])
            write(contents[half.path], half.argument, half.data[: len(half.data) // 2])
        return contents

    def after_power_cut(self, random):
        files = [file for file in set(self.all_files()) if file.pending]
        pending = [file.pending[0][0] for file in files] + [one[0] for one in self.pending[:1]]
        luck = Luck(random, min(pending, default=self.done), self.done)
        names = dict(self.certain)
        for number, old, new, file in self.pending:
            if number < luck.end and not luck.loses():
                change(names, old, new, file)
        return {
            name: file if file is FOLDER else file.after_power_cut(luck)
            for name, file in names.items()
        }  # fmt: skip

    def all_files(self):
        for names in (self.certain, self.now):
            yield from (file for file in names.values() if file is not FOLDER)
        yield from (file for *_, file in self.pending if file not in (None, FOLDER))


def change(names, old, new, file):
    if old is not None:
        names.pop(old, None)
    if new is not None:
        names[new] = file


def lay_out(contents, place):
    """Writes the files of an image. What is in a folder that was lost is lost with it."""
    for name in sorted(contents):
        path = Path(place, name)
        if contents[name] is FOLDER:
            if path.parent.exists():
                path.mkdir()
        elif path.parent.is_dir():
            path.write_bytes(contents[name])
