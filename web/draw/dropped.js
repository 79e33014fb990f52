// @ts-check
import { INSTANCE_FLOATS, INSTANCE_SLOT } from "../core/wire.js";
import { addHalo } from "./scenery.js";

/** How long a halo is seen, ms, and its growth. */
const [LASTS, GROWS] = [300, 0.5];
/** The most halos at a time. If more come, the oldest go. */
const MOST = 64;

/** Halos around stickers that somebody has just dropped, in that person's colour. */
export class DroppedHalos {
  #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #slots = new Int32Array(MOST);
  #people = new Int32Array(MOST);
  #times = new Float64Array(MOST).fill(-Infinity);
  #next = 0;
  /** When the last halo is over, ms. */ #until = -Infinity;

  /** @param {number} slot
   * @param {number} person
   * @param {number} now ms */
  add(slot, person, now) {
    this.#slots[this.#next] = slot;
    this.#people[this.#next] = person;
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % MOST;
    this.#until = now + LASTS;
  }

  /** In another world the slots are those of other stickers. */
  forget() {
    this.#times.fill(-Infinity);
    this.#until = -Infinity;
  }

  /**
   * @param {import("./marklist.js").MarkList} marks
   * @param {Float32Array} instances
   * @param {(person: number) => import("./colour.js").RGB} colourOf
   * @param {number} now ms
   */
  draw(marks, instances, colourOf, now) {
    if (now >= this.#until) return;
    for (let halo = 0; halo < MOST; halo += 1) {
      const part = Math.max(0, now - this.#times[halo]) / LASTS;
      if (part >= 1) continue;
      for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
        if (instances[at + INSTANCE_SLOT] !== this.#slots[halo]) continue;
        const growth = this.#calm.matches ? 1 : 1 + GROWS * part;
        const mark = addHalo(marks, instances, at, colourOf(this.#people[halo]));
        const { numbers } = marks;
        for (let size = mark + 4; size < mark + 7; size += 1) numbers[size] *= growth;
        numbers[mark + 11] = 1 - part * part;
        break;
      }
    }
  }
}
