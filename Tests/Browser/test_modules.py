"""The page's small modules on their own, imported by a real page."""

import pytest


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function after importing names from one of the page's modules."""

    def run(module, names, body):
        return blank_page.evaluate(
            f"async () => {{ const {{ {names} }} = await import(pageFile('./{module}.js')); {body} }}"
        )

    return run


def test_backoff_spreads_the_first_attempt_and_doubles_the_others(evaluate):
    waits = evaluate(
        "connection/waiting",
        "Backoff",
        """const backoff = new Backoff(3000, 100, 1000);
        const firsts = Array.from({ length: 1000 }, () => {
          backoff.reset();
          return backoff.next();
        });
        return [firsts, Array.from({ length: 8 }, () => backoff.next())];""",
    )
    firsts, waits = waits
    assert min(firsts) < 300 and max(firsts) > 2700 and max(firsts) <= 3000
    # As evenly as chance is: of 1000 phones none of ten parts of the time gets twice its share.
    assert all(sum(part <= wait / 300 < part + 1 for wait in firsts) < 200 for part in range(10))
    full = [100, 200, 400, 800, 1000, 1000, 1000, 1000]
    assert all(limit / 2 <= wait <= limit for wait, limit in zip(waits, full, strict=True))
    assert len({wait / limit for wait, limit in zip(waits, full, strict=True)}) > 1


def test_budget_allows_the_burst_and_then_the_rate(evaluate):
    allowed = evaluate(
        "core/budget",
        "Budget",
        """const budget = new Budget(8, 5);
        const spent = times => times.filter(time => budget.spend(time)).length;
        return [
          spent(Array.from({ length: 20 }, () => 1000)),
          spent(Array.from({ length: 32 }, (_, step) => 1000 + (step + 1) * 31.25)),
        ];""",
    )
    assert allowed == [5, 8]


def test_letterbox_keeps_shape_and_returns(evaluate):
    portrait, landscape, back = evaluate(
        "draw/letterbox",
        "Letterbox",
        """const box = new Letterbox();
        const corners = () => [[0, 0], [720, 960]]
          .flatMap(corner => Object.values(box.toCanvas(...corner)));
        box.fit(380, 1000, 10);
        const portrait = corners();
        box.fit(2000, 500, 10);
        const landscape = corners();
        return [portrait, landscape, box.toWorld(...Object.values(box.toCanvas(123, 456)))];""",
    )
    assert portrait == pytest.approx([10, 260, 370, 740])
    assert landscape == pytest.approx([820, 10, 1180, 490])
    assert (back["x"], back["y"]) == pytest.approx((123, 456))


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([(0, 0, 0), (30, 0, 16), (60, 0, 32), (90, 0, 48)], (1875, 0)),  # a flick to the right
        ([(0, 0, 0), (2, 3, 20), (4, 4, 60)], None),  # a tap of a finger that rolls
        ([(0, 0, 0), (50, 0, 500), (100, 0, 1000)], None),  # a slow drag
        # Fast at first and then held still before it is let go: no flick.
        ([(0, 0, 0), (100, 0, 30), (100, 0, 200), (100, 0, 300), (100, 0, 380)], None),
    ],
)
def test_what_a_flick_is(evaluate, steps, expected):
    velocity = evaluate(
        "input/flick",
        "FlickTracker",
        f"""const [first, ...rest] = {[list(step) for step in steps]};
        const tracker = new FlickTracker(...first);
        rest.forEach(step => tracker.add(...step));
        return tracker.velocity({steps[-1][2]});""",
    )
    assert (velocity and (velocity["x"], velocity["y"])) == expected


STICKERS = """const sticker = (x, y, kind, angle = 0) =>
  [x, y, Math.cos(angle), Math.sin(angle), 40, 40, kind, 1, 0, -1];
"""


@pytest.mark.parametrize(
    ("point", "index"),
    [
        ((100, 100), 0),
        ((100 + 19, 100), 0),
        ((100 + 15, 100 + 15), -1),  # a corner that a circle does not have
        ((200 + 19, 200 + 19), -1),  # a corner that this square has turned away
        ((200 + 27, 200), 2),  # and where it is now
        ((300, 300), 3),  # the upper one of two
        ((500, 500), -1),
    ],
)
def test_which_sticker_is_under_a_point(evaluate, point, index):
    found = evaluate(
        "draw/under",
        "stickerAt",
        STICKERS
        # Whoever loads the module knows what is round.
        + f"""const {{ PageModule }} = await import(pageFile("./core/module.js"));
        await PageModule.load(pageFile("./pit.wasm"));
        const stickers = [sticker(100, 100, 0), sticker(300, 300, 1),
          sticker(200, 200, 1, Math.PI / 4), sticker(310, 300, 2)];
        return stickerAt(new Float32Array(stickers.flat()), {{ x: {point[0]}, y: {point[1]} }});""",
    )
    assert found == index


def test_a_touched_sticker_is_followed_and_foreseen(evaluate):
    place = evaluate(
        "play/movingsticker",
        "MovingSticker",
        STICKERS
        + """const world = (x, other) =>
          new Float32Array([sticker(other, 50, 4), sticker(x, 50, 2)].flat());
        const moving = new MovingSticker(world(100, 60), 1, 0);
        moving.advance(world(106, 100), 20);  // another kind now lies where it was
        moving.advance(world(112, 106), 40);
        return moving.predict(100);""",
    )
    assert (place["x"], place["y"]) == pytest.approx((112 + 300 * 0.1, 50))


TILTING = """const sent = [];
let held = null;
const none = () => null;
const sources = { ball: () => held, keys: none, sensor: none };
const tilt = new Tilt(sources, (x, y) => sent.push([x, y]));
const run = (from, to, move) => {
  for (let now = from; now < to; now += 4) {
    move(now);
    tilt.advance(now);
  }
  return sent.splice(0);
};
"""


def test_tilt_is_sent_at_most_thirty_times_a_second(evaluate):
    samples = evaluate(
        "input/tilt",
        "Tilt",
        TILTING
        + "return run(0, 3000, now => (held = { x: Math.cos(now / 50), y: Math.sin(now / 50) }));",
    )
    assert 75 <= len(samples) <= 91


def test_an_unchanged_tilt_is_repeated_three_times_a_second_and_none_is_not(evaluate):
    idle, held, released, after = evaluate(
        "input/tilt",
        "Tilt",
        TILTING
        + """return [
          run(0, 4000, () => {}),
          run(4000, 8000, () => (held = { x: 1, y: 0 })),
          run(8000, 10000, () => (held = null)),
          run(10000, 14000, () => {}),
        ];""",
    )
    assert idle == []
    # Every 300 ms: at 0, 300, … 3900.
    assert held == [[1, 0]] * 14
    assert released[-1] == pytest.approx([0, 1], abs=0.005), "the ball rolls back and says so"
    assert after == []


def test_what_was_sampled_stays_when_the_modules_memory_grows(evaluate):
    lengths = evaluate(
        "core/module",
        "PageModule",
        """const { INSTANCE_FLOATS } = await import(pageFile("./core/wire.js"));
        const memory = new WebAssembly.Memory({ initial: 1 });
        const exports = { memory, page_sample: () => 2, page_instances: () => 64 };
        const module = new PageModule(exports);
        const sampled = module.sample(0);
        memory.grow(1);
        return [sampled.length, module.sample(1).length, 2 * INSTANCE_FLOATS];""",
    )
    assert lengths == [lengths[2]] * 3


@pytest.mark.parametrize(
    ("taps", "expected"),
    [
        ([(100, 100, -1)], [["single", -1]]),
        # After a while, with the sticker that was there then; touched it is at once.
        ([(100, 100, 7)], [["touched", 7], ["single", 7]]),
        ([(100, 100, 7), (110, 100, -1)], [["touched", 7], ["double", 7]]),
        ([(100, 100, 7), (300, 100, -1)], [["touched", 7], ["single", -1], ["single", 7]]),
    ],
)
def test_taps_tell_what_they_were_on(evaluate, taps, expected):
    done = evaluate(
        "input/taps",
        "Taps",
        f"""const done = [];
        const taps = new Taps({{
          touched: (point, slot) => done.push(["touched", slot]),
          single: (point, slot) => done.push(["single", slot]),
          double: (slot) => done.push(["double", slot]),
        }});
        for (const [x, y, slot] of {[list(tap) for tap in taps]}) taps.tap({{ x, y }}, slot);
        const ends = performance.now() + 30_000;
        while (done.length < {len(expected)} && performance.now() < ends) {{
          await new Promise(done => setTimeout(done, 20));
        }}
        return done;""",
    )
    assert done == expected


def test_a_hand_of_which_nothing_is_heard_is_opened(evaluate):
    told, slots = evaluate(
        "play/hands",
        "Hands",
        """const told = [];
        const module = {
          worldWidth: 720, worldHeight: 960, clientId: 7,
          grab: () => ["grab"], release: (...values) => ["release", ...values],
        };
        const hands = new Hands(module, { send: message => told.push(message) }, () => true);
        const start = performance.now();
        hands.grab(5, { x: 360, y: 300 });
        const nobodys = new Float32Array([360, 300, 1, 0, 40, 40, 2, 1, 5, -1]);
        hands.advance(nobodys, start + 1000, 200);
        const before = hands.slots;
        hands.advance(nobodys, performance.now() + 6000, 200);
        return [told, [before, hands.slots]];""",
    )
    # Its grab may only be late, and what the server then holds for it would be held for ever.
    assert told == [["grab"], ["release", 5, 0, 0]]
    assert slots == [[5], []]


HOLDING = """const module = {
  worldWidth: 720, worldHeight: 960, clientId: 7,
  grab: () => new Uint8Array(1), move: () => new Uint8Array(1),
};
const hands = new Hands(module, { send: () => {} }, () => true);
// The stream still shows the sticker where it was: the world is 200 ms behind.
const seen = now => {
  const instances = new Float32Array([360, 300, 1, 0, 40, 40, 2, 1, 5, 7]);
  hands.advance(instances, now, 200);
  return instances[0];
};
hands.grab(5, { x: 360, y: 300 });
const start = performance.now();
const frames = Array.from({ length: 30 }, (_, frame) => start + 8 * (frame + 1));
seen(start);
"""


def test_what_is_held_follows_a_jumping_finger_as_fast_as_the_servers_hand(evaluate):
    steady, jumped = evaluate(
        "play/hands",
        "Hands",
        HOLDING
        + """hands.move(5, { x: 380, y: 300 });
        const steady = seen(start + 8);
        hands.move(5, { x: 660, y: 300 });
        return [steady, frames.slice(1).map(seen)];""",
    )
    assert steady == 380, "under a finger on its way there is no lag"
    steps = [after - before for before, after in zip([steady, *jumped], jumped)]
    # 3600 pt/s are 28.8 pt in 8 ms.
    assert max(steps) <= 28.9
    assert max(jumped) == pytest.approx(660)


@pytest.mark.parametrize(
    ("walls", "farthest"),
    [
        ("true", 700),  # half a sticker from the wall
        ("false", 720),  # where there is none, the finger itself is at the edge
    ],
)
def test_no_wall_lets_through_what_is_held(evaluate, walls, farthest):
    places = evaluate(
        "play/hands",
        "Hands",
        HOLDING
        + f"""hands.hasWalls = {walls};
        hands.move(5, {{ x: 30000, y: 300 }});
        return frames.map(seen);""",
    )
    assert max(places) == pytest.approx(farthest)
