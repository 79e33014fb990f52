"""What a receiver says to bytes that it refuses."""


class Malformed(Exception):
    """The bytes don't hold what the protocol allows; the message says what is wrong."""


def require(holds, what):
    if not holds:
        raise Malformed(what)
