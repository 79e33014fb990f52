// @ts-check
import { text } from "../strings/language.js";

/** @typedef {import("../core/module.js").Person} Person */
/** @typedef {import("../connection/states.js").ConnectionState} ConnectionState */

/** A state that lasts shorter than this is not worth a word, ms. */
const PATIENCE = 500;
/** How long a link is bad or good before that is shown, ms: what comes and goes is not worth showing. */
const [BAD_AFTER, GOOD_AFTER] = [1000, 3000];
/** Shorter round trips are not poor, ms: as in `Page.quality`. */
const POOR = 350;

/**
 * The bars to show, 0…4. A page that is busy takes messages late, which looks like jitter of the line;
 * then the round trip alone counts, whose shortest ones are the line's own.
 * @param {{ quality: number, roundTrip: number }} link
 * @param {boolean} isBusy
 */
export function linkBars({ quality, roundTrip }, isBusy) {
  return isBusy && quality === 1 && roundTrip < POOR ? 2 : quality;
}

/** alone: nobody is reached, and the page has a world of its own.
 * @param {ConnectionState | "alone"} state */
function statusOf(state) {
  if (state === "alone" || state === "online") return "";
  return text(state === "refused" ? "status.versions" : `status.${state}`);
}

/** Who is here, who oneself is, that the link is bad if it is, and what the connection does. */
export class HUD {
  #name = byId("my-name");
  #dots = byId("dots");
  #count = byId("count");
  #link = byId("link");
  #linkNews = byId("link-news");
  #linkText = byId("link-text");
  #status = byId("status");
  #statusText = byId("status-text");
  #reload = byId("reload");
  #rejoin = byId("rejoin");
  #statusTimer = 0;
  #linkTimer = 0;
  /** Shown last. */ #bars = NaN;
  #isBad = false;
  #hasJoined = false;
  #isLockedOut = false;

  constructor() {
    this.#reload.addEventListener("click", () => location.reload());
  }

  /** @param {() => void} rejoin what "Join again" does for somebody who was removed */
  offersToJoinAgain(rejoin) {
    this.#rejoin.addEventListener("click", rejoin);
  }

  /** @param {string} name
   * @param {string} colour */
  showSelf(name, colour) {
    this.#name.textContent = name;
    document.documentElement.style.setProperty("--me", colour);
    document.documentElement.classList.add("joined");
  }

  /** @param {Person[]} people the newest
   * @param {number} count of all
   * @param {number} ownId */
  showPeople(people, count, ownId) {
    const own = people.filter((person) => person.id === ownId);
    const others = people.filter((person) => person.id !== ownId);
    this.#dots.replaceChildren(...[...own, ...others].map((person) => dot(person, ownId)));
    this.#count.textContent = String(count);
  }

  /** @param {number} bars 0…4; of good ones nobody needs to know */
  showLink(bars) {
    const before = this.#bars;
    if (before === bars) return;
    this.#bars = bars;
    this.#link.dataset.bars = String(bars);
    const isBad = bars < 2;
    if (isBad) this.#linkText.textContent = text(bars === 0 ? "hud.link.none" : "hud.link.poor");
    if (this.#isBad === isBad) return;
    this.#isBad = isBad;
    clearTimeout(this.#linkTimer);
    const show = () => (this.#linkNews.hidden = !isBad);
    // That the server answers again is shown at once.
    const wait = before === 0 ? 0 : GOOD_AFTER;
    this.#linkTimer = setTimeout(show, isBad ? BAD_AFTER : wait);
  }

  /** @param {ConnectionState | "alone"} state
   * @param {string} sentence instead of the usual one, if any */
  showState(state, sentence = "") {
    clearTimeout(this.#statusTimer);
    document.documentElement.dataset.connection = state;
    if (state === "online") this.#hasJoined = true;
    const isFirst = state === "waiting" && !this.#hasJoined;
    // While nobody new is let in, the tries are not shown: a screen reader would read all of them.
    const isTryingTheDoor = this.#isLockedOut && state === "connecting";
    this.#isLockedOut = state === "locked" || isTryingTheDoor;
    const usual = isFirst ? text("status.unreached") : statusOf(isTryingTheDoor ? "locked" : state);
    const words = sentence || usual;
    this.#reload.hidden = state !== "refused" && state !== "replaced";
    this.#rejoin.hidden = state !== "removed";
    if (words === "") this.#status.hidden = true;
    else if (!this.#status.hidden) this.#say(words);
    else this.#statusTimer = setTimeout(() => this.#say(words), PATIENCE);
    if (state !== "online" && this.#hasJoined) this.showLink(0);
  }

  /** Something that the person must do something about.
   * @param {string} words */
  showFailure(words) {
    clearTimeout(this.#statusTimer);
    this.#status.classList.add("failure");
    this.#reload.hidden = false;
    this.#say(words);
  }

  /** @param {string} words none if the page's words could not be loaded: then what stands there says
   * that it could not be */
  #say(words) {
    const isNew = words !== "" && this.#statusText.textContent !== words;
    if (isNew) this.#statusText.textContent = words;
    this.#status.hidden = false;
  }
}

/** @param {Person} person
 * @param {number} ownId */
function dot(person, ownId) {
  const item = document.createElement("li");
  const { name } = person;
  item.textContent = person.id === ownId ? text("hud.you", { name }) : name;
  item.style.setProperty("--dot", person.colour);
  item.classList.toggle("self", person.id === ownId);
  return item;
}

/** @param {string} id
 * @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}
