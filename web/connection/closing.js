// @ts-check
import { text } from "../strings/language.js";

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
 * @param {number} code
 * @param {string} reason */
export const isLockedOut = (code, reason) => code === CLOSE.tryLater && reason.includes("locked");

/** As the server says how long a ban lasts (`SessionHub.banReason`). */
const BANNED = /^this address may join again in (\d+) minutes?$/;

/** What a person who was removed is told: a ban's reason says how long it lasts. A reason that the
 * page does not know is told as it is.
 * @param {string} reason of the close frame */
export function removalSentence(reason) {
  const told = reason.trim();
  if (told === "" || told.startsWith("removed")) return text("status.removed");
  const [, minutes] = BANNED.exec(told) ?? [];
  if (minutes !== undefined) return text("status.banned", { count: Number(minutes) });
  return `${told[0].toUpperCase()}${told.slice(1)}${/[.!?]$/.test(told) ? "" : "."}`;
}
