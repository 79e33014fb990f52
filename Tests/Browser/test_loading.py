"""What comes before the first picture, and how the page looks until then."""

import re

import pytest
from pitpage import AFTER_THE_PICTURE


def test_the_modules_of_the_first_picture_are_asked_for_at_once(pit):
    listed, loaded = pit.page.evaluate(
        """() => {
          const name = url => url.slice(pageFile(".").length - 1);
          const links = document.querySelectorAll("link[rel=modulepreload]");
          const scripts = performance.getEntriesByType("resource")
            .map(({ name }) => name).filter(name => name.endsWith(".js"));
          const early = scripts.indexOf(new URL("early.js", document.baseURI).href);
          scripts[early] = pageFile("early.js");
          return [[...links].map(({ href }) => name(href)), scripts.map(name)];
        }"""
    )
    assert len(listed) > 20
    # Neither one that is found out late nor one that nobody needs. main.js is asked for by itself, and so
    # are what asks for the module and what chooses the language, which asks for its words.
    themselves = {"/main.js", "/early.js", "/strings/language.js", "/strings/en.js"}
    assert themselves < set(loaded)
    later = {f"/{name}" for name in AFTER_THE_PICTURE}
    assert sorted(listed) == sorted(set(loaded) - themselves - later)
    assert pit.complaints == []


def test_until_one_has_joined_nothing_is_shown_that_is_not_known(server, new_page):
    page = new_page(390, 844)
    page.page.route(re.compile(r"pit\.wasm$"), lambda route: None)
    page.page.goto(server.url)
    for part in ("#me", "#people", "#link-news"):
        assert page.page.locator(part).is_hidden(), part
    # Gravity points down, and so does the arrow that shows it.
    tip = page.page.evaluate(
        """() => {
          const path = document.querySelector("#bowl .everyone path");
          const { a, b } = document.getElementById("bowl").querySelector("svg").getScreenCTM()
            .inverse().multiply(path.getScreenCTM());
          return [a, b];
        }"""
    )
    assert tip == pytest.approx([0, 1], abs=1e-6)


@pytest.mark.parametrize(
    ("view", "times", "there"),
    [
        ("page", 1, "pit.connected"),
        ("stage", 1, "pit.connected"),
        ("monitor", 0, "pit.points?.length > 1"),
    ],
)
def test_a_view_fetches_the_module_once_or_has_no_use_for_it(
    shared_pit, new_page, view, times, there
):
    page = new_page(1280, 720)
    asked = []
    page.page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    page.page.goto(f"http://127.0.0.1:{shared_pit.port}/?view={view}")
    page.wait(f"pit => {there}")
    assert asked.count("pit.wasm") == times
    # And not by the page's code, which asks for it only when all of it is there.
    initiators = page.page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(({ name }) => name.endsWith("/pit.wasm")).map(one => one.initiatorType)"""
    )
    assert initiators[:1] == ["link"][:times]
    assert page.complaints == []


# Counts drawings: the floor is a plain one, stickers are instances.
NOTE_DRAWINGS = """
window.drawn = { floor: 0, stickers: 0 };
const { drawArrays, drawArraysInstanced } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.drawArrays = function (...values) {
  window.drawn.floor += 1;
  return drawArrays.apply(this, values);
};
WebGL2RenderingContext.prototype.drawArraysInstanced = function (...values) {
  window.drawn.stickers += 1;
  return drawArraysInstanced.apply(this, values);
};
"""


def test_the_pit_is_there_before_its_stickers_pictures_are(server, new_page):
    page = new_page(390, 844)
    page.page.add_init_script(NOTE_DRAWINGS)
    page.page.route(re.compile(r"stickers/.*\.svg$"), lambda route: None)
    page.page.goto(server.url, wait_until="commit")
    page.wait("pit => pit.connected && window.drawn.floor > 0")
    assert page.page.evaluate("window.drawn.stickers") == 0


NARROW = [(320, 640), (320, 568), (360, 640), (568, 320), (640, 360), (844, 390)]


@pytest.mark.parametrize("size", NARROW, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_own_name_is_whole_and_so_are_the_others_dots(server, new_page, size):
    page = new_page(*size, has_touch=True, is_mobile=True).join(server.url)
    page.page.wait_for_function("() => document.querySelector('#dots li') !== null")
    cut = page.page.evaluate(
        """() => {
          const name = document.getElementById("my-name");
          const dots = document.getElementById("dots");
          // As long as the server's names get (`People.name` in `People.swift`).
          name.textContent = "Curious Hedgehog";
          document.getElementById("count").textContent = "128";
          const dot = dots.querySelector("li");
          while (dots.childElementCount < 12) dots.append(dot.cloneNode(true));
          const hud = document.getElementById("hud").getBoundingClientRect();
          const isCut = one => {
            const box = one.getBoundingClientRect();
            return one.checkVisibility() && (box.left < hud.left || box.top < hud.top
              || box.right > hud.right || box.bottom > hud.bottom);
          };
          return {
            name: name.scrollWidth > name.clientWidth,
            dots: [...dots.children].filter(isCut).length,
            people: isCut(document.getElementById("people")),
          };
        }"""
    )
    assert cut == {"name": False, "dots": 0, "people": False}
