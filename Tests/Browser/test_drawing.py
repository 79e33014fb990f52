"""What the page draws besides the stickers, and what that costs the collector."""

import pytest


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function that imports the page's modules."""
    return lambda body: blank_page.evaluate(f"async () => {{ {body} }}")


def test_marks_stay_in_memory_that_is_kept(evaluate):
    lengths, buffers, last = evaluate(
        """const { MarkList } = await import("./draw/marklist.js");
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
        """const { Remembered } = await import("./draw/remembered.js");
        const remembered = new Remembered();
        return [[], [1], [1], [1, 2], [1], [3], [], []]
          .map(numbers => remembered.replacedBy(new Float32Array(numbers)));"""
    )
    assert told == [False, True, False, True, True, True, True, False]


# Counts arrays of floats, which all that is drawn is, that get memory of their own; a view of
# another one's gets none.
NOTE_ARRAYS = """
window.arrays = 0;
const Plain = Float32Array;
window.Float32Array = class Float32Array extends Plain {
  constructor(...values) {
    super(...values);
    if (!(values[0] instanceof ArrayBuffer)) window.arrays += 1;
  }
};
"""


def test_pictures_need_no_new_arrays(server, new_page):
    page = new_page(480, 640)
    page.page.add_init_script(NOTE_ARRAYS)
    page.join(server.url)
    page.page.keyboard.down("ArrowRight")
    # While the last of them rain in, or the window gets its size, some memory still grows.
    counts = [page.get("window.arrays")]
    while len(counts) < 2 or counts[-1] > counts[-2] and len(counts) < 10:
        tick = page.get("pit.tick")
        page.wait("(pit, tick) => pit.tick > tick + 60", tick)
        counts.append(page.get("window.arrays"))
    page.page.keyboard.up("ArrowRight")
    assert counts[0] > 0 and counts[-1] == counts[-2], counts


# Bytes a second that objects may take, whatever they are for: 60 pictures and as many messages at
# 5 kB, where 3 were counted. Memory of arrays is not among it.
MOST_BYTES = 300_000


def allocated(session, seconds, page):
    """Bytes that were allocated in that time, whether or not they were collected in it."""
    kept = {"includeObjectsCollectedByMajorGC": True, "includeObjectsCollectedByMinorGC": True}
    session.send("HeapProfiler.startSampling", {"samplingInterval": 256, **kept})
    page.wait_for_timeout(1000 * seconds)
    head = session.send("HeapProfiler.stopSampling")["profile"]["head"]

    def total(node):
        return node["selfSize"] + sum(map(total, node["children"]))

    return total(head)


def test_pictures_leave_little_behind(pit):
    """With the stickers in motion, so that each picture is another one."""
    session = pit.page.context.new_cdp_session(pit.page)
    session.send("HeapProfiler.enable")
    pit.page.keyboard.down("ArrowRight")
    # In the first seconds the browser translates what it runs.
    pit.page.wait_for_timeout(2000)
    costs = [allocated(session, 2, pit.page) / 2 for _ in range(3)]
    pit.page.keyboard.up("ArrowRight")
    assert 0 < sorted(costs)[1] < MOST_BYTES, costs
