"""Without https there is no motion sensor: the page says so and the ball does instead."""

from pitpage import INSECURE_HOST


def test_an_insecure_page_says_why_and_offers_the_ball(server, new_page):
    pit = new_page(390, 844, has_touch=True, is_mobile=True)
    pit.join(f"http://{INSECURE_HOST}:{server.port}/")
    assert pit.page.evaluate("isSecureContext") is False
    sentence = pit.page.locator("#motion .sentence")
    sentence.wait_for(state="visible")
    assert "https" in sentence.inner_text() and "drag the ball" in sentence.inner_text()

    box = pit.page.locator("#ring").bounding_box()
    assert box["y"] > sentence.bounding_box()["y"], "the ball is said to be below"
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pit.page.mouse.move(*middle)
    pit.page.mouse.down()
    pit.page.mouse.move(middle[0] + box["width"] / 2, middle[1], steps=3)
    pit.wait("pit => pit.gravity.x > 0.8")
    pit.page.mouse.up()


def test_a_secure_page_says_nothing(pit):
    assert pit.page.evaluate("isSecureContext") is True
    assert pit.page.locator("#motion").is_hidden()
