"""A page that is of another version than its server: it loads itself anew, once."""

import json

OTHER_CORE = json.dumps({"core": "0" * 16, "protocol": 9, "server": "later"})


def loads(page):
    """How often the page is loaded from now on."""
    seen = []
    page.on("request", lambda request: request.is_navigation_request() and seen.append(request.url))
    return seen


def test_the_server_tells_what_it_is(pit):
    mine = pit.page.evaluate("fetch('/api/version').then((answer) => answer.json())")
    assert len(mine["core"]) == 16 and mine["protocol"] == 9 and mine["server"]
    assert pit.page.evaluate("sessionStorage.getItem('stickerpit.reloaded')") is None


def test_another_core_is_fetched_once_and_then_told(server, pit):
    name = pit.get("pit.name")
    seen = loads(pit.page)
    pit.page.route("**/api/version", lambda route: route.fulfill(body=OTHER_CORE))
    server.stop()
    pit.wait("pit => !pit.connected")
    server.start()
    # It comes back, finds another core, loads itself anew, finds it again, and says so.
    pit.page.locator("#status.failure").wait_for(state="visible")
    assert len(seen) == 1
    assert "different versions" in pit.page.locator("#status").inner_text()
    assert pit.page.locator("#reload").is_visible()
    pit.wait("pit => pit.connected && pit.count > 0")
    assert pit.get("pit.name") == name
    # With a server that fits it is as ever, and the next version will be fetched again.
    pit.page.unroute("**/api/version")
    pit.page.locator("#reload").click()
    pit.wait("pit => pit.connected && pit.count > 0")
    until_forgotten = "() => sessionStorage.getItem('stickerpit.reloaded') === null"
    pit.page.wait_for_function(until_forgotten)
    pit.page.locator("#status").wait_for(state="hidden")


def test_another_protocol_is_fetched_once_and_then_told(server, new_page):
    page = new_page()
    seen = loads(page.page)
    page.page.route_web_socket("**/ws", lambda socket: socket.close(code=4000, reason="another"))
    page.page.goto(server.url)
    page.page.locator("#status").wait_for(state="visible")
    page.page.get_by_text("different versions").wait_for()
    assert len(seen) == 2 and page.page.locator("#reload").is_visible()


def test_a_second_tab_with_the_same_person_is_said(server, new_page):
    page = new_page()
    page.page.route_web_socket("**/ws", lambda socket: socket.close(code=4002, reason="another tab"))
    page.page.goto(server.url)
    page.page.get_by_text("You play on in another tab").wait_for()
