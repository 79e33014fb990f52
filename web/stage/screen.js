// @ts-check
import { STICKER_SIZE, stickerURL } from "../draw/sheet.js";
import { text } from "../strings/language.js";
import { icon, make, write } from "../ui/dom.js";
import { Headline } from "../ui/headline.js";
import { Attract } from "./attract.js";
import { Newcomers } from "./newcomers.js";

/** @typedef {import("./bests.js").Best} Best */
/** @typedef {import("../play/scenes.js").SceneInfo} SceneInfo */
/** @typedef {import("../connection/states.js").ConnectionState} ConnectionState */

/** What is said while there is nothing to see; nobody is there who could do anything about it.
 * @param {ConnectionState} state */
function statusOf(state) {
  if (state === "connecting" || state === "online" || state === "paused") return "";
  if (state === "waiting") return text("status.unreached");
  return text(state === "removed" ? "stage.locked" : `stage.${state}`);
}

/** Pictures of one line: a code's corners, a phone that tilts, a finger that taps, words. */
const SCAN =
  "M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4" +
  "M9 20H5a1 1 0 0 1-1-1v-4M8 8h3v3H8zM13 13h3v3h-3zM13 8h3M8 16h3";
const TILT =
  "M9.5 4.6l7.7 2.1a1 1 0 0 1 .7 1.2l-2.8 10.6a1 1 0 0 1-1.2.7l-7.7-2.1a1 1 0 0 1-.7-1.2" +
  "L8.3 5.3a1 1 0 0 1 1.2-.7zM3 8a9 9 0 0 0-1 4M21 16a9 9 0 0 0 1-4";
const TAP =
  "M12 14V7.5a1.5 1.5 0 0 1 3 0V13l3.4 1a2 2 0 0 1 1.4 2.3l-.8 3.7H11l-3.2-4" +
  "a1.4 1.4 0 0 1 2.1-1.8zM8.5 7.5a5 5 0 0 1 10 0";
const SAY =
  "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z" +
  "M8 9.5h8M8 12h5";

/** All that the stage's screen shows instead of the page for players. */
export class Screen {
  /** A picture: what happens in it stands beside it in words. */
  canvas = make("canvas", { id: "pit", role: "img", "aria-label": text("stage.pit") });
  announcement = make("p", { id: "announcement", dir: "auto", hidden: true });
  captain = make("p", { id: "captain", dir: "auto", hidden: true });
  frozen = make("p", { id: "frozen", hidden: true }, icon("M8 5v14M16 5v14"), text("toast.frozen"));
  #status = make("p", { id: "stage-status", hidden: true });
  #large = make("p", { id: "headline", hidden: true });
  /** What is said in large letters. */ headline = new Headline(this.#large);
  #hints = make("ol", { id: "hints", hidden: true });
  #count = make("b");
  #here = make("span");
  #newest = make("ul", { id: "newest" });
  #newcomers = new Newcomers(this.#newest);
  #people = make("section", { id: "newcomers", hidden: true },
    make("h2", { textContent: text("stage.newest") }), this.#newest);
  #hit = make("dd");
  #throw = make("dd");
  #taught = "";

  /** @param {HTMLElement} invitation */
  constructor(invitation) {
    const brand = make("h1", { id: "brand" },
      make("img", { src: stickerURL(0), alt: "" }),
      make("span", {}, "Sticker ", make("b", { textContent: "Pit" })));
    const lately = make("section", { id: "lately" },
      make("h2", { textContent: text("stage.lately") }),
      make("dl", {},
        make("div", {}, make("dt", { textContent: text("stage.hit") }), this.#hit),
        make("div", {}, make("dt", { textContent: text("stage.throw") }), this.#throw)));
    const hall = make("div", { id: "hall" },
      brand, make("p", { id: "heads" }, this.#count, this.#here), this.#people, lately);
    const arena = make("div", { id: "arena" }, this.canvas);
    /** What it does while nobody plays. */
    this.attract = new Attract(arena, invitation);
    arena.append(
      this.attract.element, this.frozen, this.#hints,
      make("div", { role: "status" }, this.#large),
      make("div", { role: "status" }, this.#status));
    const middle = make("div", { id: "middle" },
      make("div", { role: "status" }, this.announcement),
      make("div", { role: "status" }, this.captain), arena);
    document.body.replaceChildren(make("main", { id: "screen" }, hall, middle, invitation));
    this.showHighlights(null, null, "");
  }

  /** @param {ConnectionState} state */
  showState(state) {
    document.documentElement.dataset.connection = state;
    this.say(statusOf(state));
  }

  /** @param {string} words */
  say(words) {
    write(this.#status, words);
    this.#status.hidden = words === "";
  }

  /** After a welcome the first list names those who were there. */
  beginPeople() {
    this.#newcomers.begin();
  }

  /** @param {import("../core/module.js").Person[]} people the newest first
   * @param {number} count of all */
  showPeople(people, count) {
    write(this.#count, count === 0 ? "" : String(count));
    write(this.#here, count === 0 ? text("stage.nobody") : ` ${text("stage.people", { count })}`);
    this.#newcomers.show(people);
    this.#people.hidden = people.length === 0;
  }

  /** @param {Best | null} hit pt/s
   * @param {Best | null} highest points
   * @param {string} thrower their name, if it is known */
  showHighlights(hit, highest, thrower) {
    const none = text("stage.none");
    write(this.#hit, hit ? text("stage.speed", { stickers: inStickers(hit.value) }) : none);
    if (!highest) return write(this.#throw, none);
    const stickers = inStickers(highest.value);
    const height = thrower
      ? text("stage.heightBy", { stickers, name: thrower })
      : text("stage.height", { stickers });
    write(this.#throw, height);
  }

  /** Whether those who pass by are told what to do, and what that is in the scene.
   * @param {boolean} isWanted
   * @param {SceneInfo} scene
   * @param {number} now ms */
  invite(isWanted, scene, now) {
    this.#hints.hidden = !isWanted;
    this.attract.turn(isWanted, now);
    if (!isWanted || this.#taught === scene.name) return;
    this.#taught = scene.name;
    const hints = [hint(SCAN, "stage.scan", "stage.scanWhat")];
    if (scene.tilts) hints.push(hint(TILT, "stage.tilt", "stage.tiltWhat"));
    if (scene.drops) hints.push(hint(TAP, "stage.drop", "stage.dropWhat"));
    else if (scene.says) hints.push(hint(SAY, "stage.say", "stage.sayWhat"));
    else hints.push(hint(TAP, "stage.drag", "stage.dragWhat"));
    this.#hints.replaceChildren(...hints);
  }
}

/** @typedef {"scan" | "tilt" | "drop" | "say" | "drag"} Verb */
/** @param {string} path
 * @param {`stage.${Verb}`} verb
 * @param {`stage.${Verb}What`} rest */
function hint(path, verb, rest) {
  const strong = make("b", { textContent: text(verb) });
  return make("li", {}, icon(path), make("p", {}, strong, ` ${text(rest)}`));
}

/** Everybody sees how large a sticker is; points mean nothing to who passes by.
 * @param {number} points */
function inStickers(points) {
  const stickers = points / STICKER_SIZE;
  return stickers < 10 ? stickers.toFixed(1) : String(Math.round(stickers));
}
