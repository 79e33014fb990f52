// @ts-check

/**
 * @typedef {{ address: string, seconds: number }} Ban
 * @typedef {{ scene: string, bodies: number, bodyCap: number, mostBodies: number, frozen: boolean,
 *   gravity: number, locked: boolean, notice: string, people: number, peopleLimit: number,
 *   commandsPerSecond: number, bans: Ban[], scenes: string[] }} HostState
 * @typedef {{ id: number, name: string, colour: string, address: string, seconds: number,
 *   hidden: boolean }} HostPerson
 * @typedef {{ time: string, address: string, act: string, details: string,
 *   outcome: string }} HostAct
 * @typedef {{ removed?: number }} ActAnswer how many people a ban removed
 */

/** An answer that takes longer does not come, ms. */
const PATIENCE = 8000;
/** What a header can carry. */
const CAN_BE_SENT = /^[\x21-\x7e]+$/;

/** What is said where the server gives no words of its own.
 * @type {Record<number, string>} */
const WORDS = {
  401: "That is not the token of this server.",
  403: "The server takes no orders from a page at this address.",
  404: "This server has no host controls: it was started without --admin-token-file.",
  503: "Too much is waiting on the server. Try again.",
};

/** Why something could not be done, in words for the host. */
export class HostError extends Error {
  /** @param {number} status of HTTP, 0 without an answer @param {string} words */
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
  state() {
    return this.#ask("state");
  }

  /** @returns {Promise<{ count: number, people: HostPerson[] }>} */
  people() {
    return this.#ask("people");
  }

  /** @returns {Promise<{ acts: HostAct[] }>} */
  audit() {
    return this.#ask("audit");
  }

  /** @param {string} name @param {Record<string, string | number>} parameters
   * @returns {Promise<ActAnswer>} */
  act(name, parameters) {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([key, value]) => [key, String(value)]),
    );
    // The server takes a plus for a blank, as forms mean it: all that is no letter goes as percents.
    const text = query.toString().replaceAll("+", "%20");
    return this.#ask(text ? `${name}?${text}` : name, "POST");
  }

  /** @param {string} path @param {string} method */
  async #ask(path, method = "GET") {
    if (!CAN_BE_SENT.test(this.#token)) throw new HostError(401, WORDS[401]);
    const answer = await this.#fetch(new URL(`./api/host/${path}`, document.baseURI), method);
    const body = await answer.json().catch(() => null);
    if (answer.ok && body) return body;
    const wait = answer.headers.get("Retry-After");
    if (answer.status === 429) {
      const when = wait ? `in ${wait} s` : "later";
      throw new HostError(429, `Too many wrong tokens came from here. Try again ${when}.`);
    }
    const own = answer.status === 401 ? undefined : body?.error;
    const words = own ?? WORDS[answer.status] ?? `The server answers with ${answer.status}.`;
    throw new HostError(answer.status, sentence(String(words)));
  }

  /** @param {URL} url @param {string} method */
  async #fetch(url, method) {
    try {
      return await fetch(url, {
        method,
        headers: { Authorization: `Bearer ${this.#token}` },
        cache: "no-store",
        // The token is for this server alone.
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      throw new HostError(0, "The server does not answer.");
    }
  }
}

/** @param {string} text */
function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
