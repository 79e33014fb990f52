"""What of a page is in no Chinese, and what of its words finds no place."""

# What the server or other people say, and what is called the same everywhere.
OTHERS = (
    "#brand, #my-name, #dots, #newest, #announcement, .chips button, .person b, .person .address, "
    ".details, .ban b, #join .address, kbd, #debug, noscript, script"
)

# Latin words of two letters and more that no Chinese text has: in text, seen or not, and in what
# screen readers read. Names of people are taken out before.
LATIN = """async ([others, names]) => {
  const [first, later] = await Promise.all(["", "later/"].map(part => import(pageFile(`./strings/${part}zh.js`))));
  const texts = Object.values({ ...first.TEXTS, ...later.TEXTS });
  const known = new Set(JSON.stringify(texts).match(/[A-Za-z]{2,}/g));
  for (const word of ["Sticker", "Pit", "kB", "MB", "AM", "PM"]) known.add(word);
  const found = [];
  const look = (element, words, where) => {
    if (!words || element.closest(others)) return;
    for (const name of names) words = words.replaceAll(name, "");
    const latin = (words.replace(/https?:\\S+|[\\d.]{7,}\\S*/g, "").match(/[A-Za-z]{2,}/g) ?? [])
      .filter(word => !known.has(word));
    if (latin.length > 0) found.push(`${element.tagName}#${element.id}.${element.className} ${where}: ${words}`);
  };
  for (const element of document.body.querySelectorAll("*")) {
    for (const name of ["aria-label", "aria-valuetext", "aria-description", "title", "alt", "placeholder"]) {
      look(element, element.getAttribute(name), name);
    }
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) look(element, node.data, "text");
    }
  }
  return found;
}"""

# What sticks out of the window at its sides, and text that is cut off. The tray is swiped; names and
# addresses of others are shortened by dots on purpose; some words are for screen readers only.
ASTRAY = """root => {
  const found = [];
  root ??= document.body;
  for (const one of [root, ...root.querySelectorAll("*")]) {
    if (!one.checkVisibility() || one.closest("svg, .strip, #dots, noscript, #pit, .splash, .unseen")) continue;
    const { left, right, width } = one.getBoundingClientRect();
    if (width === 0) continue;
    const isOut = left < -1 || right > innerWidth + 1;
    const { overflowX, textOverflow, clipPath } = getComputedStyle(one);
    if (clipPath === "inset(50%)") continue;
    const hasText = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const isCut = hasText && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
      && overflowX !== "auto" && textOverflow !== "ellipsis";
    if (isOut || isCut) found.push(`${one.tagName}#${one.id}.${one.className} ${one.textContent.trim().slice(0, 30)}`);
  }
  const { scrollWidth, clientWidth } = document.scrollingElement;
  if (scrollWidth > clientWidth + 1) found.push("the page scrolls");
  return found;
}"""

# Shows each of the texts that come and go in its place, alone, and tells which of them don't fit.
PLACES = {
    "coach": ["coach."],
    "toast": ["toast.", "alone.over", "past.unsure"],
    "status-text": ["status.", "failure."],
    "alone": ["alone."],
    "headline": ["headline."],
}
EVERY_TEXT = """async ([places, language]) => {
  const { TEXTS } = await import(pageFile(`./strings/${language}.js`));
  const values = { count: 60, name: "Curious Hedgehog", what: TEXTS["sticker.cactus"], example: "生日快乐" };
  const astray = %s;
  const found = [];
  let seen = 0;
  for (const [id, beginnings] of Object.entries(places)) {
    const element = document.getElementById(id);
    const box = id === "status-text" ? element.parentElement : element;
    for (const [key, text] of Object.entries(TEXTS)) {
      if (!beginnings.some(one => key.startsWith(one))) continue;
      (element.querySelector(".words") ?? element).textContent = (text.other ?? text).replace(/\\{(\\w+)\\}/g, (_, name) => values[name]);
      box.classList.toggle("failure", key.startsWith("failure."));
      box.hidden = false;
      seen += 1;
      const { top, bottom, left, right } = box.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) found.push(`${key} is cut`);
      // The headline is large, and gone at once.
      const buttons = id === "headline" ? [] : document.querySelectorAll("#rewind, .corner");
      for (const button of buttons) {
        const edge = button.getBoundingClientRect();
        const isOver = left < edge.right && right > edge.left && top < edge.bottom && bottom > edge.top;
        if (edge.width > 0 && isOver) found.push(`${key} lies over #${button.id}`);
      }
      found.push(...astray(box).map(one => `${key}: ${one}`));
      box.hidden = true;
    }
  }
  return [seen, found];
}""" % ASTRAY  # fmt: skip


def latin(page, *names):
    return page.page.evaluate(LATIN, [OTHERS, sorted(names, key=len, reverse=True)])


def astray(page):
    return page.page.evaluate(ASTRAY)


def language(page):
    return page.page.evaluate("document.documentElement.lang")


def comes_and_goes(page, wanted):
    """How many texts were shown in their places, and those that don't fit."""
    return page.page.evaluate(EVERY_TEXT, [PLACES, wanted])
