// @ts-check
import { text } from "../strings/language.js";
import { button, make, write } from "../ui/dom.js";

/** @typedef {import("./panel.js").Host} Host */

/** Bytes of UTF-8 that an announcement may have. */
const MOST_BYTES = 120;

/** What stands above everybody's pit. */
export class Saying {
  #host;
  #field = make("textarea", {
    rows: 2,
    placeholder: text("room.announcementHint"),
    "aria-label": text("room.announcement"),
    "aria-describedby": "host-saying-bytes",
    autocomplete: "off",
  });
  #bytes = make("p", { id: "host-saying-bytes", className: "soft" });
  #show = make("button", { type: "submit", className: "main", textContent: text("room.announce") });
  #takeAway = button(text("room.takeAway"), () => this.#say(""));
  /** What everybody sees. */ #shown = "";
  #isWriting = false;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const row = make("div", { className: "row" }, this.#show, this.#takeAway);
    this.element = make("form", {}, this.#field, this.#bytes, row);
    this.#field.addEventListener("input", () => {
      // What was emptied again, or is what everybody sees, may give way to another host's words.
      this.#isWriting = this.#text !== "" && this.#text !== this.#shown;
      this.#count();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#show.disabled) this.#say(this.#text);
    });
    this.#count();
  }

  /** @param {string} announcement what everybody sees now */
  show(announcement) {
    const isNews = announcement !== this.#shown;
    this.#shown = announcement;
    if (isNews && !this.#isWriting) this.#field.value = announcement;
    this.#count();
  }

  /** One line, however it was typed. */
  get #text() {
    return this.#field.value.replace(/\s+/g, " ").trim();
  }

  #count() {
    const count = new TextEncoder().encode(this.#text).length;
    const isTooLong = count > MOST_BYTES;
    const size = { bytes: count, most: MOST_BYTES };
    write(this.#bytes, text(isTooLong ? "room.bytesTooMany" : "room.bytes", size));
    this.#bytes.classList.toggle("error", isTooLong);
    this.#field.setAttribute("aria-invalid", String(isTooLong));
    this.#show.disabled = isTooLong || this.#text === "" || this.#text === this.#shown;
    this.#takeAway.disabled = this.#shown === "";
  }

  /** @param {string} words */
  async #say(words) {
    const done = text(words === "" ? "room.tookAway" : "room.announced");
    if (!(await this.#host.act("announcement", words === "" ? {} : { text: words }, done))) return;
    this.#isWriting = false;
    this.#shown = words;
    this.#field.value = words;
    this.#count();
  }
}
