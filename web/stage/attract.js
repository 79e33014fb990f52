// @ts-check
import { KeptFloats } from "../core/keptfloats.js";
import { INSTANCE_FLOATS } from "../core/wire.js";
import { FORM_FLOATS } from "../draw/forms.js";
import { shownSet } from "../draw/stickersets.js";
import { make } from "../ui/dom.js";

/** Time from one wave through the stickers to the next, and the time it takes from one wall to the
 * other, ms. */
const [EVERY, CROSSING] = [5000, 1500];
/** The hop of a sticker that the wave reaches: how long it takes, ms, how high it is, points, and how far
 * the sticker is peeled off meanwhile, 0…1. */
const [HOP, HEIGHT, LIFT] = [460, 30, 0.3];
/** The share by which a sticker is pressed flat when it lands, and how long it takes to spring back, ms. */
const [LANDING, SPRING] = [0.15, 220];
/** How many stickers fall in front of the pit at a time. */
const FLAKES = 9;
/** The most of the arena's height and of its width that the card takes, and how far down its middle lies,
 * all as shares of the arena: what lies in the pit is seen below the card. */
const [TALL, WIDE, DOWN] = [0.63, 0.8, 0.47];

const NONE = new Float32Array(0);
const calmQuery = matchMedia("(prefers-reduced-motion: reduce)");

/** What the stage does while nobody plays: the card with the code comes before the pit, stickers
 * fall, and a wave goes through those that lie there. All of it is only seen: nobody's world changes. */
export class Attract {
  element = make("div", { id: "attract", "aria-hidden": "true", hidden: true });
  #arena;
  #card;
  #isOn = false;
  #since = 0;
  #kept = new KeptFloats();

  /** @param {HTMLElement} arena around the pit
   * @param {HTMLElement} card with the code */
  constructor(arena, card) {
    this.#arena = arena;
    this.#card = card;
    new ResizeObserver(() => this.#place()).observe(arena);
  }

  /** @param {boolean} isOn
   * @param {number} now ms */
  turn(isOn, now) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#since = now;
    this.element.hidden = !isOn;
    document.documentElement.toggleAttribute("data-attract", isOn);
    if (isOn) this.element.replaceChildren(...Array.from({ length: FLAKES }, (_, at) => flake(at)));
    this.#place();
  }

  /** The card goes to the middle of the pit, as large as there is room for it, or back to its place. */
  #place() {
    const { style, offsetWidth: width, offsetLeft, offsetTop, firstElementChild: card } = this.#card;
    const height = card instanceof HTMLElement ? card.offsetHeight : 0;
    style.transform = "";
    if (!this.#isOn || height === 0) return;
    const room = this.#arena.getBoundingClientRect();
    const scale = Math.min((TALL * room.height) / height, (WIDE * room.width) / width);
    const x = room.left + room.width / 2 - offsetLeft - width / 2;
    const y = room.top + DOWN * room.height - offsetTop - height / 2;
    style.transformOrigin = `50% ${height / 2}px`;
    style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  /**
   * The forms of a picture's stickers with the wave that is on its way.
   * @param {Float32Array} instances
   * @param {Float32Array} forms theirs
   * @param {{ width: number, hops: boolean }} world whether its stickers are free to hop
   * @param {number} now ms
   * @returns {Float32Array} valid until the next call
   */
  wave(instances, forms, world, now) {
    const since = (now - this.#since) % EVERY;
    if (!this.#isOn || calmQuery.matches || since > CROSSING + HOP + SPRING) return forms;
    const length = (instances.length / INSTANCE_FLOATS) * FORM_FLOATS;
    this.#kept.fit(length);
    const floats = this.#kept.first(length);
    floats.fill(0);
    floats.set(forms.length === length ? forms : NONE);
    const height = world.hops ? HEIGHT : 0;
    for (let at = 0, form = 0; form < length; at += INSTANCE_FLOATS, form += FORM_FLOATS) {
      const moment = since - (CROSSING * instances[at]) / world.width;
      if (moment <= 0 || moment >= HOP + SPRING) continue;
      floats[form + 2] = Math.PI / 2;
      if (moment < HOP) {
        const up = Math.sin((Math.PI * moment) / HOP);
        floats[form] = LIFT * up;
        floats[form + 1] = -LANDING * 0.5 * up;
        floats[form + 3] = height * up;
      } else {
        floats[form + 1] = LANDING * Math.sin((Math.PI * (moment - HOP)) / SPRING);
      }
    }
    return floats;
  }
}

/** A sticker that falls again and again: each at its place, at its pace, from its own moment.
 * @param {number} at */
function flake(at) {
  const { count } = shownSet();
  const made = make("i");
  const share = (at * 0.618) % 1;
  made.style.backgroundImage = `url("${shownSet().urlOf((at * 5) % count)}")`;
  made.style.setProperty("--across", `${4 + 84 * share}%`);
  made.style.setProperty("--size", `${7 + ((at * 37) % 5)}vmin`);
  made.style.setProperty("--turn", `${((at * 131) % 240) - 120}deg`);
  made.style.setProperty("--time", `${9 + ((at * 7) % 5)}s`);
  made.style.setProperty("--begin", `${(-at * 12) / FLAKES}s`);
  return made;
}
