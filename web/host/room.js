// @ts-check
import { Bans } from "./bans.js";
import { make, part } from "./dom.js";
import { Limits } from "./limits.js";
import { Saying } from "./saying.js";
import { Switch } from "./switch.js";

/** @typedef {import("./api.js").HostState} HostState */
/** @typedef {import("./panel.js").Host} Host */

/** What goes for everybody: what they are told, who may join, and how much there may be. */
export class RoomPart {
  #saying;
  #lock;
  #limits;
  #bans;

  /** @param {Host} host */
  constructor(host) {
    this.#saying = new Saying(host);
    const explanation = "Nobody new may join; who was here may come back";
    this.#lock = new Switch("Lock the door", explanation, (wanted) => {
      host.act(wanted ? "lock" : "unlock");
    });
    this.#limits = new Limits(host);
    this.#bans = new Bans(host);
    this.element = make(
      "div",
      {},
      part("Announcement", this.#saying.element),
      part("Door", this.#lock.element, this.#bans.element),
      part("Limits", this.#limits.element),
    );
  }

  /** @param {HostState} state */
  show(state) {
    this.#saying.show(state.notice);
    this.#lock.show(state.locked);
    this.#limits.show(state);
    this.#bans.show(state.bans);
  }
}
