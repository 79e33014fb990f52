"""The WebSocket frames that a server sends, without a library between them and who reads them."""

import struct


def split_frame(data):
    """The first frame of what came and the bytes behind it: (opcode, payload, rest); None if it is
    not whole yet."""
    if len(data) < 2:
        return None
    assert not data[1] & 0x80, "a server masks nothing"
    count, start = data[1] & 0x7F, 2
    if count >= 126:
        width, form = (2, ">H") if count == 126 else (8, ">Q")
        if len(data) < 2 + width:
            return None
        count, start = struct.unpack_from(form, data, 2)[0], 2 + width
    if len(data) < start + count:
        return None
    return data[0] & 0xF, data[start : start + count], data[start + count :]
