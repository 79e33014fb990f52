"""The host's panel, and what everybody sees of what the host does."""

import json

import pytest
from hosting import TOKEN, HostedPit, choose, host_page, shows, unfold
from pitserver import until

DROP = 0x03


@pytest.fixture
def hosted(start_pit, tmp_path):
    return HostedPit(start_pit, tmp_path)


@pytest.fixture
def two(hosted, new_page):
    """The host, and a guest on a page without the panel."""
    guest = new_page(600, 800).join(hosted.url)
    return host_page(new_page, hosted, 1440, 900), guest


def switch(page, label):
    page.page.get_by_role("switch", name=label).click()


def drops(page):
    """Drops a sticker where none is near, and waits until it is there."""
    count = page.get("pit.count")
    page.page.mouse.click(*page.free_place(360, 60))
    page.wait("(pit, before) => pit.count === before + 1", count)


def test_the_token_is_asked_for_and_a_wrong_one_is_refused(hosted, new_page):
    page = new_page()
    asked = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.join(hosted.url + "?host")
    field = page.page.get_by_label("Host token")
    # The server counts requests without a token, so the page sends none before it has one.
    assert asked and not any("/api/host/" in url for url in asked)
    assert field.get_attribute("type") == "password"
    field.fill("not-the-token-of-this-one")
    page.page.keyboard.press("Enter")
    page.page.get_by_role("alert").filter(has_text="not the token").wait_for()
    assert page.page.locator("#host [role=tablist]").is_hidden()
    # The browser says so as well, and nothing else.
    assert [("401" in one) for one in page.complaints] == [True]

    field.fill(TOKEN)
    page.page.keyboard.press("Enter")
    page.page.locator("#host .person", has_text="(you)").wait_for()
    assert TOKEN not in page.page.url
    assert TOKEN not in page.page.evaluate("JSON.stringify(localStorage)")
    # This tab knows it now.
    page.page.reload()
    page.page.locator("#host .person", has_text="(you)").wait_for()
    page.page.evaluate("sessionStorage.clear()")
    page.page.reload()
    page.page.get_by_label("Host token").wait_for()


def test_a_server_without_a_token_says_so(server, new_page):
    page = new_page().join(server.url + "?host")
    page.page.get_by_label("Host token").fill(TOKEN)
    page.page.get_by_role("button", name="Open").click()
    page.page.get_by_role("alert").filter(has_text="--admin-token-file").wait_for()


def test_who_only_plays_loads_nothing_of_it(hosted, new_page):
    page = new_page()
    paths = []
    page.page.on("request", lambda request: paths.append(request.url))
    page.join(hosted.url)
    assert any(path.endswith("/main.js") for path in paths)
    assert [path for path in paths if "/host/" in path] == []
    assert page.page.locator("#host, #host-unfold").count() == 0


def test_whom_the_host_removes_comes_back_as_somebody_else(two):
    host, guest = two
    before = guest.get("pit.id")
    opened = guest.openings()
    unfold(host, guest).get_by_role("button", name="Remove").click()
    guest.page.locator("#status", has_text="You were removed by the host.").wait_for()
    host.wait("pit => pit.people === 1")
    assert guest.get("pit.state") == "removed"
    # Neither a page that was hidden nor one that is back on its line comes back by itself.
    for state in ("hidden", "visible"):
        guest.set_visibility(state)
    guest.page.evaluate("dispatchEvent(new Event('online'))")
    assert guest.get("pit.state") == "removed" and opened == []
    assert guest.page.evaluate("sessionStorage.getItem('stickerpit.resume')") is None

    guest.page.get_by_role("button", name="Join again").click()
    guest.wait("pit => pit.connected && pit.count === 40")
    assert guest.get("pit.id") != before
    guest.page.locator("#status").wait_for(state="hidden")
    drops(guest)
    assert host.complaints + guest.complaints == []


def test_a_ban_tells_who_shares_the_address_and_can_be_lifted(two):
    host, guest = two
    row = unfold(host, guest)
    row.get_by_label("For how long").select_option("1 hour")
    row.get_by_role("button", name="Ban address").click()
    question = host.page.get_by_role("dialog")
    assert "Ban 127.0.0.1 for 1 hour?" in question.inner_text()
    assert "and one other person are removed" in question.inner_text()
    question.get_by_role("button", name="Cancel").click()
    row.get_by_role("button", name="Ban address").click()
    question.get_by_role("button", name="Ban").click()
    shows(host, "2 people were removed")
    for page in (host, guest):
        page.wait("pit => pit.state === 'removed'")
    # The door tells how long it is closed, and the host still governs.
    guest.page.get_by_role("button", name="Join again").click()
    guest.page.locator("#status", has_text="may join again in").wait_for()
    assert "This address" in guest.page.locator("#status").inner_text()
    choose(host, "Room")
    host.page.get_by_role("button", name="Lift the ban of 127.0.0.1").click()
    host.page.get_by_text("No address is banned").wait_for()
    guest.page.get_by_role("button", name="Join again").click()
    guest.wait("pit => pit.connected")


def test_a_new_name_is_seen_by_all_at_once_and_is_no_markup(two, hosted):
    host, guest = two
    row = unfold(host, guest)
    row.get_by_label("New name").fill("<b>Zed</b>")
    row.get_by_role("button", name="Rename").click()
    guest.page.locator("#my-name", has_text="<b>Zed</b>").wait_for()
    guest.page.locator("#dots li", has_text="<b>Zed</b> (you)").wait_for()
    host.page.locator("#dots li", has_text="<b>Zed</b>").wait_for()
    host.page.locator("#host .person", has_text="<b>Zed</b>").wait_for()
    row.get_by_label("New name of <b>Zed</b>").wait_for()
    # As another host renames, who reads along here.
    hosted.act(f"rename?person={guest.get('pit.id')}&name=Yann")
    row.get_by_label("New name of Yann").wait_for()
    assert row.get_by_label("New name").input_value() == "Yann"
    row.get_by_label("New name").fill("Xa")
    hosted.act(f"rename?person={guest.get('pit.id')}&name=Wim")
    row.get_by_label("New name of Wim").wait_for()
    assert row.get_by_label("New name").input_value() == "Xa", "what is typed stays"
    row.get_by_role("button", name="Hide name").click()
    guest.page.locator("#my-name", has_text="Somebody").wait_for()
    row.get_by_text("name hidden").wait_for()
    assert row.get_by_role("button", name="Hide name").is_disabled()
    assert guest.page.locator("#my-name b, #dots b").count() == 0
    assert host.complaints + guest.complaints == []


def test_what_hides_a_name_is_not_offered_as_a_new_one(two, hosted):
    host, guest = two
    number = guest.get("pit.id")
    hosted.act(f"hide?person={number}")
    row = unfold(host, guest)
    field = row.get_by_label("New name")
    row.get_by_text("name hidden").wait_for()
    assert field.input_value() == ""
    hosted.act(f"rename?person={number}&name=Uma")
    row.get_by_label("New name of Uma").wait_for()
    assert field.input_value() == "Uma"
    hosted.act(f"hide?person={number}")
    row.get_by_label("New name of Somebody").wait_for()
    assert field.input_value() == ""
    assert host.complaints == []


def test_a_frozen_world_says_so_to_all_and_to_who_touches_it(two):
    host, guest = two
    choose(host, "World")
    switch(host, "Freeze")
    for page in (host, guest):
        page.page.locator("#frozen").wait_for()
    assert "Frozen by the host" in guest.page.locator("#frozen").inner_text()
    sent = guest.sent()
    guest.page.mouse.click(*guest.free_place(360, 60))
    guest.said("Frozen by the host")
    assert DROP not in sent and guest.get("pit.count") == 40
    # The switch is on when the server says so, and is switched off only from then on.
    host.page.locator("#host [role=switch][aria-checked=true]", has_text="Freeze").wait_for()
    switch(host, "Freeze")
    guest.page.locator("#frozen").wait_for(state="hidden")
    drops(guest)
    assert host.complaints + guest.complaints == []


def test_an_announcement_stands_above_every_pit_as_text(two, hosted, new_page):
    host, guest = two
    choose(host, "Room")
    text = "<b>Cake</b> & coffee"
    host.page.get_by_label("Announcement").fill(text)
    host.page.get_by_role("button", name="Announce").click()
    late = new_page(390, 844).join(hosted.url)
    for page in (host, guest, late):
        banner = page.page.locator("#announcement")
        banner.filter(has_text=text).wait_for()
        assert banner.inner_text() == text and banner.locator("*").count() == 0
        assert banner.locator("xpath=..").get_attribute("aria-live") == "polite"
        # Above the pit, not over it.
        page.wait(
            """pit => {
              const { bottom } = document.getElementById("announcement").getBoundingClientRect();
              return pit.toWindow(0, 0).y > bottom;
            }"""
        )
    host.page.get_by_role("button", name="Take away").click()
    for page in (host, guest, late):
        page.page.locator("#announcement").wait_for(state="hidden")
    assert host.complaints + guest.complaints + late.complaints == []


def test_another_hosts_announcement_fills_a_field_in_which_nothing_is_written(two, hosted):
    host, _ = two
    choose(host, "Room")
    field = host.page.get_by_label("Announcement")
    field.fill("half a sent")
    hosted.act("notice?text=Cake")
    host.page.locator("#host button:enabled", has_text="Take away").wait_for()
    assert field.input_value() == "half a sent"
    field.fill("")
    hosted.act("notice?text=Coffee")
    host.page.wait_for_function("() => document.querySelector('#host textarea').value === 'Coffee'")


def test_what_is_too_long_is_not_announced(two):
    host, _ = two
    choose(host, "Room")
    field = host.page.get_by_label("Announcement")
    field.fill("ü" * 61)
    host.page.get_by_text("122 of 120 bytes").wait_for()
    assert host.page.get_by_role("button", name="Announce").is_disabled()
    field.fill("ü" * 60)
    assert host.page.get_by_role("button", name="Announce").is_enabled()


def test_before_a_locked_door_a_newcomer_waits(two, hosted, new_page):
    host, guest = two
    choose(host, "Room")
    switch(host, "Lock the door")
    host.page.locator("#host [role=switch][aria-checked=true]").wait_for()
    newcomer = new_page(390, 844)
    tries = newcomer.openings()
    newcomer.page.goto(hosted.url)
    newcomer.page.locator("#status", has_text="The host has closed the door").wait_for()
    newcomer.until(lambda: len(tries) >= 3)
    assert "trying again" in newcomer.page.locator("#status").inner_text()
    # Who was here may come back.
    name = guest.get("pit.name")
    guest.page.reload()
    guest.wait("(pit, name) => pit.connected && pit.name === name", name)
    switch(host, "Lock the door")
    newcomer.wait("pit => pit.connected && pit.count === 40")
    newcomer.page.locator("#status").wait_for(state="hidden")


def test_the_world_is_emptied_made_light_and_kept_small(two, hosted):
    host, guest = two
    choose(host, "World")
    host.page.get_by_role("button", name="Take all stickers out").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Take out").click()
    for page in (host, guest):
        page.wait("pit => pit.count === 0")
    slider = host.page.get_by_label("Gravity")
    slider.focus()
    host.page.keyboard.press("Home")
    host.page.get_by_text("0 %", exact=True).wait_for()
    assert host.get("pit.tilt") == {"x": 0, "y": 1}
    until(lambda: '"gravity":0' in host.page.evaluate(STATE, TOKEN))
    # Without gravity a sticker stays where it was dropped.
    drops(guest)
    tick = hosted.server.health()["tick"] + 60
    hosted.server.wait_for_tick(tick)
    assert [body["y"] / 16 < 100 for body in hosted.server.world()["bodies"]] == [True]
    # A page that is late may have let it fall until it heard of the gravity.
    guest.wait("(pit, tick) => pit.tick > tick && pit.positions()[0]?.y < 100", tick)
    host.page.get_by_role("button", name="As usual").click()
    guest.wait("pit => pit.positions()[0]?.y > 800")

    choose(host, "Room")
    host.page.get_by_label("Stickers at a time").fill("2")
    host.page.get_by_role("button", name="Set limits").click()
    shows(host, "The limits are set.")
    sent = guest.sent()
    for number in range(1, 4):
        guest.page.mouse.click(*guest.free_place(360, 60))
        guest.until(lambda number=number: sent.count(DROP) == number)
        # By then the page shows it, so that the next click is not made before it is there.
        guest.wait("(pit, tick) => pit.tick > tick", hosted.server.health()["tick"] + 40)
    until(lambda: len(hosted.server.world()["bodies"]) == 2)
    guest.wait("pit => pit.count === 2")
    host.page.get_by_label("Commands a second").fill("61")
    assert not host.page.get_by_label("Commands a second").evaluate("one => one.checkValidity()")
    choose(host, "Log")
    for act in ("Limits", "Gravity", "Emptied"):
        host.page.locator("#host .audit li", has_text=act).first.wait_for()
    assert host.complaints + guest.complaints == []


# Keeps the next task that is to come at once, and lets it go when told.
HOLD_NEXT_TIMER = """() => {
  const { setTimeout: set } = window;
  window.setTimeout = (action, delay, ...values) => {
    if (delay > 0) return set(action, delay, ...values);
    window.setTimeout = set;
    window.letGo = action;
    return 1e9;
  };
}"""


def test_a_slow_page_tells_the_gravity_that_was_chosen(two, hosted):
    """Also if the server's answers, with the one before, come in between for seconds."""
    host, _ = two
    choose(host, "World")
    slider = host.page.get_by_label("Gravity")
    slider.focus()
    answers = []
    host.page.on("response", lambda one: one.url.endswith("/host/state") and answers.append(one))
    host.page.evaluate(HOLD_NEXT_TIMER)
    host.page.keyboard.press("Home")
    host.page.wait_for_function("() => window.letGo")
    host.until(lambda: len(answers) >= 5)
    assert slider.input_value() == "0"
    host.page.evaluate("window.letGo()")
    until(lambda: json.loads(hosted.ask("state"))["gravity"] == 0)
    host.until(lambda: slider.input_value() == "0")


STATE = """token => fetch("/api/host/state", { headers: { Authorization: `Bearer ${token}` } })
  .then((answer) => answer.text())"""


def test_what_the_server_refuses_is_told_in_its_words(two):
    host, _ = two
    choose(host, "Room")
    host.page.get_by_role("spinbutton", name="People").fill("1000000")
    host.page.get_by_role("button", name="Set limits").click()
    message = host.page.locator("#host .message.error")
    message.wait_for()
    assert "people" in message.inner_text().lower() and "1000000" in message.inner_text()


def test_keys_in_the_panel_do_nothing_to_the_pit(two):
    host, _ = two
    host.page.get_by_label("Show only people").focus()
    for key in ("Space", "ArrowLeft", "a", "r", "Shift+D"):
        host.page.keyboard.press(key)
    tabs = host.page.locator("#host [role=tab]")
    tabs.nth(0).focus()
    for chosen in (1, 2, 3, 0):
        host.page.keyboard.press("ArrowRight")
        assert tabs.nth(chosen).get_attribute("aria-selected") == "true"
        assert tabs.nth(chosen).evaluate("tab => tab === document.activeElement")
    assert host.get("pit.tilt") == {"x": 0, "y": 1}
    assert host.get("pit.count") == 40 and host.get("pit.past") is None
    assert host.page.locator("#debug").is_hidden()
    # Folded away, it leaves the keys to the pit, and asks the server nothing.
    host.page.get_by_role("button", name="Fold away").click()
    assert host.page.locator("#host-unfold").evaluate("one => one === document.activeElement")
    asked = []
    host.page.on("request", lambda request: asked.append(request.url))
    host.page.locator("#pit").focus()
    host.page.keyboard.press("Space")
    host.wait("pit => pit.count === 41")
    host.wait("(pit, tick) => pit.tick > tick + 150", host.get("pit.tick"))
    assert not any("/api/" in url for url in asked), asked
    host.page.get_by_role("button", name="Host controls").click()
    host.until(lambda: any("/api/host/people" in url for url in asked))


def test_it_outlives_the_server_and_asks_for_another_token(start_pit, new_page, tmp_path):
    pit = HostedPit(start_pit, tmp_path)
    page = host_page(new_page, pit, 1440, 900)
    page.page.locator("#host .person", has_text="(you)").wait_for()
    pit.server.stop()
    shows(page, "The server does not answer. Trying again")
    again = HostedPit(start_pit, tmp_path, port=pit.server.port)
    page.page.locator("#host .message").wait_for(state="hidden")
    page.wait("pit => pit.connected")
    page.page.locator("#host .person", has_text="(you)").wait_for()
    again.server.stop()
    (tmp_path / "other").mkdir()
    HostedPit(start_pit, tmp_path / "other", port=pit.server.port, token="another-token-by-now")
    page.page.get_by_label("Host token").wait_for()
    assert "any more" in page.page.get_by_role("alert").inner_text()
