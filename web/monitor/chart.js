// @ts-check
import { text } from "../strings/language.js";
import { make, write } from "../ui/dom.js";
import { GAP, INTERVAL, POINTS } from "./history.js";
import { roundUp, short } from "./scale.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./scale.js").Unit} Unit */

/**
 * What a chart is about.
 * @typedef {object} Topic
 * @property {string} title
 * @property {(largest: number) => Unit} unit by the largest value in the picture
 * @property {{ name: string, label: string }[]} lines a point's values, and what they are; the first
 *   is the one that is written large
 * @property {number} least where the axis ends at least, in the figures' own units
 * @property {{ value: number, label: string } | undefined} [limit] what should not be reached
 * @property {string} missing why there is no figure, where the server answers without one
 */

/** The picture's own units: it is stretched to its place. */
const WIDTH = 300;
const HEIGHT = 100;
const SPAN = INTERVAL * POINTS;

/** One figure over ten minutes: lines that break where nothing is known, and the newest value. */
export class Chart {
  #topic;
  #value = make("b", { className: "value" });
  #unit = make("span", { className: "unit" });
  #top = make("span", { className: "top" });
  #limitLabel = make("span", { className: "limit" });
  #plot = make("div", { className: "plot" });
  #why = make("p", { className: "why", hidden: true });
  #svg = drawing("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  #restarts = drawing("path", { class: "restart" });
  #limit = drawing("path", { class: "limit" });
  #lines;
  element;

  /** @param {Topic} topic */
  constructor(topic) {
    this.#topic = topic;
    this.#lines = topic.lines.map(({ name }, index) => ({
      name,
      path: drawing("path", { class: `line line-${index}` }),
    }));
    // What it shows is written beside it.
    this.#svg.setAttribute("aria-hidden", "true");
    this.#svg.append(
      drawing("path", { class: "grid", d: `M0 0H${WIDTH}M0 50H${WIDTH}M0 ${HEIGHT}H${WIDTH}` }),
      this.#restarts, this.#limit, ...this.#lines.map(({ path }) => path),
    );
    const legend = make("ul", { className: "legend" },
      ...topic.lines.map(({ label }, index) =>
        make("li", { className: `line-${index}`, textContent: label })));
    this.#plot.append(this.#top, this.#svg, this.#limitLabel);
    const times = make("p", { className: "times" },
      make("span", { textContent: text("monitor.tenMinutes") }),
      make("span", { textContent: text("monitor.now") }));
    this.element = make("section", { className: "chart" },
      make("header", {},
        make("h2", { textContent: topic.title }),
        make("p", { className: "now" }, this.#value, " ", this.#unit)),
      legend, this.#plot, times, this.#why);
  }

  /** @param {History} history
   * @param {number} now ms */
  draw(history, now) {
    const { lines, unit, least, limit, missing } = this.#topic;
    const first = lines[0].name;
    const largest = Math.max(0, ...history.entries.flatMap(({ point }) =>
      point ? lines.map(({ name }) => point[name]).filter(Number.isFinite) : []));
    const top = roundUp(Math.max(largest, least));
    const { size, name } = unit(top);
    const newest = history.last ? (history.entries.at(-1)?.point?.[first] ?? NaN) : NaN;
    write(this.#value, short(newest / size));
    write(this.#unit, name);
    write(this.#top, `${short(top / size)} ${name}`);
    const isMissing = history.last !== null && !this.#isKnown(history, first);
    write(this.#why, isMissing ? missing : "");
    this.#why.hidden = !isMissing;
    this.element.classList.toggle("missing", isMissing);
    const x = (/** @type {number} */ time) => WIDTH * (1 - (now - time) / SPAN);
    const y = (/** @type {number} */ value) => HEIGHT * (1 - value / top);
    for (const line of this.#lines) {
      line.path.setAttribute("d", outline(history, line.name, x, y));
    }
    this.#restarts.setAttribute("d",
      history.restarts.map((time) => `M${x(time).toFixed(1)} 0V${HEIGHT}`).join(""));
    const isNear = limit !== undefined && limit.value <= top;
    this.#limit.setAttribute("d", isNear ? `M0 ${y(limit.value).toFixed(1)}H${WIDTH}` : "");
    write(this.#limitLabel, isNear ? limit.label : "");
    if (isNear) this.#limitLabel.style.top = `${y(limit.value)}%`;
  }

  /** Whether there is one to be had: a rate has none right after a gap.
   * @param {History} history
   * @param {string} name */
  #isKnown({ entries }, name) {
    if (entries.length < 2) return true;
    return entries.slice(-3).some(({ point }) => !point || Number.isFinite(point[name]));
  }
}

/** The line through what is known; a point between two gaps is a dot.
 * @param {History} history
 * @param {string} name
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y */
function outline({ entries }, name, x, y) {
  let path = "";
  let last = -Infinity;
  for (const { time, point } of entries) {
    const value = point ? point[name] : NaN;
    if (!Number.isFinite(value)) {
      last = -Infinity;
      continue;
    }
    const place = `${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
    path += time - last <= GAP ? `L${place}` : `M${place}h0`;
    last = time;
  }
  return path;
}

/** @param {"svg" | "path"} name
 * @param {Record<string, string>} attributes */
function drawing(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
