"""A client of `stickerpit.v1` written from PROTOCOL.md and PROTOCOL-codec.md alone.

It shares no line with the server or the page: what it can't do is missing in the documents.
Sections (§) in the comments of this package are those of PROTOCOL-codec.md.
"""

from .errors import Malformed
from .stream import StreamClient

__all__ = ["Malformed", "StreamClient"]
