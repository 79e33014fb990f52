// @ts-check

/** @typedef {import("./module.js").Person} Person */
/** @typedef {import("./connection.js").ConnectionState} ConnectionState */

/** A state that lasts shorter than this is not worth a word, ms. */
const PATIENCE = 500;

const UNREACHED = "The pit does not answer. Trying again…";

/** @type {Record<ConnectionState, string>} */
const STATUS = {
  connecting: "Joining the pit…",
  online: "",
  waiting: "Connection lost. Coming back…",
  restarting: "The pit restarts. Coming back…",
  paused: "Paused",
  refused: "This page and the pit are of different versions.",
  replaced: "You play on in another tab.",
};

/** Who is here, who oneself is, how good the link is, and what the connection does. */
export class HUD {
  #name = byId("my-name");
  #dots = byId("dots");
  #count = byId("count");
  #link = byId("link");
  #latency = byId("latency");
  #status = byId("status");
  #statusText = byId("status-text");
  #reload = byId("reload");
  #statusTimer = 0;
  #hasJoined = false;

  constructor() {
    this.#reload.addEventListener("click", () => location.reload());
  }

  /** @param {string} name @param {string} colour */
  showSelf(name, colour) {
    this.#name.textContent = name;
    document.documentElement.style.setProperty("--me", colour);
    document.documentElement.classList.add("joined");
  }

  /** @param {Person[]} people the newest @param {number} count of all @param {number} ownId */
  showPeople(people, count, ownId) {
    const own = people.filter((person) => person.id === ownId);
    const others = people.filter((person) => person.id !== ownId);
    this.#dots.replaceChildren(...[...own, ...others].map((person) => dot(person, ownId)));
    this.#count.textContent = String(count);
  }

  /** @param {number} bars 0…4 @param {number} roundTrip ms */
  showLink(bars, roundTrip) {
    const known = Number.isFinite(roundTrip) && roundTrip > 0;
    const text = known
      ? `${roundTrip < 10 ? roundTrip.toFixed(1) : Math.round(roundTrip)} ms`
      : "– ms";
    if (this.#link.dataset.bars !== String(bars)) {
      this.#link.dataset.bars = String(bars);
      this.#link.title =
        ["No link", "Poor link", "Fair link", "Good link", "Excellent link"][bars] ?? "";
    }
    if (this.#latency.textContent !== text) this.#latency.textContent = text;
  }

  /** @param {ConnectionState} state */
  showState(state) {
    clearTimeout(this.#statusTimer);
    document.documentElement.dataset.connection = state;
    if (state === "online") this.#hasJoined = true;
    const isFirst = state === "waiting" && !this.#hasJoined;
    const text = isFirst ? UNREACHED : STATUS[state];
    this.#reload.hidden = state !== "refused" && state !== "replaced";
    if (text === "") this.#status.hidden = true;
    else if (!this.#status.hidden) this.#statusText.textContent = text;
    else this.#statusTimer = setTimeout(() => this.#say(text), PATIENCE);
    if (state !== "online") this.showLink(0, NaN);
  }

  /** Something that the person must do something about. @param {string} text */
  showFailure(text) {
    clearTimeout(this.#statusTimer);
    this.#status.classList.add("failure");
    this.#reload.hidden = false;
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    this.#statusText.textContent = text;
    this.#status.hidden = false;
  }
}

/** @param {Person} person @param {number} ownId */
function dot(person, ownId) {
  const item = document.createElement("li");
  item.textContent = person.id === ownId ? `${person.name} (you)` : person.name;
  item.style.setProperty("--dot", person.colour);
  item.classList.toggle("self", person.id === ownId);
  return item;
}

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}
