// @ts-check
import { text } from "../strings/language.js";
import { button, make, span, write } from "../ui/dom.js";

/** @typedef {import("./api.js").Ban} Ban */
/** @typedef {import("./panel.js").Host} Host */

/** Addresses that may not join for a while. */
export class Bans {
  #host;
  #none = make("p", { className: "soft", textContent: text("ban.none") });
  #list = make("ul", { className: "list", "aria-label": text("ban.list") });
  /** @type {Map<string, { row: HTMLElement, left: HTMLElement }>} */ #rows = new Map();

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.element = make("div", {}, this.#none, this.#list);
  }

  /** @param {Ban[]} bans */
  show(bans) {
    this.#none.hidden = bans.length > 0;
    const banned = new Set(bans.map(({ address }) => address));
    for (const [address, { row }] of this.#rows) {
      if (banned.has(address)) continue;
      row.remove();
      this.#rows.delete(address);
    }
    for (const { address, seconds } of bans) {
      write(this.#rowOf(address).left, text("ban.left", { time: span(seconds) }));
    }
  }

  /** @param {string} address */
  #rowOf(address) {
    const known = this.#rows.get(address);
    if (known) return known;
    const lift = button(text("ban.lift"), () => {
      this.#host.act("unban", { address }, text("ban.lifted", { address }));
    }, { "aria-label": text("ban.liftHint", { address }) });
    const left = make("span", { className: "soft" });
    const row = make("li", { className: "ban" }, make("b", { textContent: address }), left, lift);
    this.#rows.set(address, { row, left });
    this.#list.append(row);
    return { row, left };
  }
}
