// @ts-check
import { button, make, write } from "./dom.js";

/** @typedef {import("./panel.js").Host} Host */

/** Bytes of UTF-8 that an announcement may have. */
const MOST_BYTES = 120;

/** What stands above everybody's pit. */
export class Saying {
  #host;
  #field = make("textarea", {
    rows: 2,
    placeholder: "A line above everybody’s pit",
    "aria-label": "Announcement",
    "aria-describedby": "host-saying-bytes",
    autocomplete: "off",
  });
  #bytes = make("p", { id: "host-saying-bytes", className: "soft" });
  #show = make("button", { type: "submit", className: "main", textContent: "Announce" });
  #takeAway = button("Take away", () => this.#say(""));
  /** What everybody sees. */ #shown = "";
  #isWriting = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const row = make("div", { className: "row" }, this.#show, this.#takeAway);
    this.element = make("form", {}, this.#field, this.#bytes, row);
    this.#field.addEventListener("input", () => {
      this.#isWriting = true;
      this.#count();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#show.disabled) this.#say(this.#text);
    });
    this.#count();
  }

  /** @param {string} notice */
  show(notice) {
    const isNews = notice !== this.#shown;
    this.#shown = notice;
    if (isNews && !this.#isWriting) this.#field.value = notice;
    this.#count();
  }

  /** One line, however it was typed. */
  get #text() {
    return this.#field.value.replace(/\s+/g, " ").trim();
  }

  #count() {
    const count = new TextEncoder().encode(this.#text).length;
    const isTooLong = count > MOST_BYTES;
    write(this.#bytes, `${count} of ${MOST_BYTES} bytes${isTooLong ? ": too long" : ""}`);
    this.#bytes.classList.toggle("error", isTooLong);
    this.#field.setAttribute("aria-invalid", String(isTooLong));
    this.#show.disabled = isTooLong || this.#text === "" || this.#text === this.#shown;
    this.#takeAway.disabled = this.#shown === "";
  }

  /** @param {string} text */
  async #say(text) {
    const done = text === "" ? "The announcement is taken away." : "Everybody sees it now.";
    if (!(await this.#host.act("notice", text === "" ? {} : { text }, done))) return;
    this.#isWriting = false;
    this.#shown = text;
    this.#field.value = text;
    this.#count();
  }
}
