// @ts-check
import { glide } from "../core/vector.js";
import { Placed } from "./placed.js";

/** @typedef {import("../core/module.js").PersonTilt} PersonTilt */

/** How many people's tilts are told at most: `WireLimits.shownTilts`. */
const MOST = 12;
/** A dot glides to where it is told to be: 63 % of its way in this share of the time between two notices. */
const SHARE = 0.6;
/** The shortest and longest time for those 63 %, ms. */
const [FASTEST, SLOWEST] = [150, 1000];
/** After a longer silence, ms, than a crowd's two seconds nobody had tilted. */
const QUIET = 2500;
/** After how many of those times dots have arrived, and are not moved. */
const ARRIVED = 8;

/** A dot in the bowl for each of the others, in that one's colour. */
export class OthersDots {
  #reach;
  /** @type {SVGCircleElement[]} */ #circles = [];
  /** @type {Placed[]} */ #placed = [];
  /** Whose dot it is; −1 for nobody's. */
  #people = new Int32Array(MOST).fill(-1);
  /** Where each is told to be, and where it is drawn: x, y. */
  #goals = new Float64Array(2 * MOST);
  #places = new Float64Array(2 * MOST);
  /** When the last picture was drawn, when tilts were told last, and the time for 63 % of the way, ms. */
  #times = new Float64Array([0, 0, FASTEST]);

  /** @param {Element | null} group of the picture
   * @param {number} reach how far a dot gets from its
   * middle */
  constructor(group, reach) {
    this.#reach = reach;
    for (let slot = 0; slot < MOST; slot += 1) {
      const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      circle.setAttribute("r", "5");
      circle.setAttribute("transform", "translate(0 0)");
      circle.classList.add("away");
      group?.append(circle);
      this.#circles.push(circle);
      this.#placed.push(new Placed(circle));
    }
  }

  /** @param {PersonTilt[]} tilts of the others, no more than are told
   * @param {(id: number) => string} colourOf */
  show(tilts, colourOf) {
    for (let slot = 0; slot < MOST; slot += 1) {
      if (tilts.some(({ id }) => id === this.#people[slot])) continue;
      this.#people[slot] = -1;
      this.#circles[slot].classList.add("away");
    }
    for (const { id, x, y } of tilts) {
      const known = this.#people.indexOf(id);
      const slot = known < 0 ? this.#people.indexOf(-1) : known;
      if (slot < 0) return;
      this.#goals[2 * slot] = x;
      this.#goals[2 * slot + 1] = y;
      if (known < 0) this.#begin(slot, id, colourOf(id));
    }
    const now = performance.now();
    const gap = now - this.#times[1];
    this.#times[1] = now;
    this.#times[2] = gap > QUIET ? FASTEST : Math.min(SLOWEST, Math.max(FASTEST, SHARE * gap));
  }

  /** @param {number} slot
   * @param {number} id
   * @param {string} colour */
  #begin(slot, id, colour) {
    this.#people[slot] = id;
    this.#places[2 * slot] = this.#goals[2 * slot];
    this.#places[2 * slot + 1] = this.#goals[2 * slot + 1];
    this.#circles[slot].style.setProperty("--dot", colour);
    this.#circles[slot].classList.remove("away");
  }

  /** @param {number} now ms */
  draw(now) {
    const last = this.#times[0];
    this.#times[0] = now;
    // All had arrived in the picture before. The time of this one does not tell: after a pause of the page
    // much of it has passed, and what was told meanwhile is not drawn yet.
    if (last - this.#times[1] > ARRIVED * this.#times[2]) return;
    const share = glide(now - last, this.#times[2]);
    for (let slot = 0; slot < MOST; slot += 1) {
      if (this.#people[slot] < 0) continue;
      const at = 2 * slot;
      this.#places[at] += (this.#goals[at] - this.#places[at]) * share;
      this.#places[at + 1] += (this.#goals[at + 1] - this.#places[at + 1]) * share;
      const placed = this.#placed[slot];
      placed.to[0] = this.#places[at] * this.#reach;
      placed.to[1] = this.#places[at + 1] * this.#reach;
      placed.move();
    }
  }
}
