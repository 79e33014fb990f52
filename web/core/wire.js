// @ts-check
// Numbers of the protocol and of pit.wasm's memory that several parts of the page share.

/** Types of the server's messages, the first byte of each. */
export const MESSAGE = Object.freeze({
  welcome: 0x81, events: 0x85, clockEcho: 0x86, notice: 0x87, receipt: 0x89, comeBack: 0x8b,
  lateTilt: 0x8c,
});

/** What a notice tells of, its second byte: who is here, a message for this person, the host's decisions, this
 * person's other name, whose tilt counts, how people tilt. */
export const NOTICE = Object.freeze({ people: 0, message: 1, host: 2, renamed: 3, tilt: 4, tilts: 5 });

const FRAMES = Object.freeze({
  keyframe: 0x82, catchUp: 0x83, held: 0x88, snapshot: 0x8a, firstRecords: 0x90, lastRecords: 0x9f,
  first: 0xc0,
});

/**
 * Whether a message brings the world.
 * @param {number} type
 */
export const isFrame = (type) =>
  type >= FRAMES.first ||
  type === FRAMES.keyframe ||
  type === FRAMES.catchUp ||
  type === FRAMES.held ||
  isOfLog(type);

/**
 * Whether it brings the world as the log does.
 * @param {number} type
 */
export const isOfLog = (type) =>
  type === FRAMES.snapshot || (type >= FRAMES.firstRecords && type <= FRAMES.lastRecords);

/** What a page can ask for: where everything is, or what happened, by which it runs the world. */
export const STREAM = Object.freeze({ state: 0, replica: 1 });
/** Added to it in the hello of a screen that only watches, and is no person in the pit. */
export const WATCHING = 2;

/** Floats per sticker in the instance buffer: x, y, cosine, sine, and at these places its size, points,
 * its kind, its age, seconds, the slot by which commands name it, and its holder, a person's id or −1. */
export const INSTANCE_FLOATS = 10;
export const INSTANCE_WIDTH = 4;
export const INSTANCE_HEIGHT = 5;
export const INSTANCE_KIND = 6;
export const INSTANCE_AGE = 7;
export const INSTANCE_SLOT = 8;
export const INSTANCE_HOLDER = 9;

/** Radius of our own stickers' corners by kind, in halves of the shorter side: 1 is a disc. The module
 * tells it when it is loaded (`page_corner`). */
export const CORNERS = new Float32Array(32);

/** Slots that there may be (`WireLimits.bodies`). */
export const SLOTS = 16_384;

/** Ticks in a second, and the time from one to the next, ms. */
export const TICKS_A_SECOND = 60;
export const TICK = 1000 / TICKS_A_SECOND;

/** Floats per boundary: its number, then both ends. */
export const BOUNDARY_FLOATS = 5;
/** Floats per rod: its anchor, then where it holds a sticker. */
export const ROD_FLOATS = 4;

/**
 * Floats per effect: its kind, person, slot, the other's slot, speed, the direction of a blow (x, y),
 * the sticker's kind and size, where it was (x, y). −1 for what there is not.
 */
export const EFFECT_FLOATS = 11;
/** The most effects at a time: twelve blows and sixteen commands for each of the 40
 * ticks that are kept. */
export const MOST_EFFECTS = 40 * (12 + 16);
/** Kinds of effects: what is seen and heard of ticks that are certain. */
export const EFFECT = Object.freeze({ blow: 0, dropped: 1, thrown: 2, taken: 3 });

/** What to do after a frame that was refused. */
export const RECOVERY = Object.freeze({ nothing: 0, ask: 1, giveUp: 2 });

/** A sticker that is let go faster than this counts as thrown, pt/s. */
export const THROWN = 300;

/** What people are called whose names are hidden or not known, in the language of the page
 * (`language.js`), by what servers and the module call them.
 * @type {Map<string, string>} */
export const NAMELESS = new Map();

/** Kinds of events. */
export const EVENT = Object.freeze({
  floorWarning: 1,
  floorOpened: 2,
  floorClosed: 3,
  rainBegan: 4,
  contactBegan: 5,
  contactEnded: 6,
  grabRefused: 7,
});

/** Bits of `hostFlags`. */
export const HOST = Object.freeze({ frozen: 1, locked: 2 });

/** Bytes of a resume token. */
export const TOKEN_BYTES = 16;
