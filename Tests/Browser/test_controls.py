"""Every control by keyboard, and a page that holds still for those who asked for it."""

import pytest

# What has the focus: its id, or its class, or what a screen reader would call it.
FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const name = element.getAttribute("aria-label") ?? element.closest("label")?.querySelector("img")?.alt
    ?? element.textContent.trim();
  const box = element.closest("label")?.getBoundingClientRect() ?? element.getBoundingClientRect();
  return {
    id: element.id || element.classList[0] || element.type,
    name,
    isSeen: box.width > 0 && box.height > 0 && element.checkVisibility(),
    outline: getComputedStyle(element.type === "radio" ? element.nextElementSibling : element)
      .outlineStyle,
  };
}"""

# In the order of the document: the pit and the buttons in its corner, then what there is to choose or
# say, and the ball.
PIT = ["pit", "rewind", "mute", "help"]
STOPS = {
    "pit": [*PIT, "next", "radio", "bowl"],
    "rain": [*PIT, "button", "button", "button", "button", "text", "submit", "bowl"],
    "gallery": [*PIT, "bowl"],
    "drag": PIT,
    "toss": PIT,
}


@pytest.fixture
def scene_page(start_pit, new_page):
    """Opens a scene in a page of its own."""

    def open_scene(scene, *flags, width=800, height=900, **options):
        server = start_pit("--scene", scene, "--seed", 1, *flags)
        page = new_page(width, height, **options)
        page.page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
        if scene == "rain":
            page.page.locator(".chips button").first.wait_for()
        return page

    return open_scene


@pytest.mark.parametrize("scene", STOPS)
def test_the_tab_key_visits_every_control_in_order(scene_page, scene):
    page = scene_page(scene)
    # It comes when there is something to see again.
    page.page.locator("#rewind").wait_for(state="visible")
    stops = []
    for _ in range(12):
        page.page.keyboard.press("Tab")
        stop = page.page.evaluate(FOCUSED)
        if stop is None or (stops and stop == stops[0]):
            break
        stops.append(stop)
    assert [stop["id"] for stop in stops] == STOPS[scene]
    for stop in stops:
        assert stop["name"] or stop["id"] == "text", stop
        assert stop["isSeen"] and stop["outline"] != "none", stop


def test_keywords_are_said_by_keyboard_alone(scene_page):
    page = scene_page("rain")
    page.page.locator(".chips button").nth(1).focus()
    page.page.keyboard.press("Enter")
    page.wait("pit => pit.events.some(({ kind, a }) => kind === 4 && a === 18)")
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Tab")
    page.page.keyboard.type("It is my HAPPY birthday")
    assert page.get("pit.tilt") == {"x": 0, "y": 1}, "letters in the field do not tilt"
    page.page.keyboard.press("Enter")
    page.wait("pit => pit.events.some(({ kind, a }) => kind === 4 && a === 19)")
    assert page.page.locator("#words input").input_value() == ""


def test_the_tray_is_used_by_keyboard_alone(scene_page):
    page = scene_page("pit", "--bodies", 0)
    page.page.locator(".strip input").first.focus()
    page.page.keyboard.press("ArrowRight")
    chosen = page.get("Number(document.querySelector('.strip input:checked').value)")
    for presses in (1, 2):
        page.page.keyboard.press("Tab")  # on to the ball, where the space bar drops
        page.page.keyboard.press("Space")
        page.wait("(pit, count) => pit.count === count", presses)
    assert page.get("pit.positions().map(({ kind }) => kind)") == [chosen] * 2
    # The button brings the surprises back.
    page.page.locator(".next").focus()
    page.page.keyboard.press("Enter")
    page.page.wait_for_function("() => document.querySelector('.next').matches('.surprising')")


MARKED = "Number(document.querySelector('.strip input:checked').value)"


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_the_surprise_that_lies_ready_can_be_chosen(scene_page, way):
    page = scene_page("pit", "--bodies", 0)
    marked = page.get(MARKED)
    if way == "mouse":
        page.page.locator(".strip label").nth(marked).click()
    else:
        page.page.locator(".strip input").nth(marked - 1).focus()
        page.page.keyboard.press("ArrowRight")
    page.page.wait_for_function("() => !document.querySelector('.next').matches('.surprising')")
    for drops in 1, 2, 3:
        page.page.evaluate("document.activeElement.blur()")
        page.page.keyboard.press("Space")
        page.wait("(pit, count) => pit.count === count", drops)
    assert page.get("pit.positions().map(({ kind }) => kind)") == [marked] * 3


def test_the_ball_answers_arrow_keys_where_it_has_the_focus(scene_page):
    page = scene_page("gallery")
    page.page.locator("#bowl").focus()
    page.page.keyboard.down("ArrowLeft")
    page.wait("pit => pit.tilt.x < -0.9 && pit.gravity.x < -0.9")
    page.page.keyboard.up("ArrowLeft")
    page.wait("pit => pit.tilt.x === 0 && pit.gravity.x > -0.1")


@pytest.mark.parametrize("scene", ["drag", "toss"])
def test_where_tilt_does_nothing_none_is_sent_and_none_is_offered(scene_page, scene):
    page = scene_page(scene, has_touch=True, is_mobile=True, width=390, height=844)
    sent = page.sent()
    assert page.page.locator("#bowl").is_hidden() and page.page.locator("#motion").is_hidden()
    page.page.keyboard.down("ArrowRight")
    page.tilt_phone(beta=0, gamma=80)
    page.page.locator("#tilts").wait_for(state="attached")
    page.wait("(pit, tick) => pit.tick > tick + 120", page.get("pit.tick"))
    assert 0x02 not in sent and page.page.locator("#tilts").is_hidden()
    assert page.get("pit.gravity") == {"x": 0, "y": 1}


# Lets a headline appear as the rain's does, and tells its animations as they begin. Each is brought
# to its end at once: what matters is what follows, not the seconds.
HEADLINE = """async () => {
  const { Headline } = await import(pageFile("./ui/headline.js"));
  const element = document.getElementById("headline");
  const fades = [];
  element.animate = (...values) => {
    const animation = Element.prototype.animate.apply(element, values);
    fades.push({
      duration: animation.effect.getTiming().duration,
      opacity: animation.effect.getKeyframes().map(({ opacity }) => Number(opacity)),
      isSeen: element.checkVisibility(),
    });
    queueMicrotask(() => animation.finish());
    return animation;
  };
  await new Headline(element).show("The floor opens!");
  return fades;
}"""


def headline(page):
    """A headline's animations: how it comes, stays and goes."""
    phases = page.page.evaluate(HEADLINE)
    assert all(phase.pop("isSeen") for phase in phases)
    assert page.page.locator("#headline").is_hidden()
    return phases


def test_the_headline_is_there_while_it_is_true_and_long_enough_to_be_read(scene_page):
    coming, staying, going = headline(scene_page("rain"))
    # The floor is open for 1.2 s: whoever is told late still sees why all falls out.
    assert coming["duration"] <= 150 and coming["opacity"] == [0, 1]
    assert staying["duration"] >= 1000 and staying["opacity"] == [1, 1]
    assert going["duration"] >= 500 and going["opacity"] == [1, 0]


def test_reduced_motion_shows_the_headline_without_a_fade(scene_page):
    page = scene_page("rain", reduced_motion="reduce")
    phases = headline(page)
    assert [phase["opacity"] for phase in phases] == [[1, 1]] * 3
    assert sum(phase["duration"] for phase in phases) == 2050, "as long to read"


# What the answers to touches change while they are shown, as they come.
NOTE_ANSWERS = """() => {
  window.answers = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...values) {
    const animation = animate.apply(this, values);
    if (this.closest(".splash")) {
      const names = animation.effect.getKeyframes().flatMap(Object.keys);
      const changed = names.filter(name => !/offset|easing|composite/i.test(name));
      window.answers.push([...new Set(changed)].sort().join());
    }
    return animation;
  };
}"""


@pytest.mark.parametrize(("motion", "changed"), [("reduce", "opacity"), ("no-preference", "opacity,scale")])
def test_reduced_motion_answers_touches_by_what_fades_and_moves_nothing(scene_page, motion, changed):
    pit = scene_page("pit", "--bodies", 1, reduced_motion=motion)
    pit.settle()
    pit.page.evaluate(NOTE_ANSWERS)
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 2 && window.passed.splashes === 1")
    # So is a tap on a sticker, while a second one may still come.
    pit.settle()
    lying = pit.get("pit.positions().find(({ age }) => age > 0.3)")
    with pit.held_timers():
        pit.page.mouse.click(*pit.place(lying["x"], lying["y"]))
        pit.wait("() => window.passed.splashes === 2")
    pit.flick((200, 300), (500, 200))
    pit.wait("() => window.passed.splashes === 3")
    assert pit.get("window.answers") == [changed] * 3
    if motion == "reduce":
        moving = """document.getAnimations().filter(one => one.playState === 'running')
          .filter(one => !one.effect.target.closest(".splash")).length"""
        assert pit.get(moving) == 0
