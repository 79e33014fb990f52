// @ts-check
// The bridge to pit.wasm: every byte of the protocol is written and read in there, by the same
// Swift sources as the server's. Here are only names and views into its memory.
import { readDivergence, readFollowing, readLink } from "./following.js";
import { Copy } from "./keptfloats.js";
import { ModuleMemory, digits, hexColour } from "./memory.js";
import {
  BOUNDARY_FLOATS, CORNERS, EFFECT_FLOATS, HOST, INSTANCE_FLOATS, MESSAGE, MOST_EFFECTS, ROD_FLOATS,
  TICKS_A_SECOND, TOKEN_BYTES, WATCHING,
} from "./wire.js";

/** How exactly a page wants to know where things are: for the eye, in half as many bytes. */
const PROFILE = Object.freeze({ strict: 0, visual: 1 });
/** Numbers that an event has in the module's memory. */
const EVENT_NUMBERS = 6;
/** Most bytes of a word that is said. */
const SAID_BYTES = 64;
/** @type {PitEvent[]} */ const NO_EVENTS = [];

/**
 * @typedef {import("./exports.js").PageExports} PageExports
 * @typedef {{ id: number, colour: string, name: string }} Person
 * @typedef {{ id: number, x: number, y: number }} PersonTilt how a person tilts, length 0…1
 * @typedef {{ scene: number, width: number, height: number, set: string }} WorldLook a scene, its
 *   size in points, and the set of its stickers, empty for our own
 * @typedef {{ kind: number, a: number, b: number, x: number, y: number, tick: number }} PitEvent */

/** pit.wasm, with views instead of addresses. */
export class PageModule {
  journalSet = ""; // the set of the journal that is replayed, as `stickerSet`
  /** @type {PageExports} */ #exports;
  /** A copy of the last sample: a view of the module's memory becomes empty when that grows. */
  #sampled = new Copy();
  /** What `world` answered last; null after every welcome.
   * @type {WorldLook | null} */
  #world = null;
  #gravity = { x: 0, y: 1 };
  #memory;

  /** @param {PageExports} exports */
  constructor(exports) {
    this.#exports = exports;
    this.#memory = new ModuleMemory(exports);
    exports._initialize?.();
  }

  /** Fetches and starts the module.
   * @param {URL} url
   * @returns {Promise<PageModule>} */
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`pit.wasm: ${response.status} ${response.statusText}`);
    // Not instantiateStreaming: that insists on the type application/wasm, which a plain file
    // server may not send, and the module is small.
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
    const exports = /** @type {PageExports} */ (/** @type {unknown} */ (instance.exports));
    const module = new PageModule(exports);
    for (const kind of CORNERS.keys()) CORNERS[kind] = exports.page_corner(kind);
    return module;
  }

  /** Forgets the world, before a new connection; keeps the resume token. */
  reset() {
    this.#world = null;
    this.#exports.page_reset();
  }

  /** Takes in one message of the server.
   * @param {ArrayBuffer} message
   * @param {number} now
   * @returns {number} the message's type, negative when it was refused */
  receive(message, now) {
    const bytes = new Uint8Array(message);
    if (bytes[0] === MESSAGE.welcome) this.#world = null;
    return this.#memory.write(bytes) ? this.#exports.page_receive(bytes.length, now) : -1;
  }

  /** What to do about frames that were refused. The module counts on it that it is done.
   * @param {number} now
   * @returns {number} one of `RECOVERY` */
  recoveryStep(now) {
    return this.#exports.page_recovery_step(now);
  }

  /** How long a server that is about to stop asks the page to stay away, ms; −1 if it didn't say. */
  get returnDelay() {
    return this.#exports.page_return_delay();
  }

  /** @returns {Uint8Array<ArrayBuffer>} a copy of the resume token; zeros when there is none */
  get token() {
    const address = this.#exports.page_token();
    return this.#memory.bytes.slice(address, address + TOKEN_BYTES);
  }

  /** Zeros mean that there is none.
   * @param {Uint8Array} token */
  set token(token) {
    if (token.length === TOKEN_BYTES && this.#memory.write(token)) {
      this.#exports.page_set_token_from_input();
    }
  }

  /** The version of the simulation, 16 digits: modules of one version make one world of one log. */
  get coreVersion() {
    return digits(this.#exports.page_core_version());
  }

  get clientId() {
    return this.#exports.page_client_id();
  }

  /** This person's colour as `#rrggbb`. */
  get colour() {
    return hexColour(this.#exports.page_colour());
  }

  get name() {
    return this.#memory.name(this.#exports.page_name(), this.#exports.page_name_length());
  }

  /** The world of the last welcome.
   * @returns {WorldLook} */
  get world() {
    return (this.#world ??= {
      scene: this.scene, width: this.worldWidth, height: this.worldHeight, set: this.stickerSet,
    });
  }

  /** The set that the world's stickers are of: 16 hexadecimal digits, empty for our own. */
  get stickerSet() {
    return digits(this.#exports.page_sticker_set()).replace(/^0+$/, "");
  }

  get worldWidth() {
    return this.#exports.page_world_width();
  }

  get worldHeight() {
    return this.#exports.page_world_height();
  }

  /** How many are connected, of whom `people` lists the newest. */
  get peopleCount() {
    return this.#exports.page_people_count();
  }

  /** @returns {Person[]} */
  get people() {
    const { page_person_id, page_person_colour, page_person_name, page_person_name_length } =
      this.#exports;
    return Array.from({ length: this.#exports.page_people_listed() }, (_, index) => ({
      id: page_person_id(index),
      colour: hexColour(page_person_colour(index)),
      name: this.#memory.name(page_person_name(index), page_person_name_length(index)),
    }));
  }

  /** Anybody's colour as `#rrggbb`.
   * @param {number} id of a person */
  colourOf(id) {
    return hexColour(this.#exports.page_colour_of(id));
  }

  get noticeCode() {
    return this.#exports.page_notice_code();
  }

  /** Whose pit it is, in a server where one person tilts at a time (id −1: nobody's); null elsewhere.
   * @returns {import("../ui/captain.js").Captain | null} */
  get captain() {
    const wasm = this.#exports;
    const [id, colour] = [wasm.page_captain(), hexColour(wasm.page_captain_colour())];
    const name = this.#memory.name(wasm.page_captain_name(), wasm.page_captain_name_length());
    const seconds = wasm.page_captain_ticks() / TICKS_A_SECOND;
    return id < -1 ? null : { id, colour, name, seconds };
  }

  /** How other people tilt, of at most a dozen people, as vectors of length 0…1.
   * @returns {PersonTilt[]} */
  get othersTilts() {
    const { page_tilts, page_tilt_person, page_tilt_x, page_tilt_y } = this.#exports;
    return Array.from({ length: page_tilts() }, (_, index) => ({
      id: page_tilt_person(index), x: page_tilt_x(index), y: page_tilt_y(index),
    })).filter(({ id }) => id !== this.clientId);
  }

  /** Whether the host has the world stand still. */
  get isFrozen() {
    return (this.#exports.page_host_flags() & HOST.frozen) !== 0;
  }

  /** Whether nobody new may join. */
  get isLocked() {
    return (this.#exports.page_host_flags() & HOST.locked) !== 0;
  }

  /** What the host has to say to everybody; empty as a rule. */
  get announcement() {
    const wasm = this.#exports;
    return this.#memory.string(wasm.page_announcement(), wasm.page_announcement_length());
  }

  /** Everybody's blended tilt as the stickers feel it, length 0…1: the same object all the time. */
  get gravity() {
    this.#gravity.x = this.#exports.page_gravity_x();
    this.#gravity.y = this.#exports.page_gravity_y();
    return this.#gravity;
  }

  /** Whether the page plays a world of its own, without a server; until the next welcome. */
  get isAlone() {
    return this.#exports.page_is_alone() !== 0;
  }

  /** From now on the page plays a world of its own: the one that it showed last, or else a new one. */
  playAlone() {
    this.#world = null;
    return this.#exports.page_play_alone((Math.random() * 2 ** 32) | 0) !== 0;
  }

  /** Runs the world to a moment, if it runs here.
   * @param {number} now */
  run(now) {
    this.#exports.page_run(now);
  }

  /** The stickers at a moment, interpolated: `INSTANCE_FLOATS` floats each, valid until the next
   * call.
   * @param {number} now
   * @returns {Float32Array} */
  sample(now) {
    return this.#instances(this.#exports.page_sample(now));
  }

  // The past: the last minute of what the page followed, or stretches of a journal. While it is
  // shown, gravity, boundaries and rods are the past's.

  /** How many ticks are recorded after the first. */
  get recordedTicks() {
    return this.#exports.page_past_count();
  }

  /** Shows what is recorded up to now.
   * @returns {{ first: number, ticks: number }} */
  enterPast() {
    const ticks = this.#exports.page_past_enter();
    return { first: this.#exports.page_past_first() >>> 0, ticks };
  }

  /** Takes a stretch of a journal.
   * @param {Uint8Array} bytes a snapshot, then records
   * @param {number} snapshot the bytes of the snapshot
   * @returns {number} ticks after the first; −1 for bytes that are none */
  takePast(bytes, snapshot) {
    const address = this.#exports.page_past_input(bytes.length);
    if (address === 0) return -1;
    this.#memory.bytes.set(bytes, address);
    return this.#exports.page_past_take(snapshot, bytes.length - snapshot);
  }

  /** Runs the past towards a tick.
   * @param {number} tick
   * @param {number} most ticks to run
   * @returns {number} 1 when it is there, 0 on its way, −1 for a tick that is not known */
  reachPast(tick, most) {
    return this.#exports.page_past_reach(tick | 0, most);
  }

  /** The stickers between a tick that was reached and the next, as `sample` gives them.
   * @param {number} tick
   * @param {number} share of the way to the next */
  samplePast(tick, share) {
    const count = this.#exports.page_past_sample(tick | 0, share);
    return count < 0 ? null : this.#instances(count);
  }

  /** The world of the last sample of the past: the host may have begun another one since.
   * @returns {WorldLook} */
  get pastWorld() {
    const wasm = this.#exports;
    return {
      scene: wasm.page_past_scene(), width: wasm.page_past_world_width(),
      height: wasm.page_past_world_height(),
      set: wasm.page_past_scene() === 0 ? this.stickerSet || this.journalSet : "",
    };
  }

  /** Whether a hash has shown that the past was another one than what is replayed. */
  get pastDiverged() {
    return this.#exports.page_past_diverged() !== 0;
  }

  /** Shows the present again. */
  leavePast() {
    this.#exports.page_past_leave();
  }

  /** @param {number} count of the stickers that were sampled */
  #instances(count) {
    const numbers = this.#memory.numbers(this.#exports.page_instances(), count * INSTANCE_FLOATS);
    return this.#sampled.of(numbers);
  }

  /** @param {number} rate frames a second: 60, 30, 20 or 10
   * @param {number} kind one of `STREAM`
   * @param {number} now
   * @param {boolean} isWatching whether the page only watches */
  hello(rate, kind, now, isWatching = false) {
    const wanted = kind | (isWatching ? WATCHING : 0);
    return this.#memory.message(this.#exports.page_hello(rate, PROFILE.visual, wanted, now));
  }

  /** Asks for a stream. If it is the one that runs already, the server begins it anew.
   * @param {number} rate
   * @param {number} kind one of `STREAM` */
  stream(rate, kind) {
    return this.#memory.message(this.#exports.page_stream(rate, PROFILE.visual, kind));
  }

  /** Tells what running the world took.
   * @param {number} milliseconds
   * @param {number} now
   * @returns {boolean} whether it is too much for this device */
  spent(milliseconds, now) {
    return this.#exports.page_spent(milliseconds, now) !== 0;
  }

  /** Milliseconds from what a person does to its effect in the picture. */
  get lead() {
    return this.#exports.page_lead_ms();
  }

  /** Whether the page runs the world itself; otherwise the server tells where the stickers are. */
  get runsWorld() {
    return this.#exports.page_is_following() !== 0 || this.isAlone;
  }

  /** How running the world goes; null with the state stream. */
  get following() {
    return readFollowing(this.#exports, this.#memory.decoder);
  }

  /** Both worlds of one tick, if they differed. */
  get divergence() {
    return readDivergence(this.#exports, this.#memory.decoder);
  }

  /** @param {number} x
   * @param {number} y */
  tilt(x, y) {
    return this.#memory.message(this.#exports.page_tilt(x, y));
  }

  /** @param {number} kind
   * @param {number} x
   * @param {number} y */
  drop(kind, x, y) {
    return this.#memory.message(this.#exports.page_drop(kind, x, y));
  }

  /** @param {number} x
   * @param {number} y
   * @param {number} vx pt/s
   * @param {number} vy pt/s */
  throwFrom(x, y, vx, vy) {
    return this.#memory.message(this.#exports.page_throw(x, y, vx, vy));
  }

  /** Takes hold of a sticker at the point that the finger has touched. The message is empty when the
   * sticker is gone.
   * @param {number} slot
   * @param {number} x
   * @param {number} y */
  grab(slot, x, y) {
    return this.#memory.message(this.#exports.page_grab(slot, x, y));
  }

  /** @param {number} slot
   * @param {number} x
   * @param {number} y */
  move(slot, x, y) {
    return this.#memory.message(this.#exports.page_move(slot, x, y));
  }

  /** @param {number} slot
   * @param {number} vx pt/s
   * @param {number} vy pt/s */
  release(slot, vx, vy) {
    return this.#memory.message(this.#exports.page_release(slot, vx, vy));
  }

  /** @param {number} slot
   * @param {number} x
   * @param {number} y */
  snap(slot, x, y) {
    return this.#memory.message(this.#exports.page_snap(slot, x, y));
  }

  /** Says a keyword. The message is empty when it is too long.
   * @param {string} words */
  say(words) {
    const bytes = new TextEncoder().encode(words);
    const fits = bytes.length <= SAID_BYTES && this.#memory.write(bytes);
    return this.#memory.message(fits ? this.#exports.page_say(bytes.length) : 0);
  }

  /** Makes it rain stickers of a kind, where the page plays alone.
   * @param {number} kind
   * @returns {boolean} whether it does */
  rainAlone(kind) {
    return this.#exports.page_rain_alone(kind) !== 0;
  }

  /** The number of the scene, 0…4. */
  get scene() {
    return this.#exports.page_scene();
  }

  /** What happened since the last call; the list is not to be changed.
   * @returns {PitEvent[]} */
  takeEvents() {
    const count = this.#exports.page_event_count();
    if (count === 0) return NO_EVENTS;
    const address = this.#exports.page_events();
    const numbers = new Int32Array(this.#exports.memory.buffer, address, count * EVENT_NUMBERS);
    const events = Array.from({ length: count }, (_, index) => {
      const [kind, a, b, x, y, tick] = numbers.subarray(index * EVENT_NUMBERS);
      return { kind, a, b, x: x / 8, y: y / 8, tick: tick >>> 0 };
    });
    this.#exports.page_events_clear();
    return events;
  }

  /** The walls and ledges of the last sample, `BOUNDARY_FLOATS` numbers each; valid until the
   * next one. */
  get boundaryNumbers() {
    const count = this.#exports.page_boundary_count();
    return this.#memory.numbers(this.#exports.page_boundaries(), count * BOUNDARY_FLOATS);
  }

  /** The rods of the last sample, `ROD_FLOATS` numbers each; valid until the next one. */
  get rodNumbers() {
    const count = this.#exports.page_rod_count();
    return this.#memory.numbers(this.#exports.page_rods(), count * ROD_FLOATS);
  }

  /** How worn a ledge is that vanishes after it was touched, 0…1.
   * @param {number} id of the boundary */
  wear(id) {
    return this.#exports.page_wear(id);
  }

  /** Ticks until the floor opens; negative if it is not about to. */
  get ticksToOpening() {
    return this.#exports.page_ticks_to_opening();
  }

  /** Takes what is to be seen and heard of ticks that have become certain since the last call;
   * returns how many effects there are in `effectNumbers`. */
  takeEffects() {
    return this.#exports.page_take_effects();
  }

  /** `MOST_EFFECTS` effects of `EFFECT_FLOATS` numbers each; the last call of `takeEffects` has
   * filled the first of them. */
  get effectNumbers() {
    return this.#memory.numbers(this.#exports.page_effects(), MOST_EFFECTS * EFFECT_FLOATS);
  }

  /** @param {number} now */
  clock(now) {
    return this.#memory.message(this.#exports.page_clock(now));
  }

  /** Now and then, how well the prediction goes; empty otherwise.
   * @param {number} now */
  report(now) {
    return this.#memory.message(this.#exports.page_report(now));
  }

  get link() {
    return readLink(this.#exports);
  }

  /** How good the line is, in bars: 0…4. */
  get quality() {
    return this.#exports.page_quality();
  }

  /** Of the line's shortest round trips, ms. */
  get roundTrip() {
    return this.#exports.page_round_trip_ms();
  }

  get tick() {
    return this.#exports.page_tick() >>> 0;
  }
}
