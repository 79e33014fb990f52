// @ts-check
import { Budget } from "../core/budget.js";
import { Copy } from "../core/keptfloats.js";
import {
  EVENT, INSTANCE_FLOATS, INSTANCE_HOLDER, INSTANCE_SLOT, THROWN, TICK,
} from "../core/wire.js";
import { PictureMarks } from "../draw/picturemarks.js";
import { Raised } from "../draw/raised.js";
import { carryRods, hasBounds, quake } from "../draw/scenery.js";
import { STICKER_SIZE } from "../draw/sheet.js";
import { Squish } from "../draw/squish.js";
import { fallingName } from "../draw/stickersets.js";
import { slotNear, stickerAt } from "../draw/under.js";
import { withKeyHelp } from "../input/keys.js";
import { PitPointer } from "../input/pointer.js";
import { Taps } from "../input/taps.js";
import { text } from "../strings/language.js";
import { reasonToRest } from "../ui/reasons.js";
import { Choice } from "./choice.js";
import { Hands } from "./hands.js";
import { MovingSticker } from "./movingsticker.js";
import { sceneInfo } from "./scenes.js";

/** @typedef {import("../core/vector.js").Vector} Vector */
/** @typedef {import("../core/module.js").Person} Person */
/** @typedef {import("../core/module.js").PitEvent} PitEvent */
/** @typedef {import("../draw/renderer.js").Picture} Picture */

/**
 * What play needs of the page.
 * @typedef {object} Parts
 * @property {import("../core/module.js").PageModule} module
 * @property {import("../connection/connection.js").Connection} connection
 * @property {import("../draw/renderer.js").Renderer} renderer
 * @property {Picture} picture
 * @property {import("../ui/coach.js").Coach} coach
 * @property {import("../ui/tray.js").Tray} tray
 * @property {import("../ui/splash.js").Splash} splash
 * @property {import("../ui/toast.js").Toast} toast
 * @property {import("../ui/headline.js").Headline} headline
 * @property {import("./impacts.js").Impacts} impacts
 * @property {import("../draw/forms.js").Forms} forms
 * @property {import("../draw/dropped.js").DroppedHalos} halos
 * @property {HTMLCanvasElement} canvas
 * @property {HTMLImageElement} ghost
 */

/** Commands a second; the server allows 20, with bursts of twice that. Letting go is never refused,
 * so that each grab counts twice. */
const COMMANDS = { perSecond: 15, burst: 24 };
/** Events kept for tests and the curious. */
const MOST_EVENTS = 200;

/** What fingers do in the scene, and what is drawn besides the stickers. */
export class Play {
  scene = sceneInfo(0);
  hands;
  /** @type {PitEvent[]} */ events = [];
  #parts;
  #budget = new Budget(COMMANDS.perSecond, COMMANDS.burst);
  #pointer;
  #squish = new Squish();
  #raised = new Raised();
  #marks = new PictureMarks((id) => this.#colour(id));
  #choice = new Choice();
  /** What each picture needs is kept from one to the next. */
  #rods = new Copy();
  #before = new Copy();
  #marked = { isRain: false, chosen: -1, person: 0 };
  /** @type {Map<number, Person>} */ #people = new Map();

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { module, connection, picture, canvas, ghost, renderer } = parts;
    this.hands = new Hands(module, connection, () => this.#mayAct(2));
    const taps = new Taps({
      touched: (point, slot) => {
        this.#squish.touch(slot, performance.now());
        this.#ripple(point);
      },
      single: (point, slot) => this.#tapped(point, slot),
      double: (slot, point) => this.snap(slot, point),
    });
    /** @type {import("../input/pointer.js").PitGestures} what fingers and keys ask for */
    this.gestures = {
      tapped: (point, slot) => {
        if (this.scene.places && slot >= 0) this.#choice.choose(slot);
        return taps.tap(point, slot);
      },
      thrown: (point, velocity, onSticker) => this.#throw(point, velocity, onSticker),
      pick: (point) => this.#pick(point),
      slotAt: (point, slack) => slotNear(picture.instances, point, slack),
      grabbed: (slot, point, isFinger) => this.#grab(slot, point, isFinger),
      dragged: (slot, point) => this.hands.move(slot, point),
      released: (slot, velocity) => this.#release(slot, velocity),
      drops: () => this.scene.drops,
      lead: () => this.#lead,
    };
    this.#pointer = new PitPointer(canvas, ghost, renderer.letterbox, this.gestures);
  }

  /** Another scene begins, in which nothing is held.
   * @param {number} number */
  enter(number) {
    this.lost();
    // What lies under a finger now is not what it has touched.
    this.#pointer.forgetAll();
    this.scene = sceneInfo(number);
    this.hands.hasWalls = !this.scene.open;
    this.#choice.forget();
    const { coach, canvas, impacts } = this.#parts;
    impacts.forget();
    coach.teach(this.scene.skills);
    canvas.setAttribute("aria-label", withKeyHelp(text(this.scene.label)));
    document.documentElement.dataset.scene = this.scene.name;
  }

  /** Without a connection nothing is held. */
  lost() {
    this.hands.clear();
  }

  /** Lets go of everything, gently. */
  letGo() {
    this.#pointer.forgetAll();
    this.hands.clear();
  }

  /** @param {Person[]} people */
  know(people) {
    for (const person of people) this.#people.set(person.id, person);
    if (this.#people.size > 4 * people.length + 64) {
      this.#people = new Map(people.map((person) => [person.id, person]));
    }
  }

  /** @param {PitEvent[]} events */
  happened(events) {
    this.events = [...this.events, ...events].slice(-MOST_EVENTS);
    for (const event of events) this.#react(event);
  }

  /** Once a picture, after the stickers were sampled.
   * @param {number} now
   * @param {boolean} isFresh whether they were, or are those of before */
  advance(now, isFresh) {
    const { module, picture, renderer, forms, halos } = this.#parts;
    this.#pointer.advance(picture.instances, now);
    if (!isFresh) return;
    this.#choice.advance(picture.instances);
    let rods = module.rodNumbers;
    if (this.hands.areBusy) rods = this.#carry(rods, now);
    picture.instances = this.#raised.of(picture.instances);
    const boundaries = module.boundaryNumbers;
    picture.forms = forms.of(picture.instances, now);
    picture.shake = this.scene.says ? quake(module.ticksToOpening, now) : 0;
    picture.isOpen = this.scene.open || (this.scene.says && !hasBounds(boundaries));
    const marked = this.#marked;
    marked.isRain = this.scene.says;
    marked.chosen = this.#choice.slot;
    marked.person = module.clientId;
    this.#marks.fill(picture, boundaries, rods, renderer.colours, marked, this.#wearOf, halos, now);
    this.#squish.advance(picture.instances, now);
  }

  /** Moves what is held to the fingers, and with it the rods on which it hangs.
   * @param {Float32Array} rods the module's
   * @param {number} now ms
   * @returns {Float32Array} the rods as they are drawn */
  #carry(rods, now) {
    const { instances } = this.#parts.picture;
    const lead = this.#lead + TICK;
    if (rods.length === 0) {
      this.hands.advance(instances, now, lead);
      return rods;
    }
    const moved = this.#rods.of(rods);
    const before = this.#before.of(instances);
    this.hands.advance(instances, now, lead);
    carryRods(moved, before, instances);
    return moved;
  }

  /** @type {(id: number) => number} */
  #wearOf = (id) => this.#parts.module.wear(id);

  /** From the top, at a random place across. */
  dropAnywhere() {
    if (!this.scene.drops) return;
    const { worldWidth } = this.#parts.renderer.letterbox;
    const across = STICKER_SIZE + Math.random() * (worldWidth - 2 * STICKER_SIZE);
    this.#tapped({ x: across, y: STICKER_SIZE });
  }

  /** @param {Float32Array} instances */
  halos(instances) {
    const halos = [];
    for (let at = INSTANCE_SLOT; at < instances.length; at += INSTANCE_FLOATS) {
      const [slot, holder] = instances.subarray(at, at + 2);
      if (holder >= 0) halos.push({ slot, holder, colour: this.#colour(holder) });
    }
    return halos;
  }

  /** How long a command takes until it is seen, ms: with the state stream the picture shows the past,
   * and the command takes half a round trip and a tick. */
  get #lead() {
    return this.#parts.module.lead;
  }

  /** Whether something may be done now; if not, it is said why.
   * @param {number} cost */
  #mayAct(cost = 1) {
    const { connection, module, toast } = this.#parts;
    const why = reasonToRest(connection, module);
    const now = performance.now();
    for (let spent = 0; spent < cost && why === ""; spent += 1) {
      if (this.#budget.spend(now)) continue;
      toast.explain(text("toast.tooMany"));
      return false;
    }
    if (why !== "") toast.explain(why);
    return why === "";
  }

  /** @param {Vector} point
   * @param {number} slot of the sticker that was there, or −1
   * @returns {boolean} whether it was done, as what follows tells, too */
  #tapped(point, slot = -1) {
    // A tap on a square has chosen it, even if the square has swung away since.
    if (this.scene.places) return slot >= 0 || this.#call(point);
    if (!this.scene.drops || !this.#mayAct()) return false;
    const { module, connection, renderer, tray, coach } = this.#parts;
    const inside = renderer.letterbox.clamp(point, STICKER_SIZE / 2);
    connection.send(module.drop(tray.kind, inside.x, inside.y));
    // If it was on a sticker, the ripple came when that was touched.
    if (slot < 0) this.#ripple(inside);
    this.#parts.impacts.did("drop", inside.x);
    tray.used();
    coach.did("drop");
    return true;
  }

  /** The chosen square flies to a place; without a choice the nearest.
   * @param {Vector} point */
  #call(point) {
    const { instances } = this.#parts.picture;
    if (stickerAt(instances, point) >= 0) return false;
    const isChosen = this.#choice.slot >= 0;
    let [slot, best] = [this.#choice.slot, Infinity];
    for (let at = 0; at < instances.length && !isChosen; at += INSTANCE_FLOATS) {
      const distance = Math.hypot(instances[at] - point.x, instances[at + 1] - point.y);
      const isHeld = instances[at + INSTANCE_HOLDER] >= 0;
      if (distance < best && !isHeld) [slot, best] = [instances[at + INSTANCE_SLOT], distance];
    }
    return slot >= 0 && this.snap(slot, point);
  }

  /** A sticker flies to a place, straightened.
   * @param {number} slot
   * @param {Vector} point */
  snap(slot, point) {
    if (!this.#mayAct()) return false;
    const { module, connection, coach } = this.#parts;
    connection.send(module.snap(slot, point.x, point.y));
    this.#ripple(point);
    if (this.scene.places) coach.did("place");
    return true;
  }

  /** @param {Vector} point */
  #ripple(point) {
    const { renderer, splash } = this.#parts;
    const { x, y } = renderer.letterbox.toCanvas(point.x, point.y);
    splash.drop(x, y, STICKER_SIZE * renderer.letterbox.scale);
  }

  /** Where no sticker is to be thrown, the chosen one is put there in the same moment: a throw
   * alone would bring one that chance chooses.
   * @param {Vector} point
   * @param {Vector} velocity
   * @param {boolean} onSticker */
  #throw(point, velocity, onSticker) {
    if (!this.scene.drops || !this.#mayAct(onSticker ? 1 : 2)) return false;
    const { module, connection, renderer, splash, coach, tray } = this.#parts;
    if (!onSticker) {
      connection.send(module.drop(tray.kind, point.x, point.y));
      tray.used();
    }
    connection.send(module.throwFrom(point.x, point.y, velocity.x, velocity.y));
    const place = renderer.letterbox.toCanvas(point.x, point.y);
    splash.throw(place.x, place.y, STICKER_SIZE * renderer.letterbox.scale, velocity);
    this.#parts.impacts.did("whoosh", point.x);
    coach.did("drop");
    coach.did("throw");
    return true;
  }

  /** @param {number} slot
   * @param {Vector} point
   * @param {boolean} isFinger which hides it */
  #grab(slot, point, isFinger) {
    const holder = this.halos(this.#parts.picture.instances).find((halo) => halo.slot === slot);
    // The server is asked even if somebody holds it: its answer is the one that counts.
    if (holder && holder.holder !== this.#parts.module.clientId) this.#refused(holder.holder);
    if (this.scene.places) this.#choice.choose(slot);
    const isTried = this.hands.grab(slot, point);
    if (isTried) this.#parts.impacts.did("peel", point.x);
    if (isTried && isFinger) this.#parts.forms.takeUnderFinger(slot);
    return isTried;
  }

  /** @param {number} slot
   * @param {Vector} velocity */
  #release(slot, velocity) {
    if (!this.hands.release(slot, velocity)) return false;
    const { coach, impacts, picture } = this.#parts;
    coach.did(this.scene.name === "drag" ? "hang" : "hold");
    const speed = Math.hypot(velocity.x, velocity.y);
    if (speed > THROWN) impacts.did("whoosh", placeOf(slot, picture.instances));
    if (this.scene.open && speed > 1000) coach.did("toss");
    if (this.scene.drops && speed > THROWN) coach.did("throw");
    return true;
  }

  /** @param {Vector} point */
  #pick(point) {
    const { instances } = this.#parts.picture;
    const index = stickerAt(instances, point);
    return index < 0 ? null : new MovingSticker(instances, index, performance.now());
  }

  /** @param {PitEvent} event */
  #react({ kind, a, b }) {
    const { headline, toast, module } = this.#parts;
    if (kind === EVENT.floorWarning) headline.show(text("headline.floor"));
    if (kind === EVENT.rainBegan) {
      const words = text("toast.rain", { name: this.nameOf(b), what: fallingName(a) });
      // In a crowd somebody does it all the time.
      if (b === module.clientId) toast.say(words, "rain");
      else toast.explain(words, "rain");
    }
    if (kind === EVENT.grabRefused && b !== module.clientId) {
      this.hands.lose(a);
      this.#refused(b);
    }
  }

  /** @param {number} holder */
  #refused(holder) {
    this.#parts.toast.say(text("toast.held", { name: this.nameOf(holder) }));
  }

  /** @param {number} id of a person */
  nameOf(id) {
    const { module } = this.#parts;
    if (id === module.clientId) return text("person.you");
    return this.#people.get(id)?.name ?? text("person.somebody");
  }

  /** Everybody's colour is known, also of those whom no list names.
   * @param {number} id */
  #colour(id) {
    return this.#parts.module.colourOf(id);
  }
}

/** How far to the right a sticker is, points.
 * @param {number} slot
 * @param {Float32Array} instances */
function placeOf(slot, instances) {
  for (let at = 0; at < instances.length; at += INSTANCE_FLOATS) {
    if (instances[at + INSTANCE_SLOT] === slot) return instances[at];
  }
  return 0;
}
