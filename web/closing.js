// @ts-check

/** Close codes of WebSockets and of this server. */
export const CLOSE = Object.freeze({
  tryLater: 1013,
  /** The server does not offer the log of a world as large as its own: it tells states. */
  unsupportedStream: 4001,
  /** The same token was shown on another connection, which goes on instead. */
  replaced: 4002,
  /** The host has removed the person, or bans the address. */
  removed: 4003,
});

/** Codes after which a page does not come back by itself. */
export const isRefusal = (/** @type {number} */ code) => code >= 4000 && code < 4100;

/** With this reason nobody new is let in; who was here may come back.
 * @param {number} code @param {string} reason */
export const isLockedOut = (code, reason) => code === CLOSE.tryLater && reason.includes("locked");

const REMOVED = "You were removed by the host.";

/** What a person who was removed is told: a ban's reason says how long it lasts.
 * @param {string} reason of the close frame */
export function removalSentence(reason) {
  const text = reason.trim();
  if (text === "" || text.startsWith("removed")) return REMOVED;
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
