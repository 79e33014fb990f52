// @ts-check
import { text } from "../strings/language.js";
import { make, write } from "../ui/dom.js";

/** @typedef {{ address?: string, code: string }} VenueAnswer what `/api/venue` tells */

/** Names by which a machine calls itself: no phone finds the page by them. */
const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The white card by which phones find the page: a QR code, and what to type without a camera. */
export class Invitation {
  #code = make("img", { className: "qr", alt: "" });
  #place = make("span", { className: "place" });
  #letters = make("b", { className: "letters" });
  #warning = make("p", { className: "warning", hidden: true });
  #card = make(
    "div",
    { className: "card", hidden: true },
    this.#code,
    make("p", { className: "address" }, this.#place, this.#letters),
  );
  element = make("section", { id: "join", "aria-label": text("stage.join") }, this.#card, this.#warning);

  constructor() {
    // If the code can't be had, no empty frame is shown; the letters stay.
    this.#code.addEventListener("load", () => (this.#code.hidden = false));
    this.#code.addEventListener("error", () => (this.#code.hidden = true));
  }

  /** Asks the server, whose letters may be others after each start. Without an answer the card stays
   * as it is. */
  async refresh() {
    try {
      const answer = await fetch(new URL("./api/venue", document.baseURI), { cache: "no-store" });
      if (answer.ok) this.#show(await answer.json());
    } catch {
      // The connection tells people that the server is away.
    }
  }

  /** @param {VenueAnswer} venue */
  #show({ address = location.origin, code }) {
    const { host, hostname } = new URL(address);
    write(this.#place, `${host}/j/`);
    write(this.#letters, code);
    // The address is in the name, so that another one is another picture.
    const picture = new URL(`./api/join.svg?${encodeURIComponent(address)}`, document.baseURI).href;
    if (this.#code.src !== picture) {
      this.#code.alt = text("stage.code", { address });
      this.#code.src = picture;
    }
    const isOwn = OWN_NAMES.includes(hostname);
    write(this.#warning, isOwn ? text("stage.ownAddress") : "");
    this.#warning.hidden = !isOwn;
    this.#card.hidden = false;
  }
}
