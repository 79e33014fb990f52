// @ts-check

/** @typedef {import("./module.js").Person} Person */
/** @typedef {import("./states.js").ConnectionState} ConnectionState */

/** A state that lasts shorter than this is not worth a word, ms. */
const PATIENCE = 500;

const UNREACHED = "The pit does not answer. Trying again…";

/** @type {Record<ConnectionState, string>} */
const STATUS = {
  connecting: "Joining the pit…",
  online: "",
  waiting: "Connection lost. Coming back…",
  restarting: "The pit restarts. Coming back…",
  locked: "The host has closed the door; trying again",
  paused: "Paused",
  refused: "This page and the pit are of different versions.",
  replaced: "You play on in another tab.",
  removed: "You were removed by the host.",
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
  #rejoin = byId("rejoin");
  #statusTimer = 0;
  #hasJoined = false;
  #isLockedOut = false;

  constructor() {
    this.#reload.addEventListener("click", () => location.reload());
  }

  /** @param {() => void} rejoin what "Join again" does for somebody who was removed */
  offersToJoinAgain(rejoin) {
    this.#rejoin.addEventListener("click", rejoin);
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
      : "";
    if (this.#link.dataset.bars !== String(bars)) {
      this.#link.dataset.bars = String(bars);
      this.#link.title =
        ["No link", "Poor link", "Fair link", "Good link", "Excellent link"][bars] ?? "";
    }
    if (this.#latency.textContent !== text) this.#latency.textContent = text;
  }

  /** @param {ConnectionState} state @param {string} sentence instead of the usual one, if any */
  showState(state, sentence = "") {
    clearTimeout(this.#statusTimer);
    document.documentElement.dataset.connection = state;
    if (state === "online") this.#hasJoined = true;
    const isFirst = state === "waiting" && !this.#hasJoined;
    // Each try at a closed door is no news; a screen reader would tell all of them.
    const isTryingTheDoor = this.#isLockedOut && state === "connecting";
    this.#isLockedOut = state === "locked" || isTryingTheDoor;
    const usual = isFirst ? UNREACHED : STATUS[isTryingTheDoor ? "locked" : state];
    const text = sentence || usual;
    this.#reload.hidden = state !== "refused" && state !== "replaced";
    this.#rejoin.hidden = state !== "removed";
    if (text === "") this.#status.hidden = true;
    else if (!this.#status.hidden) this.#say(text);
    else this.#statusTimer = setTimeout(() => this.#say(text), PATIENCE);
    if (state !== "online") this.showLink(0, NaN);
  }

  /** Something that the person must do something about.
   * @param {string} text */
  showFailure(text) {
    clearTimeout(this.#statusTimer);
    this.#status.classList.add("failure");
    this.#reload.hidden = false;
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    if (this.#statusText.textContent !== text) this.#statusText.textContent = text;
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
