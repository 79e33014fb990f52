"""Every word of the page is in the language of whoever reads it, and finds its place on a small phone."""

import json
import re
from urllib.error import HTTPError

import pytest
from hosting import HostedPit, choose, host_page
from pitpage import AFTER_THE_PICTURE
from wording import astray, comes_and_goes, language, latin


@pytest.fixture
def look(tmp_path):
    """Takes a picture, for who wants to see it: pytest keeps it for a while."""

    def take(page, name):
        page.page.screenshot(path=tmp_path / f"{name}.png")

    return take


def address(pit):
    return f"http://127.0.0.1:{pit.port}/"


@pytest.mark.parametrize(
    ("locale", "query", "found"),
    [
        ("en-US", "?lang=zh", "zh-Hans"),
        ("en-US", "?lang=zh-TW", "zh-Hans"),
        ("zh-CN", "", "zh-Hans"),
        ("zh-CN", "?lang=en", "en"),
        ("zh-CN", "?lang=tlh", "zh-Hans"),
        ("de-DE", "", "en"),
        ("en-GB", "", "en"),
    ],
)
def test_the_address_chooses_before_the_browser_does(shared_pit, new_page, look, locale, query, found):
    page = new_page(locale=locale)
    paths = []
    page.page.on("request", lambda request: paths.append(request.url))
    page.join(address(shared_pit) + query)
    assert language(page) == found
    page.page.locator("#coach").wait_for()
    coach, live = (page.page.locator(one).text_content() for one in ("#coach", "#past .live"))
    if found == "en":
        assert (coach, live) == ("Click the pit to drop a sticker", "Live")
    else:
        assert (coach, live) == ("点击池子，放下一张贴纸", "现场")
        assert latin(page, page.get("pit.name")) == []
    # One file of words comes, and no other.
    words = [re.search(r"strings/(\w+)\.js", path) for path in paths]
    assert sorted(one[1] for one in words if one) == sorted(["language", found[:2]])
    assert page.complaints == []
    look(page, "page")


SCENES = [("pit", "zh"), ("rain", "zh"), ("gallery", "zh"), ("drag", "zh"), ("toss", "zh"), ("rain", "en")]


@pytest.mark.parametrize(("scene", "wanted"), SCENES)
def test_a_small_phone_has_room_for_each_scene(start_pit, new_page, look, scene, wanted):
    server = start_pit("--scene", scene, "--seed", 1)
    page = new_page(320, 640, has_touch=True, is_mobile=True)
    page.page.goto(f"{address(server)}?lang={wanted}")
    # The rain begins without anything to see.
    page.wait("(pit, scene) => pit.connected && pit.scene === scene", scene)
    page.page.locator("#coach").wait_for()
    if scene == "rain":
        page.page.locator(".chips button").first.wait_for()
    look(page, scene)
    assert astray(page) == []
    label = page.page.locator("#pit").get_attribute("aria-label")
    assert re.search(r"[一-鿿]", label) if wanted == "zh" else label.isascii()
    if wanted == "zh":
        assert latin(page, page.get("pit.name")) == []
    assert page.complaints == []


@pytest.mark.parametrize("has_sensor", [True, False], ids=["sensor", "ball"])
@pytest.mark.parametrize("wanted", ["zh", "en"])
def test_a_small_phone_has_room_for_what_comes_and_goes(shared_pit, new_page, look, wanted, has_sensor):
    page = new_page(320, 640, has_touch=True, is_mobile=True)
    page.join(f"{address(shared_pit)}?lang={wanted}")
    if has_sensor:
        page.tilt_phone(beta=60, gamma=0)
        page.page.locator("#tilts").wait_for()
    page.page.locator("#coach").wait_for()
    page.page.locator("#rewind").wait_for()
    look(page, "page")
    seen, found = comes_and_goes(page, wanted)
    assert seen > 30 and found == []
    page.page.evaluate("document.getElementById('status').hidden = false")
    look(page, "failure")


@pytest.mark.parametrize("wanted", ["zh", "en"])
def test_who_is_alone_in_the_gallery_sees_the_switch_for_tilting(start_pit, new_page, look, wanted):
    server = start_pit("--scene", "gallery", "--seed", 1)
    page = new_page(320, 640, has_touch=True, is_mobile=True)
    page.page.goto(f"{address(server)}?lang={wanted}")
    page.wait("pit => pit.connected && pit.scene === 'gallery'")
    page.tilt_phone(beta=60, gamma=0)
    page.page.locator("#tilts").wait_for()
    server.stop()
    page.page.locator("#alone").wait_for()
    look(page, "alone")
    _, found = comes_and_goes(page, wanted)
    assert [one for one in found if one.startswith("alone.")] == []


def test_the_past_and_the_corners_fit_as_well(server, new_page, look):
    for wanted in ("zh", "en"):
        page = new_page(320, 640, has_touch=True, is_mobile=True)
        page.join(f"{server.url}?lang={wanted}")
        page.wait("pit => pit.recorded > 60")
        page.page.locator("#rewind").click()
        page.page.locator("#past").wait_for()
        page.wait("pit => document.querySelector('#past .when').textContent.startsWith('−')")
        look(page, f"past-{wanted}")
        assert astray(page) == []
        if wanted == "zh":
            assert latin(page, page.get("pit.name")) == []
            assert page.page.locator("#past .when").text_content().endswith(" 秒")


def test_what_one_does_is_answered_in_chinese(start_pit, new_page):
    server = start_pit("--scene", "rain", "--seed", 1)
    page = new_page()
    page.page.goto(f"{address(server)}?lang=zh")
    page.wait("pit => pit.connected")
    page.page.get_by_role("button", name="so cold").click()
    page.said("你召来了一场雪花雨")
    page.page.get_by_label("关键词", exact=True).fill("nothing of that kind")
    page.page.keyboard.press("Enter")
    page.said("这个词什么也召不来，试试“生日快乐”。")
    page.page.locator("#bowl").focus()
    page.page.keyboard.down("ArrowLeft")
    page.page.locator("#bowl[aria-valuetext='向左，百分之 100']").wait_for()
    page.page.keyboard.up("ArrowLeft")
    # What is compared with comes from the server.
    page.page.evaluate("import(pageFile('./strings/later/zh.js'))")
    server.stop()
    page.page.locator("#alone", has_text="独自玩：没有服务器").wait_for()
    assert latin(page, page.get("pit.name"), "so cold", "happy birthday") == []


def test_who_has_no_name_is_called_so_in_chinese(start_pit, tmp_path, new_page):
    pit = HostedPit(start_pit, tmp_path, "--tilt", "captain")
    guest, english = (new_page().join(f"{pit.url}?lang={wanted}") for wanted in ("zh", "en"))
    stage = new_page(1280, 720).join(f"{pit.url}?view=stage&lang=zh")
    pit.act(f"hide?person={guest.get('pit.id')}")
    guest.page.locator("#my-name", has_text="某人").wait_for()
    guest.page.locator("#dots li", has_text="某人（你）").wait_for()
    stage.page.locator("#newest li", has_text="某人").wait_for()
    english.page.locator("#dots li", has_text="Somebody").wait_for()
    guest.page.keyboard.down("ArrowRight")
    stage.page.locator("#captain", has_text="现在由某人掌控池子").wait_for()
    guest.page.keyboard.up("ArrowRight")
    # So the host sees it, too.
    pit.url += "?lang=zh&host#"
    host = host_page(new_page, pit, 1200, 800)
    hidden = f"#host li:has(#host-person-{guest.get('pit.id')}) .person b"
    host.page.locator(hidden, has_text="某人").wait_for()
    assert "Somebody" not in host.page.locator("#host").inner_text()
    # And who plays alone without ever having been given a name.
    alone = new_page()
    alone.page.route_web_socket("**/ws", lambda socket: socket.close(code=1011))
    alone.page.goto(pit.url.replace("&host", ""))
    alone.wait("pit => pit.alone")
    assert alone.page.locator("#my-name").inner_text() == "独行侠"


@pytest.mark.parametrize(
    ("code", "reason", "words"),
    [
        (4003, "removed by the host", "你被主持人请出去了。"),
        (4003, "this address may join again in 12 minutes", "这个地址 12 分钟后才能再次加入。"),
        (4003, "this address may join again in 1 minute", "这个地址 1 分钟后才能再次加入。"),
        # What the page does not know is told as the server says it.
        (4003, "closed for today", "Closed for today."),
        (4002, "another tab", "你已在另一个标签页继续玩。"),
        (1013, "joining is locked", "主持人关上了门，正在重试"),
    ],
)
def test_why_the_server_closes_is_said_in_chinese(shared_pit, new_page, code, reason, words):
    page = new_page(320, 640)
    page.page.route_web_socket("**/ws", lambda socket: socket.close(code=code, reason=reason))
    page.page.goto(address(shared_pit) + "?lang=zh")
    page.page.locator("#status-text", has_text=words).wait_for()
    assert astray(page) == []


# What the panel's own requests can be refused, in a pit whose scene is `drag` and with nobody banned.
REFUSED = [
    "kick?person=999", "unban?address=192.0.2.7", "gravity?percent=50", "clear", "limits?people=1000000",
    "limits?bodies=5", "scene?name=pit&bodies=9999", "scene?name=rain&bodies=70000",
    "rename?person=1&name=" + "W" * 33, "rename?person=1&name=a%07", "rename?person=1&name=%20",
]  # fmt: skip


def test_what_the_host_is_refused_is_said_in_chinese(start_pit, tmp_path, new_page):
    pit = HostedPit(start_pit, tmp_path)
    page = new_page().join(pit.url + "?lang=zh")
    pit.act("scene?name=drag")
    page.wait("pit => pit.scene === 'drag'")
    said = {}
    for path in REFUSED:
        with pytest.raises(HTTPError) as refusal:
            pit.act(path)
        words = json.loads(refusal.value.read())["error"]
        said[words] = page.page.evaluate(
            """async words => {
              await (await import(pageFile("./strings/language.js"))).laterWords();
              return (await import(pageFile("./host/refusals.js"))).refusalSentence(words);
            }""",
            words,
        )
    # Chinese from the first to the last word, except for addresses; and no two of them are the same.
    assert [one for one in said.items() if re.search(r"[A-Za-z]|^$|undefined", one[1])] == []
    assert len(set(said.values())) == len(REFUSED) - 1, said
    # What the page does not know is told as the server says it.
    unknown = """async () => (await import(pageFile("./host/refusals.js"))).refusalSentence("closed for today")"""
    assert page.page.evaluate(unknown) == "Closed for today."


def test_without_its_file_a_language_gives_way_to_english(shared_pit, new_page):
    page = new_page()
    page.page.route("**/strings/zh.js*", lambda route: route.abort())
    page.join(address(shared_pit) + "?lang=zh")
    assert language(page) == "en"
    assert page.page.locator("#past .live").text_content() == "Live"
    page.page.locator("#coach", has_text="Click the pit").wait_for()


def test_without_any_words_the_page_says_that_it_could_not_be_loaded(shared_pit, new_page):
    page = new_page()
    page.page.route(re.compile(r"/strings/(en|zh)\.js"), lambda route: route.abort())
    page.page.goto(address(shared_pit))
    page.page.get_by_text("The pit could not be loaded.").wait_for()
    assert page.page.get_by_role("button", name="Reload").is_visible()


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_stage_speaks_chinese(start_pit, new_page, look, size):
    server = start_pit("--bodies", 40, "--seed", 1)
    stage = new_page(*size)
    stage.page.goto(f"{address(server)}?view=stage&lang=zh")
    stage.page.locator("#hints li").first.wait_for()
    assert "还没有人来" in stage.page.locator("#heads").inner_text()
    look(stage, "hints")
    assert astray(stage) == [] and latin(stage) == []
    guest = new_page().join(address(server))
    stage.page.locator("#newest li").wait_for()
    assert stage.page.locator("#heads").inner_text().split() == ["1", "人在场"]
    look(stage, "people")
    assert astray(stage) == [] and latin(stage, guest.get("pit.name")) == []
    assert stage.complaints + guest.complaints == []


@pytest.mark.parametrize("size", [(1280, 720), (320, 640)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("flags", [[], ["--admin-listen", "127.0.0.1:0"]], ids=["all", "hidden"])
def test_the_monitor_speaks_chinese(start_pit, new_page, look, size, flags):
    server = start_pit("--bodies", 40, *flags)
    page = new_page(*size)
    page.page.goto(f"{address(server)}?view=monitor&lang=zh")
    page.page.wait_for_function("() => window.stickerPit?.points.length > 2")
    look(page, "monitor")
    assert astray(page) == [] and latin(page) == []
    server.stop()
    page.page.locator("#state", has_text="没有回应").wait_for()
    assert latin(page) == []


@pytest.mark.parametrize("size", [(320, 640), (1200, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_host_speaks_chinese(start_pit, tmp_path, new_page, look, size):
    pit = HostedPit(start_pit, tmp_path)
    guest = new_page().join(pit.url)
    pit.url += "?lang=zh&host#"
    touch = size[0] < 1000
    host = host_page(new_page, pit, *size, has_touch=touch, is_mobile=touch)
    names = [guest.get("pit.name"), host.get("pit.name")]
    for name in ("人员", "世界", "房间", "记录"):
        choose(host, name)
        if name == "人员":
            host.page.locator(f"#host .person:has-text('{names[0]}')").click()
            host.page.locator("#host .acts:not([hidden]) select").wait_for()
        if name == "世界":
            host.page.get_by_role("switch", name="暂停").click()
            host.page.locator("#frozen", has_text="主持人按下了暂停").wait_for()
        if name == "房间":
            host.page.get_by_label("公告").fill("大家好")
            host.page.get_by_role("button", name="发布").click()
            host.page.locator("#host .message", has_text="现在大家都看到了。").wait_for()
        if name == "记录":
            host.page.locator("#host .audit li", has_text="暂停").wait_for()
        look(host, f"host-{name}")
        assert astray(host) == [], name
        assert latin(host, *names) == [], name
    choose(host, "人员")
    host.page.get_by_role("button", name="封禁地址").click()
    host.page.locator("dialog", has_text="把 127.0.0.1 封禁 10 分钟？").wait_for()
    look(host, "host-question")
    assert astray(host) == [] and latin(host, *names) == []
    host.page.get_by_role("button", name="取消").click()
    assert host.complaints == []


def test_the_first_load_stays_small(shared_pit, new_page):
    for wanted in ("en", "zh"):
        page = new_page().join(f"{address(shared_pit)}?lang={wanted}")
        sizes = page.page.evaluate(
            """later => performance.getEntries()
              .filter(({ name, entryType }) => entryType === "navigation" || /\\.(js|css)$/.test(name))
              .filter(({ name }) => !later.some(one => name.endsWith(`/${one}`)))
              .map(({ encodedBodySize }) => encodedBodySize)""",
            sorted(AFTER_THE_PICTURE),
        )
        assert len(sizes) > 75 and min(sizes) > 0
        # The page's own files as they are sent, without the module and the pictures (README, "Limits").
        assert sum(sizes) < 120_000, wanted
        module = page.page.evaluate(
            """performance.getEntriesByType("resource")
              .filter(({ name }) => name.endsWith("/pit.wasm")).map(one => one.encodedBodySize)"""
        )
        assert len(module) == 1 and 0 < module[0] < 370_000, wanted
