// @ts-check
import { NAMELESS } from "../core/wire.js";
import { text } from "../strings/language.js";
import { refusalSentence } from "./refusals.js";

/**
 * @typedef {{ address: string, seconds: number }} Ban
 * @typedef {{ scene: string, bodies: number, bodyCap: number, mostBodies: number, frozen: boolean,
 *   gravity: number, locked: boolean, announcement: string, people: number,
 *   peopleLimit: number, commandsPerSecond: number, bans: Ban[], scenes: string[] }} HostState
 * @typedef {{ id: number, name: string, colour: string, address: string, seconds: number,
 *   hidden: boolean }} HostPerson
 * @typedef {{ time: string, address: string, act: string, details: string,
 *   outcome: string }} HostAct
 * @typedef {{ removed?: number }} ActAnswer how many people a ban removed
 */

/** An answer that takes longer is given up, ms. */
const PATIENCE = 8000;
/** The letters that a header can carry. */
const CAN_BE_SENT = /^[\x21-\x7e]+$/;

/** What the page calls an announcement is a notice in the server's paths, state and log of acts; in the page
 * a notice is a message of the protocol (`NOTICE`). The names are exchanged here and nowhere else. */
const [ANNOUNCEMENT, NOTICE_OF_HOST] = ["announcement", "notice"];

/** What is said where the server gives no words of its own.
 * @param {number} status */
function wordsOf(status) {
  if (status === 401) return text("api.wrongToken");
  if (status === 403) return text("api.otherSite");
  if (status === 404) return text("api.noHost");
  return status === 503 ? text("api.busy") : text("api.status", { status });
}

/** Why something could not be done, in words for the host. */
export class HostError extends Error {
  /** @param {number} status of HTTP, 0 without an answer
   * @param {string} words */
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

/** The server's side of the host's panel. */
export class HostAPI {
  #token;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
  }

  /** @returns {Promise<HostState>} */
  async state() {
    const { [NOTICE_OF_HOST]: announcement, ...rest } = await this.#ask("state");
    return { ...rest, announcement };
  }

  /** @returns {Promise<{ count: number, people: HostPerson[] }>} */
  async people() {
    /** @type {{ count: number, people: HostPerson[] }} */
    const { count, people } = await this.#ask("people");
    return { count, people: people.map((one) => ({ ...one, name: NAMELESS.get(one.name) ?? one.name })) };
  }

  /** @returns {Promise<{ acts: HostAct[] }>} */
  async audit() {
    /** @type {{ acts: HostAct[] }} */
    const { acts } = await this.#ask("audit");
    return { acts: acts.map((one) => (one.act === NOTICE_OF_HOST ? { ...one, act: ANNOUNCEMENT } : one)) };
  }

  /** @param {string} name
   * @param {Record<string, string | number>} parameters
   * @returns {Promise<ActAnswer>} */
  act(name, parameters) {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([key, value]) => [key, String(value)]),
    );
    // The server reads a plus as a blank, as forms do, so a blank is written as %20 and a plus as
    // %2B.
    const told = query.toString().replaceAll("+", "%20");
    const path = name === ANNOUNCEMENT ? NOTICE_OF_HOST : name;
    return this.#ask(told ? `${path}?${told}` : path, "POST");
  }

  /** @param {string} path
   * @param {string} method */
  async #ask(path, method = "GET") {
    if (!CAN_BE_SENT.test(this.#token)) throw new HostError(401, wordsOf(401));
    const answer = await this.#fetch(new URL(`./api/host/${path}`, document.baseURI), method);
    const body = await answer.json().catch(() => null);
    if (answer.ok && body) return body;
    const wait = answer.headers.get("Retry-After");
    if (answer.status === 429) {
      const words = wait ? text("api.tooManyIn", { seconds: wait }) : text("api.tooMany");
      throw new HostError(429, words);
    }
    const own = answer.status === 401 ? undefined : body?.error;
    const words = own ? refusalSentence(String(own)) : wordsOf(answer.status);
    throw new HostError(answer.status, words);
  }

  /** @param {URL} url
   * @param {string} method */
  async #fetch(url, method) {
    try {
      return await fetch(url, {
        method,
        headers: { Authorization: `Bearer ${this.#token}` },
        cache: "no-store",
        // A redirect must not take the token to another server.
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      throw new HostError(0, text("api.silent"));
    }
  }
}
