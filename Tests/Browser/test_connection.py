"""Losing the connection and coming back."""

from replica import SlowLine


def test_comes_back_by_itself_after_the_server_restarted(server, pit):
    server.stop()
    pit.wait("pit => !pit.connected")
    news = pit.page.locator("#link-news")
    for part in (pit.page.locator("#status"), news):
        part.wait_for(state="visible")
    assert news.text_content().strip() == "No link"
    server.start()
    pit.wait("pit => pit.connected && pit.count > 0")
    for part in (pit.page.locator("#status"), news):
        part.wait_for(state="hidden")
    pit.wait("(pit, before) => pit.tick > before", pit.get("pit.tick"))
    pit.page.mouse.click(*pit.free_place(360, 60))
    pit.wait("pit => pit.count === 41")


def test_a_reload_keeps_name_and_colour(pit):
    name, colour = pit.get("pit.name"), pit.get("pit.colour")
    pit.page.reload()
    pit.wait("pit => pit.connected && pit.count > 0")
    assert (pit.get("pit.name"), pit.get("pit.colour")) == (name, colour)


def test_pauses_while_hidden_and_resumes_as_the_same_person(pit):
    name = pit.get("pit.name")
    pit.set_visibility("hidden")
    pit.wait("pit => pit.state === 'paused'")
    pit.set_visibility("visible")
    pit.wait("pit => pit.connected && pit.count === 40")
    assert pit.get("pit.name") == name
    assert pit.complaints == []


def test_a_poor_link_is_shown_and_told_until_it_is_better(server, new_page):
    line = SlowLine(server.port, 0.3)
    page = new_page().join(line.url)
    news = page.page.locator("#link-news")
    news.wait_for(state="visible")
    # What comes into a live region is read out.
    assert page.page.locator("#link").aria_snapshot() == '- status:\n  - paragraph: Poor link'
    line.delay = 0
    news.wait_for(state="hidden")
    assert page.page.locator("#link").get_attribute("data-bars") in "234"
    line.stop()


def test_the_last_picture_stays_while_it_reconnects(server, pit):
    server.stop()
    pit.wait("pit => !pit.connected")
    assert pit.get("pit.count") == 40


HELLO, CLOCK = 0x01, 0x05


def test_says_hello_first_and_then_keeps_the_clock(server, new_page):
    page = new_page()
    sent = page.sent()
    page.join(server.url)
    page.until(lambda: sent.count(CLOCK) >= 5)
    assert sent[0] == HELLO
    assert set(sent[1:]) == {CLOCK}, "who does not tilt has no say"
