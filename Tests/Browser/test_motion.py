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
    for page in (left, right):
        page.wait("pit => Math.hypot(pit.gravity.x, pit.gravity.y) < 0.1")


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
          const { gravityFromAttitude } = await import("./sensor.js");
          return gravityFromAttitude(...attitude);
        }""",
        list(attitude),
    )
    assert (gravity["x"], gravity["y"]) == pytest.approx(expected, abs=1e-9)
