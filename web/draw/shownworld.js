// @ts-check
import { importLater } from "../core/later.js";
import { Sheet } from "./sheet.js";
import { OURS, showSet } from "./stickersets.js";

/** @typedef {import("../core/module.js").WorldLook} WorldLook */
/** What is shown of a scene: its pictures, and what its stickers are.
 * @typedef {{ sheet: Sheet, set: import("./stickersets.js").StickerSet }} Shown */

/** How long after a set could not be had the server is asked again, ms. */
const AGAIN = 5000;

/** Which world the page shows: its size, its scene's pictures, and what one does in it. */
export class ShownWorld {
  #renderer;
  #play;
  #words;
  /** @type {WorldLook} */ #look = { scene: -1, width: 0, height: 0, set: "" };
  #sheetOf = "";
  /** By scene and set. They are kept, because the past may go to and fro between worlds.
   * @type {Map<string, Promise<Shown>>} */
  #sheets = new Map();

  /**
   * @param {import("./renderer.js").Renderer} renderer
   * @param {{ enter(scene: number): void, scene: import("../play/scenes.js").SceneInfo }} play
   * @param {{ show(isThere: boolean): void }} words
   */
  constructor(renderer, play, words) {
    this.#renderer = renderer;
    this.#play = play;
    this.#words = words;
  }

  /** Shows a world that has just been entered, also if it looks like the one before. In the past
   * nobody says anything.
   * @param {WorldLook} look */
  enter(look, isPast = false) {
    this.#look = look;
    this.#renderer.setWorld(look.width, look.height);
    this.#play.enter(look.scene);
    if (!isPast) this.#words.show(this.#play.scene.says);
    this.#load(this.#play.scene.name, look.set);
  }

  /** Tells of which world the next picture is. The past may be of another one than the present, and
   * then that one is entered.
   * @param {WorldLook} look
   * @param {boolean} isPast */
  match(look, isPast) {
    const { scene, width, height, set } = this.#look;
    const isSameSize = look.width === width && look.height === height;
    if (look.scene === scene && look.set === set && isSameSize) return;
    this.enter(look, isPast);
  }

  /** Until its pictures are there, the floor is empty.
   * @param {string} scene
   * @param {string} set */
  async #load(scene, set) {
    const name = `${scene} ${set}`;
    if (this.#sheetOf === name) return;
    this.#sheetOf = name;
    this.#renderer.setSheet(null);
    const loading = this.#sheets.get(name) ?? load(scene, set);
    this.#sheets.set(name, loading);
    try {
      this.#show(name, await loading);
    } catch (error) {
      console.warn(error);
      this.#sheets.delete(name);
      // Better than an empty floor: our own pictures, until the set is there.
      this.#show(name, await load(scene, ""));
      setTimeout(() => this.#loadAgain(name, scene, set), AGAIN);
    }
  }

  /** @param {string} name
   * @param {string} scene
   * @param {string} set */
  #loadAgain(name, scene, set) {
    if (this.#sheetOf !== name) return;
    this.#sheetOf = "";
    this.#load(scene, set);
  }

  /** @param {string} name
   * @param {Shown} shown */
  #show(name, { sheet, set }) {
    if (this.#sheetOf !== name) return;
    showSet(set);
    this.#renderer.setSheet(sheet);
  }
}

/** @param {string} scene
 * @param {string} id of a set
 * @returns {Promise<Shown>} */
async function load(scene, id) {
  if (id === "") return { sheet: await Sheet.load(scene), set: OURS };
  // Most pits have no set, and need not fetch what draws one.
  /** @type {[typeof import("./fetchedset.js"), typeof import("./cutsheet.js")]} */
  const [{ FetchedSet }, { CutSheet }] = await Promise.all([
    importLater("./fetchedset.js", import.meta.url),
    importLater("./cutsheet.js", import.meta.url),
  ]);
  const set = await FetchedSet.load(id);
  return { sheet: await CutSheet.of(set), set };
}
