"""Which sensor a phone is asked, how it is set right, and what is said where there is none."""

import pytest

# A phone that has the sensor of the Generic Sensor API: `feel` is what holds it at rest, in m/s².
GRAVITY_SENSOR = """
window.GravitySensor = class extends EventTarget {
  x = null; y = null; z = null;
  start() {
    window.feel = (x, y, z) => {
      Object.assign(this, { x, y, z });
      this.dispatchEvent(new Event("reading"));
    };
  }
};
"""
# And one that has only the oldest.
ACCELERATION = """
delete window.GravitySensor;
window.feel = (x, y, z) => dispatchEvent(new DeviceMotionEvent("devicemotion",
  { accelerationIncludingGravity: { x, y, z } }));
"""
# A reading again and again, with the tremble of a hand, until it is given another; a busy machine takes its time.
FEEL_ON = """([x, y, z]) => {
  clearInterval(window.feeling);
  window.feeling = setInterval(() => {
    const tremble = 0.12 * Math.sin(performance.now() / 40);
    window.feel(x + tremble, y, z);
  }, 16);
}"""
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.fixture
def phone(server, new_page):
    """A phone with scripts that run before the page's."""

    def open_phone(*scripts, joins=True):
        page = new_page(**PHONE)
        for script in scripts:
            page.page.add_init_script(script)
        return page.join(server.url) if joins else page

    return open_phone


def feel_on(page, x, y, z):
    page.page.evaluate(FEEL_ON, [x, y, z])


def near(page, x, y):
    page.wait(
        "(pit, [x, y]) => Math.hypot(pit.tilt.x - x, pit.tilt.y - y) < 0.06", [x, y]
    )


def test_the_gravity_sensor_comes_before_the_attitude(phone):
    page = phone(GRAVITY_SENSOR)
    page.page.wait_for_function("() => window.feel")
    page.tilt_phone(beta=0, gamma=-60)
    near(page, -0.866, 0)
    page.page.evaluate("window.feel(-9.81, 0, 0)")  # on its right edge
    near(page, 1, 0)
    page.tilt_phone(beta=0, gamma=-50)
    page.wait("(pit, tick) => pit.tick > tick + 20", page.get("pit.tick"))
    near(page, 1, 0)


def test_the_attitude_comes_before_the_acceleration(phone):
    page = phone(ACCELERATION)
    page.wait("() => document.documentElement.dataset.sensor !== undefined")
    feel_on(page, -9.81, 0, 0)
    near(page, 1, 0)
    feel_on(page, 0, 9.81, 0)
    near(page, 0, 1)
    page.tilt_phone(beta=0, gamma=-60)
    near(page, -0.866, 0)
    page.wait("(pit, tick) => pit.tick > tick + 30", page.get("pit.tick"))
    near(page, -0.866, 0)


def turn(page):
    """As if the phone's picture had turned, because it is held on its left edge."""
    turned = {
        "width": 844, "height": 390, "deviceScaleFactor": 1, "mobile": True,
        "screenOrientation": {"type": "landscapePrimary", "angle": 90},
    }  # fmt: skip
    page.devtools.send("Emulation.setDeviceMetricsOverride", turned)
    page.wait("() => screen.orientation.angle === 90 && innerWidth > innerHeight")


def test_the_attitude_of_a_turned_phone_is_told_as_its_picture_lies(phone):
    page = phone("delete window.GravitySensor")
    page.tilt_phone(beta=0, gamma=-60)
    near(page, -0.866, 0)
    turn(page)
    # Its left edge, which was at the left, is below now.
    page.tilt_phone(beta=0, gamma=-61)
    near(page, 0, 0.875)
    page.tilt_phone(beta=60, gamma=0)
    near(page, 0.866, 0)


def test_the_acceleration_of_a_turned_phone_is_told_as_its_picture_lies(phone):
    page = phone(ACCELERATION)
    page.wait("() => document.documentElement.dataset.sensor !== undefined")
    feel_on(page, 9.81, 0, 0)
    near(page, -1, 0)
    turn(page)
    feel_on(page, 9.81, 0, 0)
    near(page, 0, 1)
    feel_on(page, 0, 9.81, 0)
    near(page, 1, 0)


def test_holding_it_flat_for_a_second_sets_the_zero(phone):
    page = phone("delete window.GravitySensor")
    page.tilt_phone(beta=4, gamma=-3)
    page.page.locator("#motion").wait_for(state="hidden")
    page.page.wait_for_timeout(1500)
    page.tilt_phone(beta=4, gamma=60)
    # cos 4° × sin 60° and sin 4°, each less what it was when it was held.
    near(page, 0.864 + 0.052, 0)
    # Steeper than flat it is only held still.
    page.page.wait_for_timeout(1500)
    near(page, 0.864 + 0.052, 0)


def test_holding_it_flat_for_a_second_finds_a_wrong_sign(phone):
    page = phone(ACCELERATION)
    page.wait("() => document.documentElement.dataset.sensor !== undefined")
    # Its makers had gravity point the other way: on its right edge it says it is on its left.
    feel_on(page, 9.81, 0, 0)
    page.wait("pit => pit.tilt.x < -0.8")
    feel_on(page, 0, 0, -9.81)
    page.page.wait_for_timeout(3000)
    feel_on(page, 9.81, 0, 0)
    page.wait("pit => pit.tilt.x > 0.8")


def test_what_lies_face_down_on_a_table_keeps_its_sign(blank_page):
    face_down, in_a_hand, sure = blank_page.evaluate(
        """async () => {
          const { Level } = await import(pageFile("./input/level.js"));
          const after = (tremble, maySign) => {
            const level = new Level(maySign);
            let now = 0;
            for (; now < 2000; now += 16) {
              level.level({ x: tremble * Math.sin(now / 50), y: 0, z: -1 }, now);
            }
            return level.level({ x: 0.8, y: 0, z: 0.6 }, now).x;
          };
          return [after(0.001, true), after(0.01, true), after(0.01, false)];
        }"""
    )
    assert face_down == pytest.approx(0.8, abs=0.03)
    assert in_a_hand == pytest.approx(-0.8, abs=0.03)
    # Only accelerations have been seen with the wrong sign: others are held face down.
    assert sure == pytest.approx(0.8, abs=0.03)


GRANTED = "DeviceOrientationEvent.requestPermission = async () => 'granted';"


def test_the_button_is_as_wide_as_the_pit_and_then_the_bowl_shrinks(phone):
    page = phone(GRANTED)
    ask = page.page.locator("#motion .ask")
    ask.wait_for()
    box, bowl = ask.bounding_box(), page.page.locator("#bowl").bounding_box()
    assert box["height"] == 52
    left, right = page.place(0, 0)[0], page.place(720, 0)[0]
    assert box["x"] <= left + 8 and box["x"] + box["width"] >= right - 8
    ask.tap()
    page.tilt_phone(beta=45, gamma=0)
    page.page.locator("#motion").wait_for(state="hidden")
    width = "document.getElementById('bowl').getBoundingClientRect().width"
    page.wait(f"(pit, before) => {width} < 0.75 * before", bowl["width"])


# The page's messages that tell a tilt.
TILT = 0x02


def test_a_phones_sensor_can_be_switched_off_and_stays_so(phone):
    page = phone("delete window.GravitySensor")
    assert page.page.locator("#tilts").count() == 0
    page.tilt_phone(beta=0, gamma=80)
    near(page, 0.98, 0)
    switch = page.page.get_by_role("button", name="Tilt with this phone")
    assert switch.get_attribute("aria-pressed") == "true"
    width = "document.getElementById('bowl').getBoundingClientRect().width"
    small = page.get(width)
    switch.tap()
    assert switch.get_attribute("aria-pressed") == "false"
    # It is as if nobody tilted, and the ball has its size again for whoever drags it.
    page.wait("pit => pit.tilt.x === 0 && pit.tilt.y === 1")
    sent = page.sent()
    page.tilt_phone(beta=0, gamma=-80)
    page.wait("(pit, tick) => pit.tick > tick + 60", page.get("pit.tick"))
    assert page.get("pit.tilt") == {"x": 0, "y": 1} and TILT not in sent
    assert page.get(width) > small * 1.1

    page.page.reload()
    page.wait("pit => pit.connected && pit.count > 0")
    page.tilt_phone(beta=0, gamma=70)
    switch.wait_for()
    assert switch.get_attribute("aria-pressed") == "false"
    page.wait("(pit, tick) => pit.tick > tick + 60", page.get("pit.tick"))
    assert page.get("pit.tilt") == {"x": 0, "y": 1}
    switch.tap()
    near(page, 0.94, 0)
    assert page.complaints == []


# As a visit before has left it.
SWITCHED_OFF = "localStorage['stickerpit.tilt'] ??= 'off';"


def test_an_iphone_whose_sensor_is_switched_off_is_not_asked_for_it(phone):
    page = phone(GRANTED, SWITCHED_OFF)
    switch, prompt = page.page.locator("#tilts"), page.page.locator("#motion")
    switch.wait_for()
    assert switch.get_attribute("aria-pressed") == "false"
    # A touch, with which it would be asked otherwise, changes nothing.
    page.page.touchscreen.tap(*page.free_place(360, 120))
    page.wait("pit => pit.count === 41")
    state = "document.documentElement.dataset.sensor"
    assert prompt.is_hidden() and page.get(state) == "asking"
    assert page.get("localStorage['stickerpit.tilt']") == "off"
    switch.tap()
    page.wait(f"() => {state} !== 'asking'")
    page.tilt_phone(beta=0, gamma=60)
    near(page, 0.866, 0)
    page.page.locator("#tilts[aria-pressed=true]").wait_for()
    assert prompt.is_hidden() and page.get("localStorage['stickerpit.tilt']") == "on"
    assert page.complaints == []


@pytest.mark.parametrize("reason", ["denied", "silent"])
def test_a_sensor_that_can_not_be_switched_on_has_no_switch(phone, reason):
    script, words = REASONS[reason]
    page = phone(script, SWITCHED_OFF)
    switch = page.page.locator("#tilts")
    switch.tap()
    page.page.locator("#motion .sentence", has_text=words).wait_for()
    switch.wait_for(state="hidden")


def test_where_no_sensor_tells_anything_there_is_nothing_to_switch(pit):
    pit.wait("(pit, tick) => pit.tick > tick + 120", pit.get("pit.tick"))
    assert pit.page.locator("#tilts").count() == 0


REASONS = {
    "denied": ("DeviceOrientationEvent.requestPermission = async () => 'denied';", "not allowed"),
    "silent": (GRANTED, "tells no motion"),
    "missing": ("delete window.DeviceOrientationEvent;", "tells no motion"),
}


@pytest.mark.parametrize("reason", REASONS)
def test_why_it_does_not_tilt_is_said_until_it_is_put_away(phone, reason):
    script, words = REASONS[reason]
    page = phone(script)
    sentence = page.page.locator("#motion .sentence")
    if reason != "missing":
        page.page.locator("#motion .ask").tap()
    sentence.filter(has_text=words).wait_for()
    assert "drag the ball" in sentence.inner_text() and "tap to drop" in sentence.inner_text()
    page.page.locator("#motion .dismiss").tap()
    page.page.locator("#motion").wait_for(state="hidden")
    page.page.reload()
    page.wait("pit => pit.connected && pit.count > 0")
    if reason != "missing":
        page.page.locator("#motion .ask").tap()
    page.page.wait_for_timeout(6000)
    assert page.page.locator("#motion").is_hidden()


WHOLE_SCREEN = """
window.calls = [];
Element.prototype.requestFullscreen = async function () { window.calls.push("whole screen"); };
ScreenOrientation.prototype.lock = async type => { window.calls.push(type); };
"""


@pytest.mark.parametrize("handheld", [True, False], ids=["phone", "computer"])
def test_a_tap_fills_a_tilting_phones_screen_and_keeps_it_from_turning(server, new_page, handheld):
    page = new_page(**PHONE) if handheld else new_page()
    page.page.add_init_script(WHOLE_SCREEN)
    page.join(server.url)
    if handheld:
        page.page.touchscreen.tap(*page.place(360, 120))
        page.wait("pit => pit.count === 41")
        assert page.get("window.calls") == [], "who does not tilt can enlarge the page"
        page.tilt_phone(beta=80, gamma=0)
        page.wait("() => document.documentElement.dataset.sensor === 'live'")
    count = page.get("pit.count")
    for count in (count + 1, count + 2):
        place = page.free_place(360, 120)
        page.page.touchscreen.tap(*place) if handheld else page.page.mouse.click(*place)
        page.wait("(pit, count) => pit.count === count", count)
    if handheld:
        page.wait("() => window.calls.length === 2")
    assert page.get("window.calls") == (
        ["whole screen", page.get("screen.orientation.type")] if handheld else []
    )


@pytest.mark.parametrize(("wanted", "name"), [("en", "everyone"), ("zh", "大家")])
def test_the_arrow_in_the_bowl_is_named(server, new_page, wanted, name):
    page = new_page().join(f"{server.url}?lang={wanted}")
    label = page.page.locator("#bowl .named")
    assert label.text_content() == name and label.is_visible()
