"""What the shim wrote down: every operation on the files of a folder, in order."""

import struct
from collections import namedtuple

# As `struct entry` in shim.c; the path and the data follow.
HEAD = struct.Struct("<QqQIIHB")
START, OPEN, CLOSE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, MKDIR = range(9)
# As DISK_FAULTS_FAIL names them.
KINDS = {
    "open": OPEN, "write": WRITE, "truncate": TRUNCATE, "sync": SYNC, "unlink": UNLINK,
    "rename": RENAME, "mkdir": MKDIR,
}  # fmt: skip

Operation = namedtuple("Operation", "kind nanoseconds result argument handle path data")


def read(path):
    """All operations. A last one that is there in part only is left out: its process was killed."""
    content = memoryview(open(path, "rb").read())
    operations, place = [], 0
    while place + HEAD.size <= len(content):
        nanoseconds, result, argument, handle, data_length, path_length, kind = HEAD.unpack_from(
            content, place
        )
        data_at = place + HEAD.size + path_length
        place = data_at + data_length
        if place > len(content):
            break
        operations.append(
            Operation(
                kind, nanoseconds, result, argument, handle,
                bytes(content[data_at - path_length : data_at]).decode(), content[data_at:place],
            )  # fmt: skip
        )
    return operations
