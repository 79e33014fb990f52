// @ts-check
import { BOUNDARY_FLOATS, INSTANCE_FLOATS, ROD_FLOATS } from "../core/wire.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../connection/connection.js").Connection} Connection */
/** @typedef {import("../draw/renderer.js").Renderer} Renderer */
/** @typedef {import("../core/vector.js").Vector} Vector */

/**
 * `window.stickerPit`: what the page knows, for tests and the curious; nothing can be changed by
 * it.
 * @param {PageModule} module
 * @param {Connection} connection
 * @param {Renderer} renderer
 * @param {import("../draw/renderer.js").Picture} picture
 * @param {{ vector: Vector }} tilt
 * @param {import("../play/play.js").Play} play
 * @param {import("../past/rewind.js").Rewind} rewind
 */
export function makeProbe(module, connection, renderer, picture, tilt, play, rewind) {
  return Object.freeze({
    get connected() {
      return connection.state === "online";
    },
    get state() {
      return connection.state;
    },
    /** Whether it plays by itself, because no server answers. */
    get alone() {
      return module.isAlone;
    },
    get tick() {
      return module.tick;
    },
    get count() {
      return picture.instances.length / INSTANCE_FLOATS;
    },
    get name() {
      return module.name;
    },
    get othersTilts() {
      return module.othersTilts;
    },
    get colour() {
      return module.colour;
    },
    get id() {
      return module.clientId;
    },
    get people() {
      return module.peopleCount;
    },
    get quality() {
      return module.quality;
    },
    get link() {
      return module.link;
    },
    /** How running the world goes; null with the state stream. */
    get following() {
      return module.following;
    },
    get divergence() {
      return module.divergence;
    },
    get gravity() {
      return { ...module.gravity };
    },
    get tilt() {
      return { ...tilt.vector };
    },
    get world() {
      return { width: module.worldWidth, height: module.worldHeight };
    },
    /** Every sticker that is drawn: centre and size in points, kind, angle in radians, age in
     * seconds (it pops up while it is young), slot, and the person who holds it or −1. */
    positions() {
      const { instances } = picture;
      return Array.from({ length: instances.length / INSTANCE_FLOATS }, (_, index) => {
        const numbers = instances.subarray(index * INSTANCE_FLOATS);
        const [x, y, cosine, sine, size, height, kind, age, slot, holder] = numbers;
        const angle = Math.atan2(sine, cosine);
        return { x, y, size, height, kind, angle, age, slot, holder };
      });
    },
    get scene() {
      return play.scene.name;
    },
    /** The walls and ledges that are drawn: their numbers and both ends, points. */
    get boundaries() {
      return inGroups(module.boundaryNumbers, BOUNDARY_FLOATS).map(([id, ax, ay, bx, by]) => {
        return { id, ax, ay, bx, by };
      });
    },
    get rods() {
      return inGroups(module.rodNumbers, ROD_FLOATS).map(([anchorX, anchorY, x, y]) => {
        return { anchorX, anchorY, x, y };
      });
    },
    get isOpen() {
      return picture.isOpen;
    },
    /** What of the past is shown; null in the present. */
    get past() {
      const { past } = rewind;
      if (!past) return null;
      const { isShown, position, first, last, speed, isPlaying } = past;
      const isWaiting = past.waitsSince !== null;
      return isShown ? { position, first, last, speed, isPlaying, isWaiting } : null;
    },
    /** How many ticks of the past can be shown. */
    get recorded() {
      return module.recordedTicks;
    },
    /** The latest events, oldest first. */
    get events() {
      return [...play.events];
    },
    /** Slots of the stickers that this page holds. */
    get holding() {
      return play.hands.slots;
    },
    /** Colours, as `#rrggbb`, of the halos that are drawn around held stickers. */
    halos() {
      return play.halos(picture.instances);
    },
    /**
     * Where a point of the world lies in the window, in CSS pixels.
     * @param {number} x
     * @param {number} y
     */
    toWindow(x, y) {
      const box = renderer.canvas.getBoundingClientRect();
      const place = renderer.letterbox.toCanvas(x, y);
      return { x: box.left + place.x, y: box.top + place.y };
    },
  });
}

/** @param {Float32Array} numbers
 * @param {number} size of a group */
function inGroups(numbers, size) {
  return Array.from({ length: numbers.length / size }, (_, index) => {
    return numbers.subarray(index * size, (index + 1) * size);
  });
}
