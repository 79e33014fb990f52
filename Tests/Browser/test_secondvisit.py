"""A second visit without a service worker, as over plain http on a LAN or in a private window: almost
nothing is asked again, and never is any page made of two builds."""

import re
import urllib.request
from collections import Counter

from pitpage import PitPage
from pitserver import build_of
from test_offline import builds, site  # noqa: F401


def answers(site):  # noqa: F811
    """How many answers the server has given over HTTP, by their status."""
    with urllib.request.urlopen(site.url + "metrics") as metrics:
        told = metrics.read().decode()
    counts = re.findall(r'^stickerpit_http_answers_total\{status="(\d+)"\} (\d+)', told, re.MULTILINE)
    return Counter({int(status): int(count) for status, count in counts})


def loads(page):
    """How often the page is loaded from now on."""
    seen = []
    page.on("request", lambda request: request.is_navigation_request() and seen.append(request.url))
    return seen


def settle(page):
    """Waits until all that a page fetches by itself is there: this comes last, after three seconds."""
    page.page.locator("#summary").wait_for(state="attached")
    # Metrics are a second old at most.
    page.page.wait_for_timeout(1200)
    return page


def address_of_code(page):
    return page.page.evaluate("pageFile('.')")


def is_of(page, name):
    """Waits until the page and its code are those of a build, however often it is loaded meanwhile."""
    page.page.wait_for_function(
        """name => {
          const { build, module } = document.documentElement.dataset;
          return build === name && module === name;
        }""",
        arg=name,
    )
    page.wait("pit => pit.connected && pit.count > 0")


def test_a_second_visit_asks_about_three_files_at_most(site, new_page):  # noqa: F811
    first = settle(new_page().join(site.url))
    context = first.page.context
    first.page.close()
    before = answers(site)
    second = settle(PitPage(context.new_page()).join(site.url))
    asked = answers(site) - before
    assert address_of_code(second) == f"{site.url}b/{build_of(site.folder)}/"
    # The page and early.js; the web app's manifest where a browser wants it.
    assert 1 <= asked[304] <= 3, asked
    # What the server tells of itself and its world, and what this test asks; not one of the files.
    assert 1 <= asked[200] < 8 and asked[404] == 0, asked
    assert second.complaints == []


def test_a_page_whose_build_is_gone_loads_itself_anew_when_it_lacks_something(site, new_page):  # noqa: F811
    page = settle(new_page().join(site.url))
    assert builds(page) == ["first", "first"]
    seen = loads(page.page)
    site.stop()
    page.wait("pit => !pit.connected")
    site.build("second")
    site.start()
    page.wait("pit => pit.connected")
    # The list of keys is fetched when it is asked for; there is only another build's.
    page.page.keyboard.press("?")
    is_of(page, "second")
    assert len(seen) == 1
    page.page.keyboard.press("?")
    page.page.locator("#keys-help").wait_for()


def test_a_page_that_came_just_before_the_next_build_loads_itself_anew(site, new_page):  # noqa: F811
    page = new_page()
    with urllib.request.urlopen(site.url) as answer:
        text = answer.read().decode()
    assert text.count(build_of(site.folder)) > 75
    outdated = text.replace(build_of(site.folder), "0" * 16)
    page.page.route(
        site.url, lambda route: route.fulfill(body=outdated, content_type="text/html"), times=1
    )
    seen = loads(page.page)
    page.page.goto(site.url)
    is_of(page, "first")
    assert len(seen) == 2
    # The next build will be fetched again.
    until_forgotten = "() => sessionStorage.getItem('stickerpit.reloaded') === null"
    page.page.wait_for_function(until_forgotten)


def test_a_stage_whose_code_is_gone_tries_until_it_is_there(site, new_page):  # noqa: F811
    page = new_page(1280, 720)
    address = f"{site.url}?view=stage"
    with urllib.request.urlopen(address) as answer:
        outdated = answer.read().decode().replace(build_of(site.folder), "0" * 16)
    # Twice, as when other servers behind one name have another build: loading it anew once is no help.
    page.page.route(
        lambda url: url == address,
        lambda route: route.fulfill(body=outdated, content_type="text/html"),
        times=2,
    )
    seen = loads(page.page)
    page.page.goto(address)
    is_of(page, "first")
    assert len(seen) == 3


def test_files_that_are_replaced_under_the_server_are_not_mixed(site, new_page):  # noqa: F811
    page = new_page().join(site.url)
    assert builds(page) == ["first", "first"]
    site.build("second")
    page.page.reload()
    is_of(page, "second")
    # Until the server starts anew, browsers ask about each file, and get what is there.
    assert address_of_code(page) == site.url
    # A module alone, as an editor saves it: there is no list of that.
    mark = 'document.documentElement.dataset.module = "third";\n'
    (site.folder / "connection/alone.js").write_text(mark, encoding="utf-8")
    with urllib.request.urlopen(site.url + "connection/alone.js") as answer:
        assert answer.read().decode() == mark and answer.headers["Cache-Control"] == "no-cache"
