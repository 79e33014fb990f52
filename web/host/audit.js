// @ts-check
import { make, part } from "./dom.js";

/** @typedef {import("./api.js").HostAct} HostAct */

/** @type {Record<string, string>} */
const TITLES = {
  kick: "Removed",
  ban: "Banned",
  unban: "Ban lifted",
  scene: "Scene begun",
  clear: "Emptied",
  freeze: "Frozen",
  unfreeze: "Unfrozen",
  lock: "Door locked",
  unlock: "Door unlocked",
  gravity: "Gravity",
  limits: "Limits",
  rename: "Renamed",
  hide: "Name hidden",
  notice: "Announcement",
  refused: "Refused",
};

/** What hosts did last, and who was refused, the newest first. */
export class AuditPart {
  #list = make("ol", { className: "list audit" });
  #none = make("p", { className: "soft", textContent: "Nothing yet." });
  #shown = "";
  #clock = new Intl.DateTimeFormat([], { timeStyle: "medium" });

  constructor() {
    this.element = make("div", {}, part("What was done", this.#none, this.#list));
  }

  /** @param {{ acts: HostAct[] }} answer */
  show({ acts }) {
    const text = JSON.stringify(acts);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#none.hidden = acts.length > 0;
    this.#list.replaceChildren(...acts.map((act) => this.#row(act)));
  }

  /** @param {HostAct} act */
  #row({ time, address, act, details, outcome }) {
    const when = new Date(time);
    const moment = make("time", { dateTime: time, title: when.toLocaleString() });
    moment.textContent = Number.isNaN(when.getTime()) ? time : this.#clock.format(when);
    const isDone = outcome === "done" && act !== "refused";
    return make(
      "li",
      {},
      make("b", { textContent: TITLES[act] ?? act }),
      make("span", { className: "details", textContent: details, dir: "auto" }),
      make("small", { className: isDone ? "soft" : "error", textContent: isDone ? "" : outcome }),
      make("small", { className: "soft" }, moment, ` from ${address}`),
    );
  }
}
