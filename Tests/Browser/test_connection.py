"""Losing the connection and coming back."""


def test_comes_back_by_itself_after_the_server_restarted(server, pit):
    server.stop()
    pit.wait("pit => !pit.connected")
    pit.page.locator("#status").wait_for(state="visible")
    server.start()
    pit.wait("pit => pit.connected && pit.count > 0")
    pit.page.locator("#status").wait_for(state="hidden")
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
