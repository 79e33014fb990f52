"""The rhythm of pictures, and how sharp they are."""

import pytest


@pytest.fixture
def evaluate(blank_page):
    def run(body):
        return blank_page.evaluate(f"async () => {{ {body} }}")

    return run


# A screen whose pictures follow each other after so many milliseconds, and a device that takes so
# many for a picture of full sharpness; the share of the pixels is the square of the sharpness.
# Tells the sharpness after each of so many animation frames.
SCREEN = """
const { Governor } = await import(pageFile("./draw/governor.js"));
const governor = new Governor();
const run = (period, cost, frames) => Array.from({ length: frames }, () => {
  const takes = cost * governor.share ** 2;
  governor.frame(period * Math.max(1, Math.ceil(takes / period)), period);
  return governor.share;
});
"""


def test_a_device_that_keeps_up_stays_sharp(evaluate):
    for period in (1000 / 30, 1000 / 60, 1000 / 90, 1000 / 120):
        shares = evaluate(f"{SCREEN} return run({period}, 5, 2000);")
        assert set(shares) == {1}, f"at a picture each {period:.1f} ms"


def test_pictures_that_take_too_long_are_drawn_less_sharp_and_no_less_than_needed(evaluate):
    # 40 ms at full sharpness: two steps less they fit into 16.7.
    shares = evaluate(f"{SCREEN} return run(1000 / 60, 40, 2000);")
    assert min(shares) == pytest.approx(0.64) or min(shares) == pytest.approx(0.512)
    assert shares[-1] < 0.8


def test_it_gets_sharp_again_when_the_work_is_done(evaluate):
    during, after = evaluate(
        f"{SCREEN} return [run(1000 / 60, 60, 1000).pop(), run(1000 / 60, 5, 20_000).pop()];"
    )
    assert during < 0.6
    assert after == 1


def test_what_is_not_the_pixels_fault_costs_sharpness_for_moments_only(evaluate):
    shares = evaluate(
        f"""{SCREEN}
        run(1000 / 60, 5, 100);
        // The screen goes down to 30 Hz, as phones that save their battery do.
        return Array.from({{ length: 2000 }}, (_, at) => {{
          // It is known to be slower after 72 frames.
          governor.frame(1000 / 30, at < 72 ? 1000 / 60 : 1000 / 30);
          return governor.share;
        }});"""
    )
    assert shares[-1] == 1
    assert sum(share < 1 for share in shares) < 120, "for less than four seconds of a minute"


def test_a_screen_that_is_slow_from_the_beginning_is_found_out_soon(evaluate):
    # Before a screen's rate is known, it is taken for 60 Hz.
    shares = evaluate(
        f"""{SCREEN}
        const {{ Display }} = await import(pageFile("./draw/display.js"));
        const display = new Display();
        return Array.from({{ length: 600 }}, (_, at) => {{
          display.frame(1000 + at * 1000 / 30);
          if (at > 0) governor.frame(display.elapsed, display.period);
          return governor.share;
        }});"""
    )
    # Three times 45 pictures tell that pixels are not what takes the time.
    assert set(shares[136:]) == {1}


def test_sharpness_that_is_not_kept_up_is_tried_less_and_less_often(evaluate):
    # A load between two steps: each time that it is tried it fails.
    shares = evaluate(f"{SCREEN} return run(1000 / 60, 25, 60_000);")
    tries = [at for at in range(1, len(shares)) if shares[at] > shares[at - 1]]
    assert 2 < len(tries) < 16
    waits = [after - before for before, after in zip(tries, tries[1:])]
    assert waits[-1] > 5 * waits[0]


# The rhythm in which pictures are drawn where animation frames come at those times.
RHYTHM = """
const { everyPicture } = await import(pageFile("./draw/display.js"));
const { Display } = await import(pageFile("./draw/display.js"));
const rhythm = times => {
  const asked = [];
  const original = window.requestAnimationFrame;
  window.requestAnimationFrame = callback => asked.push(callback);
  const drawn = [];
  everyPicture(new Display(), now => drawn.push(now), () => {});
  for (const now of times) asked.splice(0).forEach(callback => callback(now));
  window.requestAnimationFrame = original;
  return drawn;
};
const screen = (period, frames) => Array.from({ length: frames }, (_, at) => 1000 + at * period);
"""


@pytest.mark.parametrize(
    ("screen", "pictures"),
    [(30, 30), (60, 60), (75, 75), (90, 90), (120, 60), (144, 72), (240, 60)],
)
def test_pictures_come_in_an_even_rhythm(evaluate, screen, pictures):
    drawn = evaluate(f"{RHYTHM} return rhythm(screen(1000 / {screen}, 1200));")
    # Until it knows the screen's rate it may be another one.
    waits = [after - before for before, after in zip(drawn[60:], drawn[61:])]
    assert min(waits) == pytest.approx(1000 / pictures)
    assert max(waits) == pytest.approx(1000 / pictures)


def test_a_busy_page_is_not_taken_for_a_slow_screen(evaluate):
    # Of 120 Hz two frames in three are left out, now and then all for a while.
    drawn = evaluate(
        f"""{RHYTHM}
        const busy = screen(1000 / 120, 3000).filter((_, at) => at % 200 > 40 && at % 7 < 3);
        return rhythm(busy).length / busy.length;"""
    )
    assert drawn == pytest.approx(0.5, abs=0.05)


# Whether something stands on the canvas in the frame in which its size has changed, just before
# that is shown.
NEVER_BLANK = """async () => {
  const canvas = document.getElementById("pit");
  const gl = canvas.getContext("webgl2");
  const seen = [];
  // Called after the page's own observer, which is older.
  new ResizeObserver(() => {
    const pixel = new Uint8Array(4);
    const { drawingBufferWidth, drawingBufferHeight } = gl;
    const [x, y] = [drawingBufferWidth / 2, drawingBufferHeight / 2].map(Math.round);
    gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    seen.push([pixel[3], canvas.width]);
  }).observe(canvas);
  const picture = () => new Promise(requestAnimationFrame);
  await picture();
  seen.length = 0;
  for (const width of [300, 420, 360, 500]) {
    canvas.style.width = `${width}px`;
    await picture();
    await picture();
  }
  canvas.style.width = "";
  return seen;
}"""


def test_the_pit_is_never_blank_while_its_size_changes(pit):
    pit.settle()
    seen = pit.page.evaluate(NEVER_BLANK)
    assert [width for _, width in seen] == [300, 420, 360, 500]
    assert [alpha for alpha, _ in seen] == [255] * 4


def test_a_busy_page_does_not_make_a_poor_link(evaluate):
    calm, busy, slow, gone, isBusy = evaluate(
        """const { linkBars } = await import(pageFile("./ui/hud.js"));
        const { Display } = await import(pageFile("./draw/display.js"));
        const bars = (quality, roundTrip, busy) => linkBars({ quality, roundTrip }, busy);
        const display = new Display();
        const isBusy = [];
        for (const now of [1000, 1017, 1033, 1130, 1147]) {
          display.frame(now);
          isBusy.push(display.isBusy(now));
        }
        isBusy.push(display.isBusy(4200));
        return [
          bars(1, 0.8, false), bars(1, 0.8, true), bars(1, 400, true), bars(0, 0.8, true), isBusy,
        ];"""
    )
    assert (calm, busy, slow, gone) == (1, 2, 1, 0)
    assert isBusy == [False, False, False, True, True, False]
