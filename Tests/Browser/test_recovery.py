"""What could not be fetched for a moment comes after all."""

import re


def away(page, path):
    """The server has nothing under an address, whatever stands behind its question mark, until that is
    given back."""
    asked = re.compile(rf"/{re.escape(path)}(\?|$)")
    page.route(asked, lambda route: route.abort())
    return lambda: page.unroute(asked)


# What a page runs first, and what would load it anew.
FIRST_CODE = ("main.js", "core/version.js")


def test_a_hint_comes_after_its_code_could_not_be_fetched(server, new_page):
    page = new_page()
    give_back = away(page.page, "ui/hint.js")
    page.join(server.url)
    page.wait("(pit, tick) => pit.tick > tick + 120", page.get("pit.tick"))
    assert page.page.locator("#coach").is_hidden()
    give_back()
    page.page.locator("#help").click()
    page.page.locator("#coach .hand").wait_for()


def test_what_nobody_waits_for_is_fetched_again(server, new_page):
    page = new_page()
    give_back = away(page.page, "ui/summary.js")
    with page.page.expect_request(re.compile(r"summary\.js\?again=\d+$")):
        page.join(server.url)
    give_back()
    page.page.locator("#summary").wait_for(state="attached")


def test_a_stage_whose_code_could_not_be_fetched_loads_itself_anew(server, new_page):
    page = new_page(1280, 720)
    give_back = away(page.page, "stage/stage.js")
    page.page.goto(server.url + "?view=stage")
    page.page.locator("#status.failure").wait_for(state="attached")
    give_back()
    page.wait("pit => pit.connected && pit.count > 0")


def test_a_stage_whose_very_first_code_could_not_be_fetched_loads_itself_anew(server, new_page):
    page = new_page(1280, 720)
    # Nor the code that reloads, as while the server is started anew.
    give_back = [away(page.page, path) for path in FIRST_CODE]
    with page.page.expect_request(re.compile(r"/core/version\.js\?again=1$")):
        page.page.goto(server.url + "?view=stage")
    for one in give_back:
        one()
    page.wait("pit => pit.connected && pit.count > 0")


def test_a_player_whose_server_was_away_for_the_first_code_joins_when_it_is_back(server, new_page):
    page = new_page()
    give_back = [away(page.page, path) for path in FIRST_CODE]
    with page.page.expect_request(re.compile(r"/core/version\.js\?again=1$")):
        page.page.goto(server.url)
    assert page.page.locator("#status").inner_text().split("\n")[0] == "The pit could not be loaded."
    for one in give_back:
        one()
    page.wait("pit => pit.connected && pit.count > 0")
    assert page.page.locator("#status").is_hidden()


def test_a_player_whose_first_code_never_comes_is_loaded_anew_once_and_told(server, new_page):
    page = new_page()
    seen = []
    page.page.on("request", lambda one: one.is_navigation_request() and seen.append(one.url))
    give_back = away(page.page, "main.js")
    page.page.goto(server.url)
    page.page.locator("#status.failure").wait_for()
    # Longer than until the next try, if there were one.
    page.page.wait_for_timeout(8000)
    assert len(seen) == 2
    give_back()
    page.page.locator("#reload").click()
    page.wait("pit => pit.connected && pit.count > 0")


def test_a_style_sheet_is_fetched_again(server, new_page):
    page = new_page().join(server.url)
    give_back = away(page.page, "keyboard/aim.css")
    page.page.keyboard.press("?")
    page.page.wait_for_timeout(500)
    assert page.page.locator("#keys-help").count() == 0
    give_back()
    page.page.keyboard.press("?")
    page.page.locator("#keys-help").wait_for()
    assert page.page.locator("head link[href$='aim.css']").count() == 1
