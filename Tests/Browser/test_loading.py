"""What comes before the first picture, and how the page looks until then."""

import re

import pytest


def test_the_modules_of_the_first_picture_are_asked_for_at_once(pit):
    listed, loaded = pit.page.evaluate(
        """() => {
          const name = url => new URL(url, document.baseURI).pathname;
          const links = document.querySelectorAll("link[rel=modulepreload]");
          const scripts = performance.getEntriesByType("resource")
            .map(({ name }) => name).filter(name => name.endsWith(".js"));
          return [[...links].map(({ href }) => name(href)), scripts.map(name)];
        }"""
    )
    assert len(listed) > 20
    # Neither one that is found out late nor one that nobody needs. main.js is asked for by itself, and so
    # is what chooses the language, which asks for its words.
    themselves = {"/main.js", "/strings/language.js", "/strings/en.js"}
    assert themselves < set(loaded)
    assert sorted(listed) == sorted(set(loaded) - themselves)
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
          const path = document.querySelector("#ring .everyone path");
          const { a, b } = document.getElementById("ring").querySelector("svg").getScreenCTM()
            .inverse().multiply(path.getScreenCTM());
          return [a, b];
        }"""
    )
    assert tip == pytest.approx([0, 1], abs=1e-6)


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
          // As long as the server's names get (`People+Names.swift`).
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
