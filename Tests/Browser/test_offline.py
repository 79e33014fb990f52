"""The page is kept by the browser, whole, and opens without a server; and never is any page made of
two builds."""

import json
import pathlib
import re
import shutil
import subprocess
import urllib.request

import pytest
from pitserver import ROOT
from ports import free_port

# The builds that are kept, by the name that stands in their page: of each whether it is whole.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const page = await cache.match(new URL("index.html", location).href);
    if (page) found.push((await page.text()).match(/data-build="([a-z]+)"/)[1]);
  }
  const { active, installing, waiting } = (await navigator.serviceWorker.getRegistration()) ?? {};
  return active?.state === "activated" && !installing && !waiting ? found.sort() : null;
}"""


class Site:
    """A copy of the page's folder that can become another build, and a server for it."""

    def __init__(self, start_pit, folder):
        self.folder = pathlib.Path(folder)
        self._start_pit = start_pit
        self.port = free_port()
        self._server = None
        shutil.copytree(ROOT / "web", self.folder)
        self.build("first")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def build(self, name):
        """Writes a name into the page and into one of its modules."""
        self._write("index.html", lambda text: text.replace("<html ", f'<html data-build="{name}" '))
        mark = f'document.documentElement.dataset.module = "{name}";'
        self._write("connection/alone.js", lambda text: f"{mark}\n{text}")
        subprocess.run([ROOT / "scripts/compress-web", self.folder], check=True)

    def _write(self, file, change):
        text = change((ROOT / "web" / file).read_text(encoding="utf-8"))
        (self.folder / file).write_text(text, encoding="utf-8")

    def start(self):
        self._server = self._start_pit(
            "--bodies", 40, "--seed", 1, port=self.port, web=self.folder
        )

    def stop(self):
        self._server.stop()


@pytest.fixture
def site(start_pit, tmp_path):
    site = Site(start_pit, tmp_path / "web")
    site.start()
    return site


@pytest.fixture
def visitor(site, new_page):
    """Who has been here once: the first build is kept."""
    page = new_page(is_kept=True).join(site.url)
    keeps(page, "first")
    return page


def builds(page):
    """Of which builds the parts of the open page are."""
    return page.page.evaluate(
        "() => [document.documentElement.dataset.build, document.documentElement.dataset.module]"
    )


def keeps(page, *names):
    """Waits until the browser has these builds and no others, and no worker is on its way."""
    page.until(lambda: page.page.evaluate(KEPT) == list(names))


def look_for_builds(page):
    """Has the browser ask for a newer worker, as it does by itself when a page is opened; tells
    whether the one that it found came to work."""
    return page.page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          const found = new Promise(done => registration.addEventListener("updatefound", () => {
            done(registration.installing);
          }));
          await registration.update().catch(() => {});
          const worker = await found;
          const isOver = () => ["activated", "redundant"].includes(worker.state);
          while (!isOver()) {
            await new Promise(done => worker.addEventListener("statechange", done, { once: true }));
          }
          return worker.state === "activated";
        }"""
    )


def test_the_page_opens_without_a_server_and_plays_alone(site, visitor):
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone && pit.count === 30")
    assert builds(visitor) == ["first", "first"]
    visitor.page.mouse.click(*visitor.free_place(360, 60))
    visitor.wait("pit => pit.count === 31")
    # Stickers have their pictures: all that is drawn was kept.
    assert visitor.page.evaluate(
        "async () => (await fetch('stickers/15-frog.svg')).headers.get('Content-Type')"
    ) == "image/svg+xml"
    site.start()
    visitor.wait("pit => pit.connected && pit.count === 40")
    visitor.said("Back with everybody")


def answers(site):
    """How many answers the server has given over HTTP."""
    with urllib.request.urlopen(site.url + "metrics") as metrics:
        lines = metrics.read().decode().splitlines()
    counts = [line for line in lines if line.startswith("stickerpit_http_answers_total{")]
    return sum(float(line.split()[-1]) for line in counts)


def test_a_second_load_of_the_same_build_asks_for_almost_nothing(site, visitor):
    before = answers(site)
    visitor.page.reload()
    visitor.wait("pit => pit.connected && pit.count === 40")
    # The page, its list of files, the world's version, the socket, and what this test asks itself.
    assert answers(site) - before < 10
    assert builds(visitor) == ["first", "first"]
    assert visitor.complaints == []


def test_no_file_is_fetched_twice_to_be_kept(site, visitor):
    # Metrics are a second old at most.
    visitor.page.wait_for_timeout(1200)
    files = (site.folder / "build.js").read_text().count('\n    "')
    # Beside them: the worker and its list, early.js under both addresses, the world's version, the
    # socket, and what this test asks itself.
    assert files < answers(site) < files + 15


def test_a_page_whose_list_is_older_than_itself_comes_from_the_server(site, visitor):
    # In the middle of an upload: the page is a newer one already, its list is not.
    list_of_first = (site.folder / "build.js").read_bytes()
    site.build("second")
    (site.folder / "build.js").write_bytes(list_of_first)
    (site.folder / "build.js.gz").unlink()
    visitor.page.reload()
    visitor.wait("pit => pit.connected && pit.count === 40")
    assert builds(visitor) == ["second", "second"]


def test_an_address_with_wishes_opens_as_well(site, visitor):
    site.stop()
    visitor.page.goto(site.url + "?stream=state&debug")
    visitor.wait("pit => pit.alone && pit.count === 30")


def test_a_proxy_that_says_its_server_is_gone_is_no_server(site, visitor):
    site.stop()
    visitor.page.route("**/", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    visitor.page.reload()
    visitor.wait("pit => pit.alone && pit.count === 30")


def test_a_new_build_is_seen_at_once_and_whole(site, visitor):
    site.build("second")
    visitor.page.reload()
    visitor.wait("pit => pit.connected && pit.count === 40")
    assert builds(visitor) == ["second", "second"]
    # As long as it is not kept, what opens without a server is the first one.
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone && pit.count === 30")
    assert builds(visitor) in (["first", "first"], ["second", "second"])
    site.start()
    visitor.page.reload()
    visitor.wait("pit => pit.connected && pit.count === 40")
    assert builds(visitor) == ["second", "second"]
    # Then it takes the place of the first, of which no page is open any more.
    visitor.until(lambda: "second" in (visitor.page.evaluate(KEPT) or []))
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone && pit.count === 30")
    assert builds(visitor) == ["second", "second"]


def test_a_build_that_does_not_come_whole_is_not_kept(site, visitor):
    site.build("second")
    # A module of a third build lies among the files of the second, as in the middle of an upload.
    (site.folder / "connection/alone.js").write_text("// of another build\n", encoding="utf-8")
    (site.folder / "connection/alone.js.gz").unlink()
    assert look_for_builds(visitor) is False
    keeps(visitor, "first")
    # What is opened without the server is the first one, all of it.
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone && pit.count === 30")
    assert builds(visitor) == ["first", "first"]


def test_a_page_from_the_cache_keeps_to_its_build_when_a_newer_one_is_there(site, visitor):
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone")
    site.build("second")
    site.start()
    visitor.wait("pit => pit.connected && pit.count === 40")
    assert look_for_builds(visitor) is True
    keeps(visitor, "first", "second")
    # What it asks for only now is of the build that it is of, though the second one's worker answers.
    texts = visitor.page.evaluate(
        """async () => {
          const text = async name => (await fetch(name)).text();
          return [await text("connection/alone.js"), await text("index.html")];
        }"""
    )
    assert 'dataset.module = "first"' in texts[0] and 'data-build="first"' in texts[1]
    # Opened anew it is the second one, whole.
    visitor.page.reload()
    visitor.wait("pit => pit.connected && pit.count === 40")
    assert builds(visitor) == ["second", "second"]


def test_a_kept_page_of_an_old_core_loads_itself_anew_once(site, visitor):
    site.stop()
    visitor.page.reload()
    visitor.wait("pit => pit.alone")
    seen = []
    page = visitor.page
    page.on("request", lambda request: request.is_navigation_request() and seen.append(request.url))
    other = json.dumps({"core": "0" * 16, "protocol": 9, "server": "later"})
    page.context.route("**/api/version", lambda route: route.fulfill(body=other))
    site.build("second")
    site.start()
    page.locator("#status.failure").wait_for(state="visible")
    assert len(seen) == 1 and builds(visitor) == ["second", "second"]


def test_without_a_list_of_its_files_the_page_is_as_ever(site, new_page):
    (site.folder / "build.js").unlink()
    (site.folder / "build.js.gz").unlink()
    page = new_page(is_kept=True).join(site.url)
    # It asks for its worker, which has no list and comes to nothing.
    assert page.page.evaluate(
        "() => navigator.serviceWorker.register('worker.js').then(() => 'kept', () => 'not kept')"
    ) == "not kept"
    page.page.reload()
    page.wait("pit => pit.connected && pit.count === 40")


def fetch(url):
    with urllib.request.urlopen(url) as answer:
        return answer.headers.get_content_type(), answer.read()


def test_the_page_can_be_installed(site, new_page):
    page = new_page(is_kept=True)
    page.join(site.url)
    url = page.page.locator("link[rel=manifest]").evaluate("link => link.href")
    kind, text = fetch(url)
    manifest = json.loads(text)
    assert kind == "application/manifest+json"
    assert manifest["name"] and manifest["short_name"] and manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = set()
    for icon in manifest["icons"]:
        kind, picture = fetch(site.url + icon["src"])
        assert kind == icon["type"] == "image/png"
        assert picture_size(picture) == icon["sizes"]
        sizes.add((icon["sizes"], icon.get("purpose", "any")))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    # Chromium itself finds nothing that is missing.
    errors = page.devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


def test_a_link_to_the_page_has_a_picture(site):
    _, page = fetch(site.url)
    for name in ("og:title", "og:description", "og:image"):
        assert f'property="{name}"' in page.decode()
    kind, picture = fetch(site.url + "icons/preview.png")
    assert kind == "image/png" and picture_size(picture) == "1200x630"
    # Messengers follow absolute addresses only, and are told the same words.
    agents = {"User-Agent": "WhatsApp/2.23.20.0"}
    with urllib.request.urlopen(urllib.request.Request(site.url, headers=agents)) as answer:
        told = answer.read().decode()
    tags = {tag.group(1): tag.group(2) for tag in TAG.finditer(page.decode())}
    absolute = {tag.group(1): tag.group(2) for tag in TAG.finditer(told)}
    # A machine's own name for itself would lead nobody there, so it is the address of the QR code.
    address = json.loads(fetch(site.url + "api/venue")[1])["address"] + "/"
    assert absolute.pop("og:url") == address
    assert absolute["og:image"] == address + tags["og:image"]
    assert absolute | {"og:image": tags["og:image"]} == tags
    kind, picture = fetch(site.url + "icons/apple-touch-icon.png")
    assert picture_size(picture) == "180x180"


TAG = re.compile(r'<meta property="(og:[^"]+)" content="([^"]*)">')


def picture_size(picture):
    """Width and height as a PNG's first chunk has them."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    return f"{width}x{height}"
