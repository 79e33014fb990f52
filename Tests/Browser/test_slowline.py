"""A long way to the server: what a person does is in the next picture all the same."""

import pytest
from replica import SlowLine

DROP, AIMED = 0x03, 0x0C

# What the page receives and sends, by the types of the messages, and when that was.
NOTE_MESSAGES = """
Object.assign(window, { received: [], sent: [] });
window.WebSocket = class extends WebSocket {
  constructor(...values) {
    super(...values);
    this.addEventListener("message", ({ data }) => {
      window.received.push({ type: new Uint8Array(data)[0], at: performance.now() });
    });
  }

  send(message) {
    window.sent.push(message[0]);
    super.send(message);
  }
};
"""

# Taps, and waits until the sticker is seen and the server has answered.
TAP_AND_SEE = """async ([x, y]) => {
  const pit = window.stickerPit;
  // The next picture, with all that the page does for it.
  const picture = () => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
  const answer = () => window.received.find(({ type }) => type === 0x89);
  await picture();
  const before = pit.count;
  window.received.length = window.sent.length = 0;
  const tapped = performance.now();
  for (const [type, buttons] of [["pointerdown", 1], ["pointerup", 0]]) {
    document.getElementById("pit").dispatchEvent(new PointerEvent(type, {
      pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, button: 0, buttons,
      clientX: x, clientY: y,
    }));
  }
  const { sent: [message] } = window;
  let [pictures, seen] = [0, 0];
  while (!seen || !answer()) {
    await picture();
    if (seen) continue;
    pictures += 1;
    if (pit.count > before) seen = performance.now();
  }
  return { message, pictures, seen: seen - tapped, answered: answer().at - tapped };
}"""


@pytest.fixture
def slow_line(server):
    """Opens lines to the server that take so many seconds each way."""
    lines = []

    def open_line(delay):
        lines.append(SlowLine(server.port, delay))
        return lines[-1]

    yield open_line
    for line in lines:
        line.stop()


def slow_page(new_page, line, stream):
    page = new_page(300, 400)
    page.page.add_init_script(NOTE_MESSAGES)
    return page.join(f"{line.url}?stream={stream}")


def tap_and_see(page):
    return page.page.evaluate(TAP_AND_SEE, list(page.free_place(360, 60)))


# Whether the page has found out how long the line is. Longer than may be predicted, it costs a wait
# of less than the way to the server; after the machine stood still that takes a while.
KNOWS_THE_LINE = """(pit, way) => {
  const { lead, inputDelay } = pit.following;
  return lead * 1000 / 60 > way && inputDelay * 1000 / 60 <= (way > 50 ? 1.2 * way : 0);
}"""


# On a busy machine a page predicts fewer ticks than a short line needs, and delays inputs.
@pytest.mark.parametrize("delay", [pytest.param(0.03, marks=pytest.mark.serial), 0.1])
def test_an_own_drop_is_seen_before_the_server_knows_of_it(slow_line, new_page, delay):
    page = slow_page(new_page, slow_line(delay), "replica")
    # A page that stood still in between sees the next one in time.
    for _ in range(8):
        page.wait(KNOWS_THE_LINE, 1000 * delay)
        found = tap_and_see(page)
        assert found["message"] == AIMED, "it is meant for the tick in which it is seen"
        assert found["answered"] >= 2000 * delay, "the line is slow"
        is_next = delay > 0.05 or found["pictures"] == 1
        if is_next and found["seen"] < min(found["answered"], 2000 * delay):
            break
    else:
        raise AssertionError(f"it came with the answer: {found}")
    assert page.complaints == []


def test_told_states_it_is_seen_after_the_answer(slow_line, new_page):
    # Guards the test above: it must not pass for another reason.
    found = tap_and_see(slow_page(new_page, slow_line(0.1), "state"))
    assert found["message"] == DROP
    assert found["seen"] >= found["answered"] >= 200
