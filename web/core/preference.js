// @ts-check

/** Something that a person has switched on or off, remembered for the next visit. */
export class Preference {
  #key;
  #value;

  /** @param {string} key in the storage
   * @param {boolean} usual until somebody has decided */
  constructor(key, usual) {
    this.#key = key;
    this.#value = recall(key) ?? usual;
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    this.#value = value;
    try {
      localStorage.setItem(this.#key, value ? "on" : "off");
    } catch {
      // Storage is forbidden here: it holds for this visit.
    }
  }
}

/** @param {string} key */
function recall(key) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : text === "on";
  } catch {
    return null; // storage is forbidden here: what is usual holds
  }
}
