"""Many messages in one piece: none of them is late, and no close comes between two of them."""


def masked(message):
    """A WebSocket frame of at most 125 bytes, masked with zeros."""
    assert len(message) < 126
    return bytes([0x82, 0x80 | len(message), 0, 0, 0, 0]) + message


def flood(connection, messages):
    """Hands them all to the kernel at once, past the library, which would send one by one and
    fail as soon as the server has closed."""
    connection.socket.sendall(b"".join(map(masked, messages)))
