"""Without https there is no motion sensor: the page says so and the ball does instead."""

import pathlib
import subprocess

from pitpage import INSECURE_HOST

CERTIFICATE = pathlib.Path(__file__).resolve().parents[2] / "scripts/certificate"


def test_an_insecure_page_says_why_and_offers_the_ball(start_pit, new_page):
    server = start_pit("--bodies", 40, "--seed", 1, "--allowed-host", INSECURE_HOST)
    pit = new_page(390, 844, has_touch=True, is_mobile=True)
    pit.join(f"http://{INSECURE_HOST}:{server.port}/")
    assert pit.page.evaluate("isSecureContext") is False
    sentence = pit.page.locator("#motion .sentence")
    sentence.wait_for(state="visible")
    assert "https" in sentence.inner_text() and "drag the ball" in sentence.inner_text()

    box = pit.page.locator("#bowl").bounding_box()
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


def test_joins_over_https_from_another_machine(start_pit, new_page, tmp_path):
    subprocess.run([CERTIFICATE, tmp_path], check=True, capture_output=True)
    files = [tmp_path / "certificate.pem", tmp_path / "key.pem"]
    server = start_pit(
        "--bodies", 5, "--tls-cert", files[0], "--tls-key", files[1],
        "--allowed-host", INSECURE_HOST,
    )
    pit = new_page(ignore_https_errors=True)
    pit.join(f"https://{INSECURE_HOST}:{server.port}/")
    assert pit.page.evaluate("isSecureContext") is True
    assert pit.page.locator("#motion").is_hidden()
    assert pit.get("pit.count") == 5
