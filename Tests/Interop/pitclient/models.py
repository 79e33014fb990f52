"""The adaptive bits of §8: where each stands, and the trained chances to begin with.

Layout is code; the trained numbers are read out of PROTOCOL-codec.md itself, so that the printed
table is what is proven here.
"""

import pathlib

DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "PROTOCOL-codec.md"

NUMBER = 26  # bits of the model of a number

_LAYOUT = [
    ("MOVED", 3200),
    ("RESIDUAL_X", 8 * 40),
    ("RESIDUAL_Y", 8 * 140),
    ("RESIDUAL_ANGLE", 8 * 140),
    ("SIGN", 96),
    ("MANTISSA", 72),
    ("TAIL", 72),
    ("GRAVITY", NUMBER),
    ("REMOVED_COUNT", NUMBER),
    ("REMOVED_SLOT", NUMBER),
    ("ADDED_COUNT", NUMBER),
    ("ADDED_SLOT", NUMBER),
    ("GENERATION", NUMBER),
    ("VELOCITY", NUMBER * 16),
    ("GRAVITY_STAYS", 1),
    ("BODIES_STAY", 1),
    ("BEYOND_WORLD", 1),
    ("OTHER_SIZE", 1),
    ("SCENERY_STAYS", 1),
    ("BOUNDARIES_STAY", 1),
    ("HOLDERS_STAY", 1),
    ("RODS_STAY", 1),
    ("KIND", 32),
    ("SIZE", 256),
    ("CROWDED", 1),
    ("BLOCK", 64),
]


def _starts():
    starts, at = {}, 0
    for name, count in _LAYOUT:
        starts[name] = at
        at += count
    return starts, at


START, COUNT = _starts()


def _indented(lines):
    """The first indented block among the lines, without its indentation."""
    block = []
    for line in lines:
        if line.startswith("    "):
            block.append(line[4:])
        elif block:
            break
    return block


def _trained():
    """The chance of each adaptive bit, as the document prints it."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    section = lines[lines.index("## 8. Models and the trained table") :]
    chances = [int(word) for line in _indented(section) for word in line.split()]
    table = section[section.index("The table, read row by row:") + 1 :]
    trained = [chances[ord(code) - 35] for code in "".join(_indented(table))]
    assert len(trained) == COUNT, f"the table has {len(trained)} characters for {COUNT} bits"
    return trained


TRAINED = _trained()


class Models:
    """Two chances to be 1, in 1/65 536, for each adaptive bit."""

    def __init__(self):
        self.quick, self.slow = TRAINED.copy(), TRAINED.copy()

    def restart(self):
        """In place: a range decoder that is in the middle of its bytes goes on with these."""
        self.quick[:] = TRAINED
        self.slow[:] = TRAINED
