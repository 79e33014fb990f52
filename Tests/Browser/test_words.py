"""The phrases that a page offers are those of its server, and everybody can read them."""

import pytest

CHIPS = "[...document.querySelectorAll('.chips button')].map(({ textContent }) => textContent)"

# How many pixels two letters differ in: a font that has neither draws the same box for both.
DIFFERENCE = """([one, other]) => {
  const font = getComputedStyle(document.querySelector(".chips button")).font;
  const draw = letter => {
    const context = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
    context.font = font;
    context.fillText(letter, 4, 30);
    return context.getImageData(0, 0, 40, 40).data;
  };
  const [a, b] = [draw(one), draw(other)];
  return a.filter((value, index) => Math.abs(value - b[index]) > 60).length;
}"""


@pytest.fixture
def rain(start_pit, new_page):
    """Opens the rain with flags of its own."""

    def open_rain(*flags):
        server = start_pit("--scene", "rain", "--seed", 1, *flags)
        page = new_page()
        page.page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait("pit => pit.connected")
        page.page.locator(".chips button").first.wait_for()
        return page

    return open_rain


def test_the_usual_phrases_are_offered_in_both_languages(rain):
    page = rain()
    assert page.get(CHIPS) == ["happy birthday", "so cold", "生日快乐", "天冷了"]
    for phrase, kind in (("生日快乐", 19), ("天冷了", 18)):
        page.page.get_by_role("button", name=phrase).click()
        page.wait("(pit, kind) => pit.events.some(one => one.kind === 4 && one.a === kind)", kind)


def test_a_list_of_ones_own_is_offered_and_rains(rain):
    page = rain("--keyword", "Merry Christmas=snow", "--keyword", "Hüpf! = frog")
    assert page.get(CHIPS) == ["Merry Christmas", "Hüpf!"]
    page.page.get_by_role("button", name="Hüpf!").click()
    page.wait("pit => pit.positions().some(({ kind }) => kind === 15)")
    page.page.locator("#words input").fill("so cold")
    page.page.keyboard.press("Enter")
    page.said("Nothing falls for that one. Try “Merry Christmas”")


def test_what_a_list_says_is_text_and_nothing_else(rain):
    page = rain("--keyword", "<img src=x onerror=alert(1)>=cat", "--keyword", 'a "b" \\=cat')
    assert page.get(CHIPS) == ["<img src=x onerror=alert(1)>", 'a "b" \\']
    assert page.page.locator(".chips img:not([src$='.svg'])").count() == 0
    assert page.complaints == []


def test_only_the_newest_question_is_answered(start_pit, new_page):
    server = start_pit("--scene", "rain", "--seed", 1)
    page = new_page()
    questions = []
    page.page.route("**/api/keywords", lambda route: questions.append(route))
    page.page.goto(f"http://127.0.0.1:{server.port}/")
    page.until(lambda: len(questions) == 1)

    def come_back():
        page.set_visibility("hidden")
        page.wait("pit => !pit.connected")
        page.set_visibility("visible")

    def answer(question, phrase, status=200):
        body = f'{{"keywords":["{phrase}"],"kinds":[15]}}'
        with page.page.expect_event("requestfinished", lambda one: one == question.request):
            question.fulfill(status=status, body=body)

    come_back()
    page.until(lambda: len(questions) == 2)
    answer(questions[1], "of now")
    page.wait(f"() => {CHIPS}.join() === 'of now'")
    answer(questions[0], "of before")
    come_back()
    page.until(lambda: len(questions) == 3)
    answer(questions[2], "of nobody", status=503)
    # The page has read what it got by then.
    come_back()
    page.until(lambda: len(questions) == 4)
    assert page.get(CHIPS) == ["of now"]


PICTURES = """[...document.querySelectorAll('.chips button')].map(chip => {
  const picture = chip.querySelector("img");
  return picture && picture.complete && picture.naturalWidth > 0 ? picture.src.split("/").pop() : "";
})"""


def test_chips_show_what_falls_for_them(rain):
    page = rain("--keyword", "Merry Christmas=snow", "--keyword", "ribbit = frog")
    page.wait(f"() => {PICTURES}.join() === '18-snow.svg,15-frog.svg'")
    assert page.page.locator(".chips img:not([alt=''])").count() == 0, "the words say it"


def test_a_chip_learns_its_picture_from_the_rain(rain, new_page):
    page = rain()
    # A server of before told no kinds.
    old = new_page()
    answer = '{"keywords":["so cold","happy birthday"]}'
    old.page.route("**/api/keywords", lambda route: route.fulfill(body=answer))
    old.page.goto(page.page.url)
    old.page.locator(".chips button").first.wait_for()
    assert old.get(PICTURES) == ["", ""]
    old.page.locator(".chips button").first.press("Enter")
    old.wait(f"() => {PICTURES}.join() === '18-snow.svg,'")
    assert old.get("document.activeElement.textContent") == "so cold", "it keeps the focus"


def test_chinese_can_be_read_on_this_machine(rain):
    page = rain()
    chinese = page.page.evaluate(DIFFERENCE, ["生", "日"])
    assert chinese > 100, "no font here has Chinese letters: make test installs one"
    # Letters that no font has are the same box.
    assert page.page.evaluate(DIFFERENCE, ["\U0003fff0", "\U0003fff1"]) < chinese / 2
