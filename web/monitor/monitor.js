// @ts-check
import { TICK } from "../core/wire.js";
import { stickerURL } from "../draw/sheet.js";
import { text } from "../strings/language.js";
import { loadStyles, make, span, write } from "../ui/dom.js";
import { keepAwake } from "../ui/wakelock.js";
import { Chart } from "./chart.js";
import { FigureSource } from "./figures.js";
import { History, INTERVAL } from "./history.js";
import { byteUnit } from "./scale.js";

const plain = (/** @type {string} */ name) => () => ({ size: 1, name });

/** Called when there are words.
 * @returns {import("./chart.js").Topic[]} */
const topics = () => [
  {
    title: text("monitor.tick"),
    unit: plain(text("monitor.ms")),
    lines: [
      { name: "tick99", label: text("monitor.most") },
      { name: "tickMedian", label: text("monitor.half") },
    ],
    least: 5,
    limit: { value: TICK, label: text("monitor.tickLimit") },
    missing: text("monitor.never"),
  },
  {
    title: text("monitor.late"),
    unit: plain(text("monitor.ms")),
    lines: [{ name: "late99", label: text("monitor.most") }],
    least: 2,
    missing: text("monitor.never"),
  },
  {
    title: text("monitor.clients"),
    unit: plain(text("monitor.people")),
    lines: [
      { name: "people", label: text("monitor.people") },
      { name: "clients", label: text("monitor.screens") },
    ],
    least: 10,
    missing: text("monitor.never"),
  },
  {
    title: text("monitor.sent"),
    unit: byteUnit,
    lines: [{ name: "bytes", label: text("monitor.frames") }],
    least: 1000,
    missing: text("monitor.never"),
  },
  {
    title: text("monitor.skipped"),
    unit: plain(text("monitor.aSecond")),
    lines: [{ name: "skipped", label: text("monitor.due") }],
    least: 10,
    missing: text("monitor.never"),
  },
  {
    title: text("monitor.rollbacks"),
    unit: plain(text("monitor.aSecond")),
    lines: [{ name: "rollbacks", label: text("monitor.told") }],
    least: 10,
    missing: text("monitor.hidden"),
  },
];

/** Opens the monitor: how the server fares, to be read across a room. It joins nothing. */
export async function open() {
  document.documentElement.dataset.view = "monitor";
  await loadStyles(new URL("./monitor.css", import.meta.url));
  new Monitor().start();
}

/** The view: asks, remembers and draws. */
class Monitor {
  #source = new FigureSource();
  #history = new History();
  #charts = topics().map((topic) => new Chart(topic));
  #state = make("p", { id: "state", role: "status" });
  #facts = make("p", { id: "facts" });
  /** When it answered last, ms. */ #answeredAt = performance.now();

  constructor() {
    const brand = make("h1", { id: "brand" },
      make("img", { src: stickerURL(0), alt: "" }),
      make("span", {}, "Sticker ", make("b", { textContent: "Pit" })));
    document.body.replaceChildren(
      make("header", { id: "top" }, brand, this.#state, this.#facts),
      make("main", { id: "charts" }, ...this.#charts.map(({ element }) => element)));
    // For tests and the curious; nothing can be changed by it.
    const history = this.#history;
    Object.defineProperty(window, "stickerPit", {
      value: Object.freeze({
        get points() {
          return history.entries.map(({ time, point }) => ({ time, ...point }));
        },
        get restarts() {
          return history.restarts.length;
        },
      }),
    });
  }

  start() {
    keepAwake();
    this.#turn();
  }

  async #turn() {
    const began = performance.now();
    try {
      const figures = await this.#source.ask(began);
      this.#history.add(figures);
      this.#answeredAt = performance.now();
    } catch {
      this.#history.miss(began);
    }
    this.#draw();
    setTimeout(() => this.#turn(), Math.max(0, began + INTERVAL - performance.now()));
  }

  #draw() {
    const now = performance.now();
    for (const chart of this.#charts) chart.draw(this.#history, now);
    const { last } = this.#history;
    const kind = last === null ? "lost" : last.status;
    this.#state.dataset.kind = kind;
    if (last === null) {
      const time = span((now - this.#answeredAt) / 1000);
      write(this.#state, text("monitor.lost"));
      write(this.#facts, text("monitor.silent", { time }));
      return;
    }
    write(this.#state, text(kind === "ok" ? "monitor.well" : "monitor.degraded"));
    write(this.#facts, text("monitor.facts", { time: span(last.elapsed), count: last.bodies }));
  }
}
