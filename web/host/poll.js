// @ts-check

/** From one answer to the next question, ms; after failures longer and longer. */
const [INTERVAL, LONGEST] = [1000, 5000];

/** Asks again and again while somebody looks. */
export class Poll {
  #ask;
  #timer = 0;
  #isOn = false;
  #failures = 0;
  /** Whether an answer is awaited, and whether it is old by now. */ #isAsking = false;
  #isStale = false;

  /** @param {() => Promise<boolean>} ask whether it was answered */
  constructor(ask) {
    this.#ask = ask;
    document.addEventListener("visibilitychange", () => this.soon());
  }

  start() {
    this.#isOn = true;
    this.soon();
  }

  stop() {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  /** Asks now, or as soon as the answer that is awaited has come. */
  soon() {
    clearTimeout(this.#timer);
    if (this.#isAsking) this.#isStale = true;
    else if (this.#isOn && document.visibilityState === "visible") this.#turn();
  }

  async #turn() {
    this.#isAsking = true;
    let isAnswered = false;
    try {
      isAnswered = await this.#ask();
    } finally {
      this.#isAsking = false;
      this.#goOn(isAnswered);
    }
  }

  /** @param {boolean} isAnswered */
  #goOn(isAnswered) {
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (!this.#isOn) return;
    const wait = this.#isStale ? 0 : Math.min(LONGEST, INTERVAL * (1 + this.#failures));
    this.#isStale = false;
    this.#timer = setTimeout(() => this.soon(), wait);
  }
}
