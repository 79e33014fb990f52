// @ts-check
import { letterKeys } from "../input/keys.js";
import { laterWords, text } from "../strings/language.js";
import { button, loadSheet, make } from "../ui/dom.js";

/** @typedef {import("../play/scenes.js").SceneInfo} SceneInfo */

/** What the keys do in a scene: which they are, and in words.
 * @param {SceneInfo} scene
 * @returns {[string[], string][]} */
function rows({ tilts, drops, places }) {
  /** @type {[boolean, string[], string][]} */
  const all = [
    [tilts, ["←", "↑", "↓", "→"], text("keys.tilt")],
    [true, ["I", "J", "K", "L"], text("keys.aim")],
    [true, ["N"], text("keys.next")],
    [drops, ["Enter"], text("keys.drop")],
    [places, ["Enter"], text("keys.call")],
    [drops, ["Q", "E"], text("keys.kind")],
    [true, ["G"], text("keys.take")],
    [true, ["T"], text("keys.throw")],
    [true, ["X"], text("keys.straighten")],
    [true, ["Esc"], text("keys.away")],
    [true, ["?"], text("keys.help")],
  ];
  return all.filter(([isThere]) => isThere).map(([, keys, words]) => [keys, words]);
}

/** Switches off the keys that are characters; without them there are still the arrow keys, Enter, the
 * space bar and Esc, and this list by its button. */
function letterSwitch() {
  const box = make("input", { type: "checkbox", checked: letterKeys.value });
  box.addEventListener("change", () => (letterKeys.value = box.checked));
  return make("label", {}, box, text("keys.letters"));
}

/** Shows what the keys do, until somebody closes it.
 * @param {SceneInfo} scene
 * @param {() => void} closed */
export async function showKeys(scene, closed) {
  await Promise.all([loadSheet(new URL("./aim.css", import.meta.url)), laterWords()]);
  // Somebody may have asked twice meanwhile.
  if (document.getElementById("keys-help")) return;
  const list = make("dl");
  for (const [keys, words] of rows(scene)) {
    const caps = keys.map((key) => make("kbd", { textContent: key }));
    list.append(make("dt", {}, ...caps), make("dd", { textContent: words }));
  }
  const title = make("h2", { id: "keys-title", textContent: text("keys.title") });
  const dialog = make("dialog", { id: "keys-help", "aria-labelledby": "keys-title" }, title, list);
  const close = button(text("keys.close"), () => dialog.close(), { autofocus: true });
  dialog.append(letterSwitch(), close);
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  // The same key closes it.
  dialog.addEventListener("keydown", ({ key, repeat }) => {
    if (key === "?" && !repeat) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
