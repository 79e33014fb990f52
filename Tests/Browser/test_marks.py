"""Halos around stickers: of hands, and of the choice."""

import pytest


@pytest.fixture
def evaluate(blank_page):
    """Runs the body of a function after importing names from one of the page's modules."""

    def run(module, names, body):
        return blank_page.evaluate(
            f"async () => {{ const {{ {names} }} = await import(pageFile('./{module}.js')); {body} }}"
        )

    return run


# A sticker's numbers: its slot, its holder, its age in seconds.
STICKER = """
const sticker = (slot, holder, age) => [100, 100, 1, 0, 40, 40, 2, age, slot, holder];
"""


def test_no_halo_lies_around_what_has_not_popped_up_yet(evaluate):
    halos = evaluate(
        "draw/scenery",
        "addHalos",
        STICKER
        + """const { MarkList } = await import(pageFile("./draw/marklist.js"));
        const count = (...numbers) => {
          const marks = new MarkList();
          const one = new Float32Array(sticker(...numbers));
          addHalos(marks, one, () => [1, 0, 0], 5, [0, 1, 0]);
          return marks.floats.length / 12;
        };
        return [count(4, 7, 2), count(4, 7, 0.05), count(5, -1, 2), count(5, -1, 0.05)];""",
    )
    # What got a slot again is shown with the holder of what was there before, for a moment.
    assert halos == [1, 0, 1, 0]


def test_what_is_held_lies_above_the_rest(evaluate):
    orders = evaluate(
        "draw/raised",
        "Raised",
        STICKER
        + """const raised = new Raised();
        const order = (...holders) => {
          const numbers = holders.flatMap((holder, slot) => sticker(slot, holder, 2));
          const picture = raised.of(new Float32Array(numbers));
          return Array.from({ length: picture.length / 10 }, (_, at) => picture[10 * at + 8]);
        };
        return [
          order(-1, -1, -1), order(5, -1, -1, 6, 7, -1, -1), order(-1, 9), order(3, 3), order(),
        ];""",
    )
    # In order of slots, then those that somebody holds; memory of a larger picture does no harm.
    assert orders == [[0, 1, 2], [1, 2, 5, 6, 0, 3, 4], [0, 1], [0, 1], []]


def test_a_choice_ends_with_the_square_that_was_chosen(evaluate):
    kept, reused, gone = evaluate(
        "play/choice",
        "Choice",
        STICKER
        + """const after = (...pictures) => {
          const choice = new Choice();
          choice.choose(5);
          for (const picture of pictures) choice.advance(new Float32Array(picture));
          return choice.slot;
        };
        return [
          after(sticker(5, -1, 9), sticker(5, -1, 8.9), sticker(5, -1, 20)),
          after(sticker(5, -1, 9), sticker(5, -1, 0)),
          after(sticker(5, -1, 9), sticker(4, -1, 9)),
        ];""",
    )
    assert (kept, reused, gone) == (5, -1, -1)
