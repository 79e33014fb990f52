// @ts-check
import { readSamples, sum } from "./prometheus.js";

/** An answer that takes longer is given up, ms. */
const PATIENCE = 5000;
/** How long until a port that does not tell the metrics is asked again, ms: the server may be started
 * anew without `--admin-listen`. */
const METRICS_AGAIN = 60_000;

/**
 * What the server told at one moment. Counters count from its start; null is what this port doesn't
 * tell.
 * @typedef {object} Figures
 * @property {number} now when, ms
 * @property {string} status "ok" or "degraded"
 * @property {number} elapsed s from its first tick to the last: less than before after a restart
 * @property {number} tickMedian ms
 * @property {number} tick99 ms
 * @property {number} late99 ms
 * @property {number} people who play
 * @property {number} bodies
 * @property {number} bytes counter
 * @property {number} skipped counter
 * @property {number | null} clients who are connected, watching screens too
 * @property {number | null} rollbacks counter
 */

/** Asks the server how it fares: `/healthz`, which every port tells, and `/metrics`. */
export class FigureSource {
  #health = new URL("./healthz", document.baseURI);
  #metrics = new URL("./metrics", document.baseURI);
  #metricsAgain = -Infinity;

  /** @param {number} now ms
   * @returns {Promise<Figures>} rejects without an answer */
  async ask(now) {
    const [health, samples] = await Promise.all([this.#askHealth(), this.#askMetrics(now)]);
    const reports = { what: "rollbacks" };
    return {
      now,
      status: String(health.status),
      elapsed: number(health, "elapsed"),
      tickMedian: number(health.took, "p50") / 1000,
      tick99: number(health.took, "p99") / 1000,
      late99: number(health.late, "p99") / 1000,
      people: number(health, "people"),
      bodies: number(health, "bodies"),
      bytes: number(health, "bytes"),
      skipped: number(health, "skipped"),
      clients: samples && sum(samples, "stickerpit_clients"),
      rollbacks: samples && sum(samples, "stickerpit_client_reports_total", reports),
    };
  }

  async #askHealth() {
    const answer = await fetchNow(this.#health);
    if (!answer.ok) throw new Error(`/healthz: ${answer.status}`);
    return answer.json();
  }

  /** Null where the metrics are not told; those that just did not come are an error.
   * @param {number} now */
  async #askMetrics(now) {
    if (now < this.#metricsAgain) return null;
    const answer = await fetchNow(this.#metrics);
    if (answer.ok) return readSamples(await answer.text());
    if (answer.status !== 404) throw new Error(`/metrics: ${answer.status}`);
    this.#metricsAgain = now + METRICS_AGAIN;
    return null;
  }
}

/** @param {URL} url */
function fetchNow(url) {
  return fetch(url, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
}

/** A figure of the answer. It must be a number: anything else would draw a line where nothing is
 * known.
 * @param {any} answer JSON
 * @param {string} name */
function number(answer, name) {
  const value = answer?.[name];
  if (typeof value !== "number") throw new Error(`/healthz tells no ${name}`);
  return value;
}
