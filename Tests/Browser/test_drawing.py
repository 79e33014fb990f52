"""What the page draws besides the stickers, and what that costs the collector."""

import pytest


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function that imports the page's modules."""
    return lambda body: blank_page.evaluate(f"async () => {{ {body} }}")


def test_marks_stay_in_memory_that_is_kept(evaluate):
    lengths, buffers, last = evaluate(
        """const { MarkList } = await import("./marklist.js");
        const marks = new MarkList();
        const lengths = [], buffers = new Set();
        for (const count of [3, 3, 0, 100, 2]) {
          marks.clear();
          for (let at = 0; at < count; at += 1) marks.add(at, 2, 3, 4, 5, 6, 7, 1, [8, 9, 10], 0.5);
          lengths.push(marks.floats.length);
          buffers.add(marks.floats.buffer);
        }
        return [lengths, buffers.size, [...marks.floats]];"""
    )
    assert lengths == [36, 36, 0, 1200, 24]
    # It grew once, for a hundred.
    assert buffers == 2
    assert last == [0, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 0.5, 1, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 0.5]


def test_other_numbers_are_told_from_the_same(evaluate):
    told = evaluate(
        """const { Remembered } = await import("./remembered.js");
        const remembered = new Remembered();
        return [[], [1], [1], [1, 2], [1], [3], [], []]
          .map(numbers => remembered.replacedBy(new Float32Array(numbers)));"""
    )
    assert told == [False, True, False, True, True, True, True, False]


# Bytes of the heap that the pictures of two seconds may leave behind, for each of them: closures,
# points and the messages that come in. A copy of the forty stickers alone would be 1600.
MOST_BYTES = 3000


def test_pictures_leave_little_behind(pit):
    """With the stickers in motion, so that each picture is another one."""
    session = pit.page.context.new_cdp_session(pit.page)
    pit.page.evaluate(
        """() => {
          window.pictures = 0;
          const count = () => { window.pictures += 1; requestAnimationFrame(count); };
          count();
        }"""
    )
    pit.page.keyboard.down("ArrowRight")
    costs = []
    for _ in range(5):
        session.send("HeapProfiler.collectGarbage")
        first = session.send("Runtime.getHeapUsage")["usedSize"], pit.page.evaluate("window.pictures")
        pit.page.wait_for_timeout(2000)
        last = session.send("Runtime.getHeapUsage")["usedSize"], pit.page.evaluate("window.pictures")
        costs.append((last[0] - first[0]) / max(1, last[1] - first[1]))
    pit.page.keyboard.up("ArrowRight")
    # Where the collector ran meanwhile, less is left; where the page was new, its code is among it.
    assert sorted(costs)[2] < MOST_BYTES, costs
