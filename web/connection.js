// @ts-check
import { Backoff } from "./backoff.js";
import { MESSAGE, RECOVERY, STREAM, isFrame } from "./module.js";
import { resumeToken } from "./token.js";

/** @typedef {import("./module.js").PageModule} PageModule */

/**
 * connecting: the socket opens or the welcome is awaited; online: welcomed; waiting: until the next
 * attempt; restarting: the same, and the server said that it would be away; paused: the page is hidden;
 * refused: the server speaks another version, only a reload helps; replaced: the same person has come
 * by another connection.
 * @typedef {"connecting" | "online" | "waiting" | "restarting" | "paused" | "refused" | "replaced"} ConnectionState
 */

/**
 * What the connection tells the page.
 * @typedef {object} ConnectionListener
 * @property {(state: ConnectionState) => void} stateChanged
 * @property {() => void} welcomed
 * @property {() => void} peopleChanged
 * @property {(code: number) => void} noticed
 * @property {(events: import("./module.js").PitEvent[]) => void} happened
 * @property {() => void} fellBack the page can't run the world, so it is told where everything is
 */

const SUBPROTOCOL = "stickerpit.v1";
const FRAME_RATE = 60;
const CLOCK_INTERVAL = 1000;
/** The clock is asked more often at first, so that the playback settles within the first second. */
const FIRST_CLOCKS = [0, 150, 400];
/** Echoes come every second: so long without any message means that the line is dead. */
const SILENCE_LIMIT = 5000;
const WELCOME_LIMIT = 5000;
/** A line that takes longer for the first world is too slow for worlds; positions are shorter. */
const WORLD_LIMIT = 12_000;
/** The server does not offer the log of a world as large as its own: it tells states. */
const UNSUPPORTED_STREAM = 4001;
/** The same token was shown on another connection, which goes on instead. */
const REPLACED = 4002;
/** Close codes of the server after which a page does not come back by itself. */
const isRefusal = (/** @type {number} */ code) => code >= 4000 && code < 4100;

/** The WebSocket: joins, keeps the clock, comes back by itself. */
export class Connection {
  #module;
  #listener;
  #url;
  #backoff = new Backoff();
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {ConnectionState} */ #state = "paused";
  /** @type {Set<number>} */ #timers = new Set();
  #lastHeard = 0;
  #hasWorld = false;
  /** The server said that it ends, and nobody has welcomed the page since. */ #isRestarting = false;
  /** Time that messages took since the last picture. */ #unpaid = 0;
  #kind;
  #insists;

  /** Whether the page was to run the world and could not. */
  fellBack = false;

  /** Why the last connection ended, for the debug panel. */
  lastClose = "";
  /** Keyframes asked for after frames that did not fit, for the debug panel. */
  keyframeRequests = 0;
  /** Time spent in the decoder, for the debug panel. */
  decoding = { frames: 0, milliseconds: 0 };

  /**
   * @param {PageModule} module @param {URL} url @param {ConnectionListener} listener
   * @param {number} kind the stream to ask for, one of `STREAM`
   * @param {boolean} insists whether to keep to it, however slow the device is
   */
  constructor(module, url, listener, kind, insists = false) {
    this.#module = module;
    this.#kind = kind;
    this.#insists = insists;
    this.#url = url;
    this.#listener = listener;
  }

  get state() {
    return this.#state;
  }

  /** Whether the module holds a world worth drawing: one has arrived since the last welcome. */
  get hasWorld() {
    return this.#hasWorld;
  }

  /** Connects, and from now on stays connected while the page is visible. */
  start() {
    const token = resumeToken.take();
    if (token) this.#module.token = token;
    document.addEventListener("visibilitychange", () => this.#visibilityChanged());
    addEventListener("pagehide", () => this.#pause());
    addEventListener("pageshow", (event) => event.persisted && this.#resume());
    addEventListener("online", () => this.#state === "waiting" && this.#open());
    if (document.visibilityState === "hidden") this.#setState("paused");
    else this.#open();
  }

  /** @param {Uint8Array<ArrayBuffer>} message sent now, or never */
  send(message) {
    if (this.#state === "online") this.#write(message);
  }

  #visibilityChanged() {
    if (document.visibilityState === "hidden") this.#pause();
    else this.#resume();
  }

  /** A hidden page costs the server and the battery nothing; its place is kept for a minute. */
  #pause() {
    if (this.#state === "refused" || this.#state === "replaced") return;
    resumeToken.put(this.#module.token);
    this.#drop("hidden");
    this.#setState("paused");
  }

  #resume() {
    if (this.#state !== "paused") return;
    resumeToken.take();
    this.#backoff.reset();
    this.#open();
  }

  #open() {
    this.#drop("reopened");
    this.#setState("connecting");
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#sayHello();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#closed(event);
    this.#socket = socket;
    this.#after(WELCOME_LIMIT, () => this.#state === "connecting" && this.#lose("no welcome"));
  }

  #sayHello() {
    this.#module.reset();
    this.#hasWorld = false;
    this.#write(this.#module.hello(FRAME_RATE, this.#kind, performance.now()));
  }

  /** @param {unknown} data */
  #receive(data) {
    if (!(data instanceof ArrayBuffer)) return this.#lose("text message");
    const now = performance.now();
    const type = this.#module.receive(data, now);
    this.#lastHeard = now;
    if (type < 0) return this.#refused(data, type, now);
    if (type === MESSAGE.welcome) this.#welcomed();
    else if (type === MESSAGE.notice) this.#noticed();
    else if (type === MESSAGE.comeBack) this.#comeBack(this.#module.returnDelay);
    else if (type === MESSAGE.events) this.#tellEvents();
    else if (isFrame(type)) {
      // Who runs the world sees for itself what happens in it.
      this.#tellEvents();
      this.#hasWorld = true;
      this.decoding.frames += 1;
      const spent = performance.now() - now;
      this.decoding.milliseconds += spent;
      this.#unpaid += spent;
    }
  }

  #tellEvents() {
    const events = this.#module.takeEvents();
    if (events.length > 0) this.#listener.happened(events);
  }

  /**
   * A frame that does not fit is mended by a keyframe, and until then the last world stays; anything
   * else that can't be read means that the two sides don't understand each other.
   * @param {ArrayBuffer} data @param {number} type negative @param {number} now
   */
  #refused(data, type, now) {
    if (data.byteLength > 0 && isFrame(new Uint8Array(data)[0])) this.#recover(now);
    else this.#lose(`unreadable message (${type})`);
  }

  /** @param {number} now */
  #recover(now) {
    const step = this.#module.recoveryStep(now);
    if (step === RECOVERY.giveUp) return this.#lose("no keyframe");
    if (step === RECOVERY.ask) {
      this.keyframeRequests += 1;
      this.#write(this.#module.stream(FRAME_RATE, this.#kind));
    }
  }

  /**
   * Once a picture: what running the world took besides what came in.
   * @param {number} milliseconds @param {number} now
   */
  spent(milliseconds, now) {
    const isTooMuch = this.#module.spent(milliseconds + this.#unpaid, now);
    this.#unpaid = 0;
    if (isTooMuch && this.#mayFallBack) this.#fallBack();
  }

  get #mayFallBack() {
    return this.#kind === STREAM.replica && !this.#insists && this.#state === "online";
  }

  /** From now on the server tells where everything is. */
  #fallBack() {
    this.#kind = STREAM.state;
    this.fellBack = true;
    // The last picture stays until the first frame.
    this.#hasWorld = false;
    this.#write(this.#module.stream(FRAME_RATE, this.#kind));
    this.#listener.fellBack();
  }

  /**
   * The server ends, perhaps to start anew, and spreads those who come back over the time that it
   * names. Who finds nobody then tries again as ever.
   * @param {number} delay ms
   */
  #comeBack(delay) {
    this.#drop("the server restarts");
    this.#isRestarting = true;
    this.#setState("restarting");
    this.#after(this.#backoff.told(delay), () => this.#open());
  }

  #welcomed() {
    this.#backoff.reset();
    this.#isRestarting = false;
    this.#setState("online");
    this.#listener.welcomed();
    this.#after(WORLD_LIMIT, () => !this.#hasWorld && this.#mayFallBack && this.#fallBack());
    for (const delay of FIRST_CLOCKS) this.#after(delay, () => this.#askClock());
    this.#everySecond();
  }

  #noticed() {
    this.#listener.peopleChanged();
    this.#listener.noticed(this.#module.noticeCode);
  }

  #everySecond() {
    this.#after(CLOCK_INTERVAL, () => {
      const now = performance.now();
      if (now - this.#lastHeard > SILENCE_LIMIT) return this.#lose("silence");
      this.#recover(now);
      if (this.#state !== "online") return;
      this.#askClock();
      this.#write(this.#module.report(now));
      this.#everySecond();
    });
  }

  #askClock() {
    this.#write(this.#module.clock(performance.now()));
  }

  /** @param {Uint8Array<ArrayBuffer>} message */
  #write(message) {
    if (this.#socket?.readyState === WebSocket.OPEN && message.length > 0) {
      this.#socket.send(message);
    }
  }

  /** @param {CloseEvent} event */
  #closed(event) {
    this.#drop(`${event.code} ${event.reason}`.trim());
    if (event.code === UNSUPPORTED_STREAM && this.#kind === STREAM.replica) {
      this.#kind = STREAM.state;
      this.#wait();
    } else if (event.code === REPLACED) this.#setState("replaced");
    else if (isRefusal(event.code)) this.#setState("refused");
    else this.#wait();
  }

  /** @param {string} why */
  #lose(why) {
    this.#drop(why);
    this.#wait();
  }

  #wait() {
    this.#setState(this.#isRestarting ? "restarting" : "waiting");
    this.#after(this.#backoff.next(), () => this.#open());
  }

  /**
   * Lets go of the socket without waiting for the other side, which may be long gone.
   * @param {string} why
   */
  #drop(why) {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#timers.clear();
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    this.lastClose = why;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {number} delay ms @param {() => void} action unless the connection ends before */
  #after(delay, action) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delay);
    this.#timers.add(timer);
  }

  /** @param {ConnectionState} state */
  #setState(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.stateChanged(state);
  }
}
