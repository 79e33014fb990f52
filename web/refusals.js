// @ts-check
// Why nothing happens when somebody does something, in words.

/** More than the server would take. */
export const TOO_MANY = "Not so fast: the pit takes a few at a time";
/** More bytes than fit into a message; letters of some languages take three. */
export const TOO_LONG = "That is too long to be heard";
const FROZEN = "Frozen by the host";
const OFFLINE = "Not connected at the moment: the pit can\u2019t feel that";

/**
 * Why nothing can be done in the pit now; empty if something can.
 * @param {{ state: string }} connection @param {{ isFrozen: boolean }} module
 */
export function reasonToRest({ state }, { isFrozen }) {
  if (state !== "online") return OFFLINE;
  return isFrozen ? FROZEN : "";
}
