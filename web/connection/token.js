// @ts-check
import { TOKEN_BYTES } from "../core/wire.js";

const KEY = "stickerpit.resume";

/**
 * The resume token, which gives this tab its name, colour and place back after a lost connection or
 * a reload. It lies in sessionStorage only while the page is hidden or gone: a duplicated tab
 * copies that storage, and two tabs with one token would push each other out for ever.
 */
export const resumeToken = {
  /** Takes the token out of the storage.
   * @returns {Uint8Array | null} */
  take() {
    try {
      const text = sessionStorage.getItem(KEY);
      sessionStorage.removeItem(KEY);
      const bytes = text?.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? [];
      return bytes.length === TOKEN_BYTES ? Uint8Array.from(bytes) : null;
    } catch {
      return null; // storage is forbidden here: a new name it is
    }
  },

  /** @param {Uint8Array} token */
  put(token) {
    if (token.every((byte) => byte === 0)) return;
    try {
      const text = Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
      sessionStorage.setItem(KEY, text);
    } catch {
      // Storage is forbidden here.
    }
  },
};
