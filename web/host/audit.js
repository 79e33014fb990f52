// @ts-check
import { locale, text } from "../strings/language.js";
import { make, part } from "../ui/dom.js";

/** @typedef {import("./api.js").HostAct} HostAct */

/** The acts whose names are known: the server may be newer than the page. */
const ACTS = /** @type {const} */ ([
  "kick", "ban", "unban", "scene", "clear", "freeze", "unfreeze", "lock", "unlock", "gravity", "limits",
  "rename", "hide", "announcement", "refused",
]);

/** @param {string} act */
function titleOf(act) {
  const known = ACTS.find((one) => one === act);
  return known ? text(`audit.${known}`) : act;
}

/** What hosts did last, and who was refused, the newest first. */
export class AuditPart {
  #list = make("ol", { className: "list audit" });
  #none = make("p", { className: "soft", textContent: text("audit.nothing") });
  #shown = "";
  #clock = new Intl.DateTimeFormat(locale(), { timeStyle: "medium" });

  constructor() {
    this.element = make("div", {}, part(text("audit.title"), this.#none, this.#list));
  }

  /** @param {{ acts: HostAct[] }} answer */
  show({ acts }) {
    const told = JSON.stringify(acts);
    if (told === this.#shown) return;
    this.#shown = told;
    this.#none.hidden = acts.length > 0;
    this.#list.replaceChildren(...acts.map((act) => this.#row(act)));
  }

  /** @param {HostAct} act */
  #row({ time, address, act, details, outcome }) {
    const when = new Date(time);
    const moment = make("time", { dateTime: time, title: when.toLocaleString(locale()) });
    moment.textContent = Number.isNaN(when.getTime()) ? time : this.#clock.format(when);
    const isDone = outcome === "done" && act !== "refused";
    return make(
      "li",
      {},
      make("b", { textContent: titleOf(act) }),
      make("span", { className: "details", textContent: details, dir: "auto" }),
      make("small", { className: isDone ? "soft" : "error", textContent: isDone ? "" : outcome }),
      make("small", { className: "soft" }, moment, ` ${text("audit.from", { address })}`),
    );
  }
}
