// @ts-check
import { text } from "../strings/language.js";

/** What a number is called that the host has typed, by its name in the host's interface. */
const CALLED = /** @type {const} */ ({
  bodies: "world.stickers", people: "room.people", commands: "room.commands", percent: "world.gravity",
});

/**
 * The refusals that the panel's own requests can meet, as `HostDesk` and `HostParameters` write them, and
 * what the page says instead, in its own language. `found` has what the groups of the expression found.
 * @type {[RegExp, (...found: string[]) => string][]}
 */
const KNOWN = [
  [/^another page may not act for the host$/, () => text("api.otherSite")],
  [/^this server has no host\b/, () => text("api.noHost")],
  [/^too many acts wait\b/, () => text("api.busy")],
  [/^nobody here has the number (\d+)$/, (number) => text("refusal.gone", { number })],
  [/^(\S+) is not banned$/, (address) => text("refusal.notBanned", { address })],
  [/^there are (\d+) bans already\b/, (most) => text("refusal.bans", { most })],
  [/^the proxy does not say from which address\b/, () => text("refusal.proxy")],
  [/^another server runs this world\b/, () => text("refusal.leader")],
  [/^the scene \w+ has its own gravity$/, () => text("refusal.gravity")],
  [/^the scene \w+ needs its own stickers$/, () => text("refusal.stickers")],
  [
    /^such a world takes (\d+) stickers, and those who are here follow worlds of (\d+) at most\b/,
    (stickers, most) => text("refusal.tooLarge", { stickers, most }),
  ],
  [
    /^bodies: (\d+) bodies at the start are not possible: choose 0 to (\d+)$/,
    (stickers, most) => text("refusal.bodies", { stickers, most }),
  ],
  [
    /^(bodies|people|commands|percent) must be (\d+) to (\d+), not '(.*)'$/,
    (name, least, most, given) => {
      const what = text(CALLED[/** @type {keyof typeof CALLED} */ (name)]);
      return text("refusal.number", { what, least, most, given });
    },
  ],
  [
    /^(?:name|text) must have (\d+) to (\d+) bytes of UTF-8, not (\d+)$/,
    (least, most, bytes) => text("refusal.bytes", { least, most, bytes }),
  ],
  [/^(?:name|text) must have no control characters$/, () => text("refusal.controls")],
  [/^(?:name|text) must have something to read$/, () => text("refusal.blank")],
];

/** What the host is told of a refusal. One that the page does not know is told as the server says it.
 * @param {string} words of the server */
export function refusalSentence(words) {
  for (const [expression, sentence] of KNOWN) {
    const found = expression.exec(words);
    if (found) return sentence(...found.slice(1));
  }
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
