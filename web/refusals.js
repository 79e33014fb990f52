// @ts-check
import { text } from "./strings/language.js";

/**
 * Why nothing can be done in the pit now; empty if something can.
 * @param {{ state: string }} connection @param {{ isFrozen: boolean, isAlone: boolean }} module
 */
export function reasonToRest({ state }, { isFrozen, isAlone }) {
  if (state !== "online" && !isAlone) return text("toast.offline");
  return isFrozen ? text("toast.frozen") : "";
}
