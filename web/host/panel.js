// @ts-check
import { text } from "../strings/language.js";
import { button, icon, loadStyles, make, write } from "../ui/dom.js";
import { HostAPI, HostError } from "./api.js";
import { AuditPart } from "./audit.js";
import { Gate } from "./gate.js";
import { hostToken } from "./hosttoken.js";
import { PeoplePart } from "./people.js";
import { Poll } from "./poll.js";
import { Question } from "./question.js";
import { RoomPart } from "./room.js";
import { Tabs } from "./tabs.js";
import { WorldPart } from "./world.js";

/** @typedef {import("./api.js").ActAnswer} ActAnswer */

/**
 * What the panel's parts need of it.
 * @typedef {object} Host
 * @property {(name: string, parameters?: Record<string, string | number>, done?: string) =>
 *   Promise<ActAnswer | null>} act the server's answer; null if it was refused, which the panel tells
 * @property {(title: string, text: string, yes: string) => Promise<boolean>} confirm
 * @property {(words: string) => void} say
 */

/** How long what was done is shown, ms. */
const SHOWN_FOR = 6000;

/** Two sliders, one to the right and one to the left. */
const SLIDERS =
  "M4 7h9M19 7h1M13 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0" +
  "M4 17h1M11 17h9M5 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0";

/** The host's controls beside the pit, for whoever has the token. */
export class HostPanel {
  /** @type {HostAPI | null} */ #api = null;
  #gate = new Gate((token) => this.#enter(token));
  #question = new Question();
  #tabs;
  #people;
  #world;
  #room;
  #audit = new AuditPart();
  #poll = new Poll(() => this.#ask());
  #message = make("p", { className: "message", hidden: true });
  #messageTimer = 0;
  /** Whether the message is that the server does not answer. */ #isLost = false;
  #fold = button(text("host.fold"), () => this.#show(false), { className: "fold" });
  #unfold = button("", () => this.#show(true), { id: "host-unfold", title: text("host.controls") });
  #panel;

  /** Loads its style sheet, and opens it.
   * @param {() => number} ownId of the host as a person */
  static async open(ownId) {
    const styles = ["host.css", "parts.css"].map((name) => new URL(`./${name}`, import.meta.url));
    await Promise.all(styles.map(loadStyles));
    return new HostPanel(ownId);
  }

  /** @param {() => number} ownId */
  constructor(ownId) {
    /** @type {Host} */
    const host = {
      act: (name, parameters = {}, done = "") => this.#act(name, parameters, done),
      confirm: (title, text, yes) => this.#question.ask(title, text, yes),
      say: (words) => this.#say(words),
    };
    this.#people = new PeoplePart(host, ownId);
    this.#world = new WorldPart(host);
    this.#room = new RoomPart(host);
    const parts = [
      { name: "people", title: text("people.tab"), element: this.#people.element },
      { name: "world", title: text("world.tab"), element: this.#world.element },
      { name: "room", title: text("room.tab"), element: this.#room.element },
      { name: "audit", title: text("audit.tab"), element: this.#audit.element },
    ];
    this.#tabs = new Tabs(parts, () => this.#poll.soon());
    const live = make("div", { role: "status", "aria-live": "polite" }, this.#message);
    this.#panel = make(
      "aside",
      { id: "host", "aria-label": text("host.title") },
      make("header", {}, make("h2", { textContent: text("host.title") }), this.#fold),
      this.#gate.element,
      this.#tabs.list,
      this.#tabs.pages,
      live,
      this.#question.element,
    );
    // Keys that act on the pit belong to the panel while one works in it.
    this.#panel.addEventListener("keydown", (event) => event.stopPropagation());
    document.body.append(this.#panel);
    this.#unfold.setAttribute("aria-label", text("host.controls"));
    this.#unfold.append(icon(SLIDERS));
    document.getElementById("arena")?.append(this.#unfold);
    const token = hostToken.get();
    if (token) this.#enter(token);
    else this.#leave();
    this.#show(true);
  }

  /** @param {string} token */
  #enter(token) {
    hostToken.put(token);
    this.#api = new HostAPI(token);
    this.#gate.element.hidden = true;
    this.#tabs.list.hidden = this.#tabs.pages.hidden = false;
    this.#poll.start();
  }

  /** The token is asked for.
   * @param {string} words why, if it had been right */
  #leave(words = "") {
    hostToken.forget();
    this.#api = null;
    this.#poll.stop();
    this.#say("");
    this.#tabs.list.hidden = this.#tabs.pages.hidden = true;
    this.#gate.element.hidden = false;
    this.#gate.show(words);
  }

  /** @param {boolean} isOpen */
  #show(isOpen) {
    const hadFocus = this.#panel.contains(document.activeElement);
    this.#panel.hidden = !isOpen;
    this.#unfold.hidden = isOpen;
    document.documentElement.classList.toggle("host-open", isOpen);
    if (!isOpen) {
      this.#poll.stop();
      if (hadFocus) this.#unfold.focus();
    } else if (this.#api) {
      this.#poll.start();
      if (document.activeElement === document.body) this.#fold.focus({ preventScroll: true });
    }
  }

  /** Asks what is shown.
   * @returns {Promise<boolean>} whether it was answered */
  async #ask() {
    const api = this.#api;
    if (!api) return true;
    const { chosen } = this.#tabs;
    try {
      const [state, people, audit] = await Promise.all([
        api.state(),
        chosen === "people" ? api.people() : null,
        chosen === "audit" ? api.audit() : null,
      ]);
      if (api !== this.#api) return true;
      this.#world.show(state);
      this.#room.show(state);
      if (people) this.#people.show(people);
      if (audit) this.#audit.show(audit);
      if (this.#isLost) this.#say("");
      return true;
    } catch (error) {
      if (api === this.#api) this.#failed(error);
      return false;
    }
  }

  /** @param {string} name
   * @param {Record<string, string | number>} parameters
   * @param {string} done what to say then */
  async #act(name, parameters, done) {
    const api = this.#api;
    if (!api) return null;
    try {
      const answer = await api.act(name, parameters);
      this.#say(done);
      this.#poll.soon();
      return answer;
    } catch (error) {
      if (api === this.#api) this.#failed(error, true);
      return null;
    }
  }

  /** @param {unknown} error
   * @param {boolean} isAct what the host did, and not a look */
  #failed(error, isAct = false) {
    if (!(error instanceof HostError)) throw error;
    if (error.status === 401) return this.#leave(text("host.tokenOld"));
    this.#isLost = !isAct;
    const problem = error.message;
    const goesOn = error.status === 0 && !isAct;
    this.#tell(goesOn ? text("host.again", { problem }) : problem, true);
  }

  /** @param {string} words what was done; none take the last ones away */
  #say(words) {
    this.#isLost = false;
    this.#tell(words, false);
  }

  /** @param {string} words
   * @param {boolean} isError */
  #tell(words, isError) {
    clearTimeout(this.#messageTimer);
    write(this.#message, words);
    this.#message.classList.toggle("error", isError);
    this.#message.hidden = words === "";
    if (words === "" || this.#isLost) return;
    this.#messageTimer = setTimeout(() => this.#tell("", false), SHOWN_FOR);
  }
}
