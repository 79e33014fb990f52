"""How a test aims by keys, and what a screen reader hears of it."""

# Where the aim is in the world; null while it is not shown.
AIM = """(() => {
  const mark = document.getElementById("aim");
  if (!mark || mark.hidden) return null;
  const { left, top } = mark.getBoundingClientRect();
  const pit = window.stickerPit;
  const [from, to] = [pit.toWindow(0, 0), pit.toWindow(100, 100)];
  return { x: (left - from.x) * 100 / (to.x - from.x), y: (top - from.y) * 100 / (to.y - from.y) };
})()"""


def press(page, key):
    page.page.keyboard.press(key)


def aim(page):
    return page.page.evaluate(AIM)


def start(page):
    """Shows the aim, by a key that moves it and one that moves it back; what it says of itself is read
    before anything else is."""
    press(page, "KeyL")
    page.page.wait_for_function(f"() => {AIM} !== null")
    heard(page, ".")
    press(page, "KeyJ")


def aim_at(page, x, y, within=13):
    """Moves the aim there by keys alone, and waits until it is there."""
    for _ in range(400):
        place = aim(page)
        right, down = x - place["x"], y - place["y"]
        if abs(right) < within and abs(down) < within:
            return
        for _ in range(max(1, int(abs(right) / 12)) if abs(right) >= within else 0):
            press(page, "KeyL" if right > 0 else "KeyJ")
        for _ in range(max(1, int(abs(down) / 12)) if abs(down) >= within else 0):
            press(page, "KeyK" if down > 0 else "KeyI")
    raise AssertionError(f"the aim never came to {x}, {y}")


# What is told of the aim, from the first call on: words may be followed by others before a slow test looks.
HEARD = """words => {
  const news = document.getElementById("aim-news");
  if (!news) return false;
  if (!window.toldOfAim) {
    window.toldOfAim = [];
    new MutationObserver(() => window.toldOfAim.push(news.textContent))
      .observe(news, { childList: true, characterData: true, subtree: true });
  }
  const sought = new RegExp(words);
  const at = window.toldOfAim.findIndex(told => sought.test(told));
  if (at >= 0) window.toldOfAim.splice(0, at + 1);
  return at >= 0 || sought.test(news.textContent);
}"""


def heard(page, words):
    """Waits until a screen reader is told it of the aim, or has been since what was heard last; `words` is
    a regular expression."""
    page.page.wait_for_function(HEARD, arg=words)


def take_first(page):
    """Jumps to a sticker and takes it; returns its slot. What swings may be missed once."""
    for _ in range(10):
        press(page, "KeyN")
        press(page, "KeyG")
        if page.comes("pit => pit.holding.length === 1", seconds=3):
            return page.get("pit.holding[0]")
    raise AssertionError("nothing was taken")
