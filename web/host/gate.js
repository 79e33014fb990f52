// @ts-check
import { text } from "../strings/language.js";
import { make } from "../ui/dom.js";
import { HostAPI, HostError } from "./api.js";

/** Asks for the token, and says so if it is a wrong one. */
export class Gate {
  #field = make("input", {
    id: "host-token",
    type: "password",
    required: true,
    autocomplete: "off",
    spellcheck: false,
    "aria-describedby": "host-token-hint host-token-error",
  });
  #error = make("p", { id: "host-token-error", className: "error", role: "alert" });
  #submit = make("button", { type: "submit", className: "main", textContent: text("gate.open") });
  #opened;

  /** @param {(token: string) => void} opened with a token that is right */
  constructor(opened) {
    this.#opened = opened;
    this.element = make(
      "form",
      { className: "gate" },
      make("label", { htmlFor: "host-token", textContent: text("gate.token") }),
      this.#field,
      make("p", {
        id: "host-token-hint",
        className: "soft",
        textContent: text("gate.hint"),
      }),
      this.#error,
      this.#submit,
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#try(this.#field.value.trim());
    });
  }

  /** @param {string} words why it is asked for, if not for the first time */
  show(words = "") {
    this.#field.value = "";
    this.#error.textContent = words;
    this.#field.focus();
  }

  /** @param {string} token */
  async #try(token) {
    if (token === "" || this.#submit.disabled) return;
    this.#submit.disabled = true;
    this.#error.textContent = "";
    try {
      await new HostAPI(token).state();
      this.#opened(token);
      this.#field.value = "";
    } catch (error) {
      this.#error.textContent = error instanceof HostError ? error.message : String(error);
      this.#field.select();
    } finally {
      this.#submit.disabled = false;
    }
  }
}
