// @ts-check
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/module.js").WorldForm} WorldForm */

/** Which world the page shows: its size, its scene's pictures, and what one does in it. */
export class ShownWorld {
  #renderer;
  #play;
  #words;
  /** @type {WorldForm} */ #form = { scene: -1, width: 0, height: 0 };
  #sheetOf = "";
  /** By scene: the past may go to and fro.
   * @type {Map<string, Promise<Sheet>>} */
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
   * @param {WorldForm} form */
  enter(form, isPast = false) {
    this.#form = form;
    this.#renderer.setWorld(form.width, form.height);
    this.#play.enter(form.scene);
    if (!isPast) this.#words.show(this.#play.scene.says);
    this.#load(this.#play.scene.name);
  }

  /** What is drawn next is of this world: the past may be of another one than the present.
   * @param {WorldForm} form @param {boolean} isPast */
  match(form, isPast) {
    const { scene, width, height } = this.#form;
    if (form.scene === scene && form.width === width && form.height === height) return;
    this.enter(form, isPast);
  }

  /** Until its pictures are there, the floor is empty.
   * @param {string} scene */
  async #load(scene) {
    if (this.#sheetOf === scene) return;
    this.#sheetOf = scene;
    this.#renderer.setSheet(null);
    const loading = this.#sheets.get(scene) ?? Sheet.load(scene);
    this.#sheets.set(scene, loading);
    const sheet = await loading;
    if (this.#sheetOf === scene) this.#renderer.setSheet(sheet);
  }
}
