// @ts-check
import { untilDone } from "../core/later.js";
import { isDebugKey } from "../input/keys.js";
import { laterWords } from "../strings/language.js";
import { saveButton } from "./saveworlds.js";

/** @typedef {import("../core/exports.js").LinkNumbers} LinkNumbers */
/** @typedef {import("../core/following.js").Following} Following */
/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../connection/connection.js").Connection} Connection */

/** Corrections of more points than that are seen as jumps; smaller ones glide, and count as matched. */
const VISIBLE_CORRECTION = 8;
/** How long afterwards a wrong world decides the verdict, ms. */
const MEMORY = 10_000;

/** Numbers for those who build the pit: Shift+D or `?debug`. */
export class DebugPanel {
  #element;
  #connection;
  #frames = 0;
  #since = 0;
  #last = { frames: 0, milliseconds: 0 };
  #bytes = 0;
  /** What differed when it was last asked for worlds to save; null before.
   * @type {string | undefined | null} */
  #asked = null;
  /** Whether there is a button that saves them. */
  #offers = false;

  /** @param {HTMLElement} element
   * @param {Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
    // Whoever opens it wants to see it.
    element.hidden = false;
    addEventListener("keydown", (event) => {
      if (!isDebugKey(event)) return;
      element.hidden = !element.hidden;
      this.#asked = null;
    });
  }

  /**
   * Once a picture.
   * @param {number} now ms
   * @param {Pick<PageModule, "link" | "following" | "divergence">} module
   * @param {{ count: number, drawCalls: number }} picture
   */
  frame(now, module, picture) {
    this.#frames += 1;
    const elapsed = now - this.#since;
    if (elapsed < 500) return;
    const followed = module.following;
    if (!this.#element.hidden) {
      this.#show(this.#text(module.link, followed, picture, elapsed));
      this.#offer(module, followed?.difference);
    }
    this.#bytes = followed?.bytes ?? 0;
    this.#frames = 0;
    this.#since = now;
    this.#last = { ...this.#connection.decoding };
  }

  /** Writes before the button, which stays where it is.
   * @param {string} lines */
  #show(lines) {
    const { firstChild } = this.#element;
    if (firstChild) firstChild.nodeValue = lines;
    else this.#element.textContent = lines;
  }

  /** Offers to save both worlds, once there are two that differed: from then on there always are.
   * The answer is a copy of them, so the module is asked only when something else differs.
   * @param {Pick<PageModule, "divergence">} module
   * @param {string | undefined} difference */
  #offer(module, difference) {
    if (this.#offers || difference === this.#asked) return;
    this.#asked = difference;
    if (!module.divergence) return;
    this.#offers = true;
    untilDone(async () => {
      await laterWords();
      this.#element.append(saveButton(() => module.divergence));
    });
  }

  /**
   * @param {LinkNumbers} link
   * @param {Following | null} following
   * @param {{ count: number, drawCalls: number }} picture
   * @param {number} elapsed
   */
  #text(link, following, picture, elapsed) {
    const { decoding, keyframeRequests, state, lastClose } = this.#connection;
    const frames = decoding.frames - this.#last.frames;
    const spent = decoding.milliseconds - this.#last.milliseconds;
    /** @type {[string, string][]} */
    const lines = [
      ["state", `${state}${lastClose ? ` (${lastClose})` : ""}`],
      ["stream", following ? "replica" : this.#connection.fellBack ? "state (fell back)" : "state"],
      ...(following ? this.#following(following, elapsed) : told(link)),
      ["tick", String(link.tick)],
      ["round trip", `${link.roundTrip.toFixed(1)} ms`],
      [following ? "messages" : "frames", `${link.frames} (${((frames * 1000) / elapsed).toFixed(0)}/s)`],
      [following ? "snapshots" : "keyframes", `${link.keyframes} (${keyframeRequests} asked for)`],
      ["decode", frames > 0 ? `${((spent / frames) * 1000).toFixed(0)} µs` : "–"],
      ["stickers", String(picture.count)],
      ["draw calls", String(picture.drawCalls)],
      ["pictures", `${((this.#frames * 1000) / elapsed).toFixed(0)}/s`],
    ];
    return lines.map(([name, value]) => `${name.padEnd(11)}${value}`).join("\n");
  }

  /**
   * How running the world goes.
   * @param {Following} following
   * @param {number} elapsed
   * @returns {[string, string][]}
   */
  #following(following, elapsed) {
    const bits = Math.max(0, following.bytes - this.#bytes) * 8;
    const { ahead, most, inputDelay, rollbacks, replayed, corrections, hashes, diverged } = following;
    return [
      ["verdict", verdict(following)],
      ["hashes", `${hashes} equal, ${diverged} not`],
      ...differed(following),
      ["ahead", `${ahead} of ${most} ticks, input delay ${inputDelay}`],
      ["rollbacks", `${rollbacks} (${replayed} ticks)`],
      [
        "corrected",
        `${corrections}, now ${following.recentCorrection.toFixed(1)} pt, most ${following.largestCorrection.toFixed(1)}`,
      ],
      ["late", `own commands in ${following.lateTicks} ticks`],
      ["a tick", `${following.cost.toFixed(2)} ms`],
      ["payload", `${(bits / elapsed).toFixed(1)} kbit/s`],
    ];
  }
}

/**
 * What only a page with the state stream has to tell.
 * @param {LinkNumbers} link
 * @returns {[string, string][]}
 */
function told(link) {
  return [
    ["delay", `${link.delay.toFixed(1)} ms`],
    ["jitter", `${link.jitter.toFixed(1)} ms`],
    ["skipped", String(link.skipped)],
    ["gaps", String(link.gaps)],
  ];
}

/**
 * When the world was last wrong, and in what.
 * @param {Following} following
 * @returns {[string, string][]}
 */
function differed({ diverged, divergedTick, difference }) {
  return diverged > 0 ? [["differed", `in tick ${divergedTick}: ${difference || "…"}`]] : [];
}

/**
 * What the numbers mean, in a word: "comparing" until the first hash was equal; then "matched", or "jitter"
 * if a correction of late was seen as a jump; "diverging" while the world is wrong, and for a while after.
 * @param {Following} following
 */
export function verdict(following) {
  if (following.isDiverged || following.sinceDivergence < MEMORY) return "diverging";
  if (following.hashes === 0) return "comparing";
  return following.recentCorrection > VISIBLE_CORRECTION ? "jitter" : "matched";
}
