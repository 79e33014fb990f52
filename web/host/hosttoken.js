// @ts-check

const KEY = "stickerpit.host";

/** The host's token, for as long as this tab lives: never in an address, never on the disk. */
export const hostToken = {
  get() {
    try {
      return sessionStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // storage is forbidden here: the token is asked for after each reload
    }
  },

  /** @param {string} token */
  put(token) {
    try {
      sessionStorage.setItem(KEY, token);
    } catch {
      // Storage is forbidden here: after a reload the token is asked for again.
    }
  },

  forget() {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Storage is forbidden here, so there is nothing to forget.
    }
  },
};
