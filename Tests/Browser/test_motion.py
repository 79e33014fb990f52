"""The motion sensor: from one person's phone to another's screen."""

import pytest

MEAN = "pit.positions().reduce((sum, at) => sum + at.{axis}, 0) / pit.count / pit.world.{size}"
MEAN_X = MEAN.format(axis="x", size="width")
MEAN_Y = MEAN.format(axis="y", size="height")


def test_one_phone_moves_the_stickers_on_another_screen(server, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    screen = new_page(1280, 800).join(server.url)
    screen.wait(f"pit => {MEAN_Y} > 0.6")

    phone.tilt_phone(beta=0, gamma=80)
    screen.wait(f"pit => {MEAN_X} > 0.75")
    phone.tilt_phone(beta=0, gamma=-80)
    screen.wait(f"pit => {MEAN_X} < 0.25")
    phone.tilt_phone(beta=-80, gamma=0)
    screen.wait(f"pit => {MEAN_Y} < 0.35")
    assert phone.complaints == [] and screen.complaints == []


def test_opposite_tilts_cancel(server, new_page):
    # Small ones, as software draws them.
    left, right = (new_page(390, 600).join(server.url) for _ in range(2))
    left.tilt_phone(beta=0, gamma=-89)
    right.tilt_phone(beta=0, gamma=89)
    # What they lean against each other on does not hover.
    for page in (left, right):
        page.wait("pit => Math.abs(pit.gravity.x) < 0.05 && Math.abs(pit.gravity.y - 0.25) < 0.05")


def test_the_button_for_the_sensor_goes_when_readings_come(server, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    phone.tilt_phone(beta=45, gamma=0)
    phone.page.locator("#motion").wait_for(state="hidden")


@pytest.mark.parametrize(
    ("attitude", "expected"),
    [
        ((0, 0, 0), (0, 0)),  # flat on the table: floats
        ((90, 0, 0), (0, 1)),  # upright
        ((-90, 0, 0), (0, -1)),  # upside down
        ((0, 90, 0), (1, 0)),  # on its right edge
        ((0, -90, 0), (-1, 0)),  # on its left edge
        ((0, -90, 90), (0, 1)),  # turned left and held upright, picture turned with it
        ((0, 90, 270), (0, 1)),  # turned right, likewise
        ((-90, 0, 180), (0, 1)),  # upside down, picture turned with it
    ],
)
def test_gravity_in_the_axes_of_the_screen(blank_page, attitude, expected):
    gravity = blank_page.evaluate(
        """async attitude => {
          const { gravityFromAttitude } = await import(pageFile("./input/readings.js"));
          return gravityFromAttitude(...attitude);
        }""",
        list(attitude),
    )
    assert (gravity["x"], gravity["y"]) == pytest.approx(expected, abs=1e-9)


def test_a_phone_that_lies_on_a_table_tilts_nothing(server, new_page):
    phone = new_page(390, 844, has_touch=True, is_mobile=True).join(server.url)
    sent = phone.sent()
    phone.tilt_phone(beta=1, gamma=-1)
    phone.page.locator("#motion").wait_for(state="hidden")  # the reading has come
    phone.wait("(pit, tick) => pit.tick > tick + 60", phone.get("pit.tick"))
    assert 0x02 not in sent and phone.get("pit.gravity") == {"x": 0, "y": 1}
    assert "tilt" not in (phone.page.evaluate("localStorage['stickerpit.learned']") or "")
    # As soon as it is lifted it has a say, and its person has learnt it.
    phone.tilt_phone(beta=0, gamma=60)
    phone.wait("pit => pit.gravity.x > 0.7")
    assert "tilt" in phone.page.evaluate("localStorage['stickerpit.learned']")


def test_a_phone_that_is_held_flat_floats_and_one_that_was_put_down_rests(blank_page):
    held, down, lifted = blank_page.evaluate(
        """async () => {
          const { Lying } = await import(pageFile("./input/level.js"));
          const lying = new Lying();
          let now = 1000;
          // A hand trembles by half a degree.
          const last = (seconds, gravity, tremble) => {
            let tilt = null;
            for (const end = now + seconds * 1000; now < end; now += 33) {
              const x = gravity.x + tremble * Math.sin(now / 50);
              tilt = lying.tilt({ x, y: gravity.y }, now);
            }
            return tilt;
          };
          last(1, { x: 0, y: 0.8 }, 0.009);
          return [
            last(5, { x: 0, y: 0.02 }, 0.009),
            last(5, { x: 0.01, y: 0.02 }, 0.0005),
            last(0.1, { x: 0, y: 0.7 }, 0.009),
          ];
        }"""
    )
    assert held is not None and abs(held["y"]) < 0.1
    assert down is None
    assert lifted["y"] == pytest.approx(0.7)
