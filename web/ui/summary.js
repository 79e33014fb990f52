// @ts-check
import { INSTANCE_FLOATS } from "../core/wire.js";
import { heldThings, nameOfThing } from "../play/thing.js";
import { laterWords, text } from "../strings/language.js";
import { make } from "./dom.js";

/** @typedef {import("../play/thing.js").Thing} Thing */
/** @typedef {{ instances: Float32Array, people: number, ownId: number }} Facts */

/** The time between two looks for changes, ms. */
const LOOK = 1000;
/** The least time between two sentences, ms. */
const APART = 10_000;
/** The count of stickers is told again when it has changed by more than this share. */
const SHARE = 0.1;
/** How many of those who hold something are named; the others are counted. */
const NAMED = 2;

/** What the pit is like now, in a sentence for those who can't see it: how many stickers and people
 * there are, and who holds what. */
export class Summary {
  #region = make("p", { id: "summary", className: "unseen", role: "status" });
  #facts;
  #nameOf;
  #saidAt = -Infinity;
  #saidCount = -1;
  /** People and hands, as they were told last. */ #said = "";

  /** @param {() => Facts | null} facts null while there is nothing to tell
   * @param {(id: number) => string} nameOf a person */
  static async begin(facts, nameOf) {
    await laterWords();
    return new Summary(facts, nameOf);
  }

  /** @param {() => Facts | null} facts
   * @param {(id: number) => string} nameOf */
  constructor(facts, nameOf) {
    this.#facts = facts;
    this.#nameOf = nameOf;
    document.body.append(this.#region);
    setInterval(() => this.#look(), LOOK);
  }

  #look() {
    const facts = document.visibilityState === "visible" ? this.#facts() : null;
    const now = performance.now();
    if (!facts || now - this.#saidAt < APART) return;
    const count = facts.instances.length / INSTANCE_FLOATS;
    const held = heldThings(facts.instances);
    const rest = [text("summary.people", { count: facts.people }), ...this.#hands(held, facts.ownId)];
    const isNews = Math.abs(count - this.#saidCount) > SHARE * this.#saidCount;
    const said = rest.reduce((before, next) => text("summary.and", { before, next }));
    if (said === this.#said && !isNews) return;
    [this.#said, this.#saidAt, this.#saidCount] = [said, now, count];
    const before = text("summary.stickers", { count });
    this.#region.textContent = text("summary.and", { before, next: said });
  }

  /** Who holds what.
   * @param {Thing[]} held
   * @param {number} ownId */
  #hands(held, ownId) {
    const named = held.slice(0, NAMED).map((thing) => {
      const what = nameOfThing(thing);
      if (thing.holder === ownId) return text("summary.youHold", { what });
      return text("summary.holds", { what, name: this.#nameOf(thing.holder) });
    });
    const count = held.length - named.length;
    return count > 0 ? [...named, text("summary.more", { count })] : named;
  }
}
