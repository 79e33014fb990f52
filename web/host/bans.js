// @ts-check
import { button, make, span, write } from "./dom.js";

/** @typedef {import("./api.js").Ban} Ban */
/** @typedef {import("./panel.js").Host} Host */

/** Addresses that may not join for a while. */
export class Bans {
  #host;
  #none = make("p", { className: "soft", textContent: "No address is banned." });
  #list = make("ul", { className: "list", "aria-label": "Banned addresses" });
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
      write(this.#rowOf(address).left, `${span(seconds)} left`);
    }
  }

  /** @param {string} address */
  #rowOf(address) {
    const known = this.#rows.get(address);
    if (known) return known;
    const lift = button("Lift", () => {
      this.#host.act("unban", { address }, `${address} may join again.`);
    }, { "aria-label": `Lift the ban of ${address}` });
    const left = make("span", { className: "soft" });
    const row = make("li", { className: "ban" }, make("b", { textContent: address }), left, lift);
    this.#rows.set(address, { row, left });
    this.#list.append(row);
    return { row, left };
  }
}
