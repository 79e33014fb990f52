"""The shapes of the stickers in sets/ are those that scripts/outline makes of their pictures."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys

import pytest
from pitserver import PATIENCE, ROOT

TOOL = ROOT / "scripts/outline"
SETS = sorted(folder.name for folder in (ROOT / "sets").iterdir())
# By which share of the hull two shapes of one picture may differ: less than anybody sees.
MOST = 0.01


@pytest.fixture(scope="module")
def outline():
    """The tool as a module: a script, whose name has no ending."""
    loader = importlib.machinery.SourceFileLoader("outline", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("outline", loader))
    # Nothing is left beside the script.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = writes
    return module


def test_there_are_three_sets_of_eight():
    assert SETS == ["animals", "fruit", "space"]
    for name in SETS:
        assert len(json.loads((ROOT / "sets" / name / "stickers.json").read_text())["stickers"]) == 8


@pytest.mark.parametrize("name", SETS)
def test_a_sets_shapes_are_those_of_its_pictures(outline, name):
    folder = ROOT / "sets" / name
    stickers = json.loads((folder / "stickers.json").read_text())["stickers"]
    command = [sys.executable, TOOL, *(folder / one["picture"] for one in stickers)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert [one["picture"] for one in found] == [one["picture"] for one in stickers]
    wrong = {}
    for sticker, computed in zip(stickers, found, strict=True):
        hull = outline.hull_of(outline.opaque(folder / sticker["picture"]))
        ours, theirs = outline.polygon_of(sticker["shape"]), outline.polygon_of(computed["shape"])
        share = ours.symmetric_difference(theirs).area / hull.area
        if share > MOST:
            wrong[sticker["name"]] = share
    assert wrong == {}


def test_the_tool_says_by_how_much_a_shape_is_off(outline, tmp_path):
    # A square without its quarter at the right above: an eighth of its hull is missing in the picture.
    file = tmp_path / "corner.svg"
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="64" height="64">'
        '<path d="M10 10h40v40h40v40h-80z" fill="#f0f"/></svg>'
    )
    run = subprocess.run(
        [sys.executable, TOOL, file], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    shape = json.loads(run.stdout)["shape"]
    # The hull is seven eighths of the square and the picture six, so the hull is off by a sixth of it.
    assert outline.polygon_of(shape).area == pytest.approx(7 / 8 * 80 * 80, rel=0.01)
    off_hull, off_picture = (float(word[:-1]) for word in run.stderr.split() if word.endswith("%"))
    assert off_hull < 1 and off_picture == pytest.approx(100 / 6, abs=1)
