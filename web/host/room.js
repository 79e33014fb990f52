// @ts-check
import { text } from "../strings/language.js";
import { make, part } from "../ui/dom.js";
import { Bans } from "./bans.js";
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
    this.#lock = new Switch(text("room.lock"), text("room.lockHint"), (wanted) => {
      host.act(wanted ? "lock" : "unlock");
    });
    this.#limits = new Limits(host);
    this.#bans = new Bans(host);
    this.element = make(
      "div",
      {},
      part(text("room.announcement"), this.#saying.element),
      part(text("room.door"), this.#lock.element, this.#bans.element),
      part(text("room.limits"), this.#limits.element),
    );
  }

  /** @param {HostState} state */
  show(state) {
    this.#saying.show(state.announcement);
    this.#lock.show(state.locked);
    this.#limits.show(state);
    this.#bans.show(state.bans);
  }
}
