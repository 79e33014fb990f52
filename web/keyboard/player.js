// @ts-check
import { isTyping, onControl, withKeyHelp } from "../input/keys.js";
import { laterWords, text } from "../strings/language.js";
import { loadStyles, make } from "../ui/dom.js";
import { Aim, directionOf } from "./aim.js";
import { nameOfThing, thingAfter, thingAt, thingOf } from "../play/thing.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {import("../play/thing.js").Thing} Thing */
/**
 * What is played with.
 * @typedef {object} Parts
 * @property {import("../play/play.js").Play} play
 * @property {import("../draw/renderer.js").Picture} picture
 * @property {import("../draw/letterbox.js").Letterbox} letterbox
 * @property {import("../ui/tray.js").Tray} tray
 * @property {HTMLElement} arena
 * @property {() => number} ownId
 * @property {() => boolean} isResting whether nothing can be done, as in the past
 */

/** How long the key is held for a throw of full strength, ms. */
const FULL = 1200;
/** The speeds of the weakest throw and of the strongest, pt/s. */
const [WEAKEST, STRONGEST] = [350, 4200];
/** How long the aim must have rested before it is said what it is over, ms. */
const RESTED = 350;
/** The time between two looks whether somebody has taken it or let it go meanwhile, ms: then that is said. */
const LOOK = 1000;

/** Plays by keys alone: aims, drops, takes, carries, throws and straightens. */
export class Player {
  #parts;
  #aim;
  #news = make("p", { id: "aim-news", className: "unseen", role: "status" });
  /** The slot of what is carried, or −1. */ #carried = -1;
  /** A throw that is being made: since when, and which sticker's, if any.
   * @type {{ since: number, sticker: import("../play/movingsticker.js").MovingSticker | null } | null} */
  #throw = null;
  /** @type {Vector} of the next throw */ #direction = { x: 0, y: -1 };
  /** @type {Set<string>} keys that point a throw */ #pointing = new Set();
  /** Where what is carried was brought last.
   * @type {Vector | null} */
  #dragged = null;
  #toldAt = 0;
  /** @type {string[]} what is said in a moment */ #waiting = [];
  /** @type {{ slot: number, holder: number }} what the aim was said to be over */ #told = nothing();
  /** Asked for from the browser while the aim is shown: its part in the next picture. */ #picture = 0;

  /** Loads its style sheet and its words.
   * @param {Parts} parts */
  static async open(parts) {
    await Promise.all([loadStyles(new URL("./aim.css", import.meta.url)), laterWords()]);
    return new Player(parts);
  }

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#aim = new Aim(parts.arena, parts.letterbox);
    document.body.append(this.#news);
    // Before other listeners: with them arrows tilt, and the space bar drops anywhere.
    addEventListener("keydown", (event) => this.#down(event), { capture: true });
    addEventListener("keyup", (event) => this.#up(event), { capture: true });
    addEventListener("blur", () => this.#stop());
    document.addEventListener("visibilitychange", () => this.#stop());
  }

  /** A key that was pressed while this was still loading; it may be up again.
   * @param {KeyboardEvent} event */
  begin(event) {
    if (this.#parts.isResting()) return;
    this.#show();
    if (event.code === "KeyT") return;
    this.#act(event.code);
    this.#aim.rest();
  }

  /** @param {KeyboardEvent} event */
  #down(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (this.#parts.isResting() || !this.#isMeant(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return;
    this.#show();
    this.#act(event.code);
  }

  /** Whether a key is for the aim, and not for what has the focus or for the tilt.
   * @param {KeyboardEvent} event */
  #isMeant(event) {
    const { code, shiftKey } = event;
    if (code.startsWith("Arrow")) return this.#throw !== null || (shiftKey && !onControl(event));
    if (code === "Enter") return !onControl(event);
    if (code === "Space") return this.#aim.isShown && !onControl(event);
    if (code === "Escape") return this.#aim.isShown;
    return !shiftKey && (code in ACTS || directionOf(code) !== null);
  }

  /** @param {KeyboardEvent} event */
  #up({ code }) {
    this.#aim.lift(code);
    this.#pointing.delete(code);
    if (code === "KeyT") this.#letFly();
  }

  /** @param {string} code of a key */
  #act(code) {
    if (directionOf(code) && this.#throw) this.#point(code);
    else if (directionOf(code)) this.#aim.press(code);
    else ACTS[code]?.(this);
  }

  #show() {
    if (this.#aim.isShown) return;
    this.#aim.show();
    this.#say(withKeyHelp(text("aim.shown")));
    const look = (/** @type {number} */ now) => {
      this.#picture = requestAnimationFrame(look);
      this.#advance(now);
    };
    this.#picture = requestAnimationFrame(look);
  }

  /** @param {number} now */
  #advance(now) {
    if (this.#parts.isResting()) return this.hide();
    const { play, picture } = this.#parts;
    const isLost = this.#carried >= 0 && !play.hands.holds(this.#carried);
    if (isLost) this.#carry(-1);
    this.#aim.advance(now);
    if (this.#throw) this.#charge(this.#throw, now);
    if (this.#carried >= 0 && this.#dragged !== this.#aim.point) {
      this.#dragged = this.#aim.point;
      play.gestures.dragged(this.#carried, this.#dragged);
    }
    if (this.#isDue && !this.#throw) this.#tell(thingAt(picture.instances, this.#aim.point));
  }

  /** Whether it is time to look what the aim is over: when it has come to rest, and then now and again. */
  get #isDue() {
    const now = performance.now();
    const { movedAt } = this.#aim;
    return now - movedAt > RESTED && (movedAt > this.#toldAt || now - this.#toldAt >= LOOK);
  }

  /** @param {{ since: number, sticker: import("../play/movingsticker.js").MovingSticker | null }} made
   * @param {number} now */
  #charge({ since, sticker }, now) {
    sticker?.advance(this.#parts.picture.instances, now);
    if (sticker) this.#aim.jump(sticker.predict(0));
    this.#aim.draw(this.#direction, strength(since));
  }

  /** Drops what is next, or calls a square. */
  drop() {
    const { play, tray, picture } = this.#parts;
    const { drops, places } = play.scene;
    if (!drops && !places) return this.#say(text("aim.noDrop"));
    const what = places ? null : text("aim.dropped", { what: nameOfThing({ kind: tray.kind, slot: 0 }) });
    const slot = places ? (thingAt(picture.instances, this.#aim.point)?.slot ?? -1) : -1;
    // If nothing can be done now, the page itself tells why.
    if (!play.gestures.tapped(this.#aim.point, slot)) return;
    if (what) this.#say(what);
    else this.#say(text(slot < 0 ? "aim.called" : "aim.picked"));
  }

  /** Takes what the aim is over, or lets go of what is carried. */
  take() {
    const { play, picture } = this.#parts;
    if (this.#carried >= 0) return this.#release({ x: 0, y: 0 }, "aim.released");
    const found = thingAt(picture.instances, this.#aim.point);
    if (!found) return this.#say(text("aim.nothing"));
    if (!play.gestures.grabbed(found.slot, this.#aim.point, false)) return;
    this.#carry(found.slot);
    this.#say(text("aim.taken", { what: nameOfThing(found) }));
  }

  /** Begins a throw: of what is carried, of what the aim is over, or of what is next. */
  throw() {
    const { play } = this.#parts;
    // In scenes in which no new sticker can be thrown, it is the one under the aim.
    if (this.#carried < 0 && !play.scene.drops) this.take();
    if (this.#carried < 0 && !play.scene.drops) return;
    const sticker = this.#carried < 0 ? play.gestures.pick(this.#aim.point) : null;
    this.#throw = { since: performance.now(), sticker };
  }

  /** The longer the key was held, the stronger. */
  #letFly() {
    if (!this.#throw) return;
    const { since, sticker } = this.#throw;
    const { play } = this.#parts;
    const speed = WEAKEST + (STRONGEST - WEAKEST) * strength(since);
    const velocity = { x: this.#direction.x * speed, y: this.#direction.y * speed };
    this.#stop();
    if (this.#carried >= 0) return this.#release(velocity, "aim.thrown");
    const from = sticker?.predict(play.gestures.lead()) ?? this.#aim.point;
    if (play.gestures.thrown(from, velocity, sticker !== null)) this.#say(text("aim.flew"));
  }

  /** @param {Vector} velocity
   * @param {"aim.released" | "aim.thrown"} how it is told */
  #release(velocity, how) {
    const { play, picture } = this.#parts;
    const carried = thingOf(picture.instances, this.#carried);
    const isReleased = play.gestures.released(this.#carried, velocity);
    this.#carry(-1);
    if (isReleased && carried) this.#say(text(how, { what: nameOfThing(carried) }));
  }

  /** Straightens what is carried or what the aim is over, there. */
  straighten() {
    const { play, picture } = this.#parts;
    const { instances } = picture;
    const found = thingOf(instances, this.#carried) ?? thingAt(instances, this.#aim.point);
    if (!found) return this.#say(text("aim.nothing"));
    if (this.#carried >= 0) this.#release({ x: 0, y: 0 }, "aim.released");
    const isSent = play.snap(found.slot, this.#aim.point);
    if (isSent) this.#say(text("aim.straight", { what: nameOfThing(found) }));
  }

  /** The aim jumps to the next sticker. */
  next() {
    const { instances } = this.#parts.picture;
    const found = thingAfter(instances, this.#told.slot);
    if (!found || this.#carried >= 0) return;
    this.#aim.jump({ x: found.x, y: found.y });
    this.#told = nothing();
    this.#tell(found);
  }

  /** @param {number} by how many places in the tray */
  choose(by) {
    const { play, tray } = this.#parts;
    if (!play.scene.drops) return;
    tray.step(by);
    this.#say(text("aim.chosen", { what: nameOfThing({ kind: tray.kind, slot: 0 }) }));
  }

  /** Puts the aim away, and lets go of everything. */
  hide() {
    this.#stop();
    if (this.#carried >= 0) this.#release({ x: 0, y: 0 }, "aim.released");
    this.#aim.hide();
    cancelAnimationFrame(this.#picture);
  }

  /** Ends what keys have begun: nothing is thrown or moved until a key is pressed again. */
  #stop() {
    this.#throw = null;
    this.#pointing.clear();
    this.#aim.draw(null, 0);
    this.#aim.rest();
  }

  /** @param {string} code */
  #point(code) {
    this.#pointing.add(code);
    let [x, y] = [0, 0];
    for (const one of this.#pointing) {
      const [dx, dy] = directionOf(one) ?? [0, 0];
      x += dx;
      y += dy;
    }
    const length = Math.hypot(x, y);
    if (length > 0) this.#direction = { x: x / length, y: y / length };
  }

  /** @param {number} slot or −1 */
  #carry(slot) {
    this.#carried = slot;
    this.#aim.close(slot >= 0);
  }

  /** Says what the aim is over, once, and again when it changes hands.
   * @param {Thing | null} found */
  #tell(found) {
    const isMoved = this.#aim.movedAt > this.#toldAt;
    this.#toldAt = performance.now();
    const { slot, holder } = found ?? nothing();
    // A sticker that only rolls by is not told.
    const isOther = isMoved || (slot === this.#told.slot && holder !== this.#told.holder);
    if (!isOther || (this.#carried >= 0 && slot === this.#carried)) return;
    this.#told = { slot, holder };
    this.#say(found ? this.#inWords(found) : this.#placeInWords());
  }

  /** @param {Thing} found */
  #inWords(found) {
    const what = nameOfThing(found);
    if (found.holder < 0) return what;
    if (found.holder === this.#parts.ownId()) return text("aim.mine", { what });
    return text("aim.held", { what, name: this.#parts.play.nameOf(found.holder) });
  }

  #placeInWords() {
    const { worldWidth, worldHeight } = this.#parts.letterbox;
    const [across, down] = [this.#aim.point.x / worldWidth, this.#aim.point.y / worldHeight];
    const percent = (/** @type {number} */ share) => Math.round(share * 20) * 5;
    return text("aim.empty", { across: percent(across), down: percent(down) });
  }

  /** Says something to screen readers. What is said within a moment is joined: otherwise only the
   * last of it would be heard.
   * @param {string} words */
  #say(words) {
    this.#toldAt = performance.now();
    this.#waiting.push(words);
    if (this.#waiting.length > 1) return;
    // A turn later: a text that comes together with its live region is not read out.
    setTimeout(() => {
      this.#news.textContent = this.#waiting.join("\n");
      this.#waiting = [];
    }, 50);
  }
}

/** What each key does.
 * @type {Record<string, (player: Player) => void>} */
const ACTS = {
  Enter: (player) => player.drop(),
  Space: (player) => player.drop(),
  KeyG: (player) => player.take(),
  KeyT: (player) => player.throw(),
  KeyX: (player) => player.straighten(),
  KeyN: (player) => player.next(),
  KeyQ: (player) => player.choose(-1),
  KeyE: (player) => player.choose(1),
  Escape: (player) => player.hide(),
};

/** Of a throw, 0…1.
 * @param {number} since */
function strength(since) {
  return Math.min(1, (performance.now() - since) / FULL);
}

function nothing() {
  return { slot: -1, holder: -1 };
}
