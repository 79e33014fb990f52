// @ts-check

const KEY = "stickerpit.host";

/** The host's token, for as long as this tab lives: never in an address, never on the disk. */
export const hostToken = {
  get() {
    try {
      return sessionStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // storage is forbidden here: it is asked for after each reload
    }
  },

  /** @param {string} token */
  put(token) {
    try {
      sessionStorage.setItem(KEY, token);
    } catch {
      // as above
    }
  },

  forget() {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // as above
    }
  },
};
