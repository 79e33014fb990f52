// @ts-check
import { MESSAGE, NOTICE, RECOVERY, STREAM, TOKEN_BYTES, isFrame, isOfLog } from "../core/wire.js";
import { CLOSE, isLockedOut, isRefusal, removalSentence } from "./closing.js";
import { isFinal } from "./states.js";
import { resumeToken } from "./token.js";
import { Backoff, Timers } from "./waiting.js";

/** @typedef {import("../core/module.js").PageModule} PageModule */

/** @typedef {import("./states.js").ConnectionState} ConnectionState */
/** @typedef {import("./states.js").ConnectionListener} ConnectionListener */

const SUBPROTOCOL = "stickerpit.v1";
const FRAME_RATE = 60;
const CLOCK_INTERVAL = 1000;
/** The clock is asked more often at first, so that the playback settles within the first second. */
const FIRST_CLOCKS = [0, 150, 400];
/** Echoes come every second: how long, ms, without any message means that the line is dead. */
const SILENCE_LIMIT = 5000;
/** How much later, ms, the timer of a second comes when the phone has slept. Then its line alone is lost, and it
 * comes back without the wait that spreads a crowd whose server was lost. */
const SLEPT = 4000;
const WELCOME_LIMIT = 5000;
/** A line that takes longer for the first world is too slow for worlds; positions are shorter. */
const WORLD_LIMIT = 12_000;
/** How long until who fell back asks for the log again, ms: what was too slow may have been busy for a
 * while. If it falls back again, it waits twice as long each time, up to the second number. */
const [LOG_PAUSE, LONGEST_LOG_PAUSE] = [180_000, 3_600_000];

/** The server's socket lies beside the page, also behind a proxy that serves it from a folder. */
export function socketURL() {
  const url = new URL("./ws", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = url.hash = "";
  return url;
}

/** The WebSocket: joins, keeps the clock, comes back by itself. */
export class Connection {
  #module;
  #listener;
  #url;
  #backoff = new Backoff();
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {ConnectionState} */ #state = "paused";
  /** What is to be done unless the connection ends before. */ #timers = new Timers();
  #lastHeard = 0;
  #hasWorld = false;
  /** What the wait for the next attempt is, until a welcome. */
  #waitingFor = /** @type {"waiting" | "restarting" | "locked"} */ ("waiting");
  /** Ends the patience with a line that brings no world. */ #worldTimer = 0;
  /** Time that messages took since the last picture. */ #unpaid = 0;
  #kind;
  #insists;
  #isWatching;
  /** From when on the log may be asked for again, after the page fell back, and the wait for it, ms. */
  #againAt = Infinity;
  #logPause = LOG_PAUSE;

  /** Why the last connection ended, for the debug panel. */
  lastClose = "";
  /** Keyframes asked for after frames that did not fit, for the debug panel. */
  keyframeRequests = 0;
  /** Time spent in the decoder, for the debug panel. */
  decoding = { frames: 0, milliseconds: 0 };

  /**
   * @param {PageModule} module
   * @param {URL} url
   * @param {ConnectionListener} listener
   * @param {number} kind the stream to ask for, one of `STREAM`
   * @param {boolean} insists whether to keep to it, however slow the device is
   * @param {boolean} isWatching whether the page is nobody in the pit
   */
  constructor(module, url, listener, kind, insists = false, isWatching = false) {
    this.#module = module;
    this.#kind = kind;
    this.#insists = insists;
    this.#isWatching = isWatching;
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

  /** Whether the page was to run the world and could not. */
  get fellBack() {
    return this.#againAt < Infinity;
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

  /** Joins as somebody new, after the host has removed who one was. */
  joinAgain() {
    if (this.#state !== "removed") return;
    this.#backoff.reset();
    this.#open();
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
    if (isFinal(this.#state)) return;
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
    this.#timers.after(WELCOME_LIMIT, () => this.#state === "connecting" && this.#lose("no welcome"));
  }

  #sayHello() {
    this.#module.reset();
    this.#hasWorld = false;
    const now = performance.now();
    this.#returnsToLog(now);
    this.#write(this.#module.hello(FRAME_RATE, this.#kind, now, this.#isWatching));
  }

  /** @param {unknown} data */
  #receive(data) {
    if (!(data instanceof ArrayBuffer)) return this.#lose("text message");
    const now = performance.now();
    const type = this.#module.receive(data, now);
    this.#lastHeard = now;
    if (type < 0) return this.#refused(data, type, now);
    if (type === MESSAGE.welcome) this.#welcomed();
    else if (type === MESSAGE.notice) this.#noticed(new Uint8Array(data)[1]);
    else if (type === MESSAGE.comeBack) this.#comeBack(this.#module.returnDelay);
    else if (type === MESSAGE.events) this.#tellEvents();
    else if (isFrame(type)) {
      // Who runs the world sees for itself what happens in it.
      this.#tellEvents();
      // What was on its way when the page asked for the other stream shows nothing any more.
      this.#hasWorld ||= isOfLog(type) === (this.#kind === STREAM.replica);
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
   * @param {ArrayBuffer} data
   * @param {number} type negative
   * @param {number} now
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
   * @param {number} milliseconds
   * @param {number} now
   */
  spent(milliseconds, now) {
    const isTooMuch = this.#module.spent(milliseconds + this.#unpaid, now);
    this.#unpaid = 0;
    if (!isTooMuch || !this.#mayFallBack) return;
    this.#fallBack();
    this.#askForStream();
  }

  get #mayFallBack() {
    return this.#kind === STREAM.replica && !this.#insists && this.#state === "online";
  }

  /** From now on the server is to tell where everything is. */
  #fallBack() {
    this.#kind = STREAM.state;
    this.#againAt = performance.now() + this.#logPause;
    this.#logPause = Math.min(2 * this.#logPause, LONGEST_LOG_PAUSE);
    this.#listener.fellBack();
  }

  /** Whether it is time to ask for the log again; then that is the stream to ask for.
   * @param {number} now */
  #returnsToLog(now) {
    if (now < this.#againAt) return false;
    this.#kind = STREAM.replica;
    this.#againAt = Infinity;
    return true;
  }

  /** The last picture stays until the first frame. */
  #askForStream() {
    this.#awaitWorld();
    this.#write(this.#module.stream(FRAME_RATE, this.#kind));
  }

  /**
   * The server ends, perhaps to start anew, and spreads those who come back over the time that it
   * names. Who finds nobody then tries again as ever.
   * @param {number} delay ms
   */
  #comeBack(delay) {
    this.#drop("the server restarts");
    this.#waitingFor = "restarting";
    this.#setState("restarting");
    this.#timers.after(this.#backoff.told(delay), () => this.#open());
  }

  /** A second welcome on one connection begins another world: what keeps the clock goes on. */
  #welcomed() {
    const isAnotherWorld = this.#state === "online";
    this.#awaitWorld();
    this.#backoff.reset();
    this.#waitingFor = "waiting";
    this.#setState("online");
    this.#listener.welcomed(isAnotherWorld);
    for (const delay of FIRST_CLOCKS) this.#timers.after(delay, () => this.#askClock());
    if (!isAnotherWorld) this.#everySecond();
  }

  #awaitWorld() {
    this.#hasWorld = false;
    this.#timers.cancel(this.#worldTimer);
    this.#worldTimer = this.#timers.after(WORLD_LIMIT, () => {
      if (this.#hasWorld || !this.#mayFallBack) return;
      this.#fallBack();
      this.#askForStream();
    });
  }

  /** @param {number} about one of `NOTICE` */
  #noticed(about) {
    if (about === NOTICE.people) this.#listener.peopleChanged();
    else if (about === NOTICE.message) this.#listener.noticed(this.#module.noticeCode);
    else if (about === NOTICE.host) this.#listener.hostDecided();
    else if (about === NOTICE.renamed) this.#listener.renamed();
    else if (about === NOTICE.tilt) this.#listener.captainChanged();
    else if (about === NOTICE.tilts) this.#listener.tiltsChanged();
  }

  #everySecond() {
    const due = performance.now() + CLOCK_INTERVAL;
    this.#timers.after(CLOCK_INTERVAL, () => {
      const now = performance.now();
      if (now - this.#lastHeard > SILENCE_LIMIT) {
        return now - due > SLEPT ? this.#open() : this.#lose("silence");
      }
      this.#recover(now);
      if (this.#state !== "online") return;
      // A screen stays connected for days. People's pages wait for their next connection, so that
      // nothing stands still under their fingers.
      if (this.#isWatching && this.#returnsToLog(now)) this.#askForStream();
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
  #closed({ code, reason }) {
    this.#drop(`${code} ${reason}`.trim());
    if (code === CLOSE.unsupportedStream && this.#kind === STREAM.replica) {
      this.#kind = STREAM.state;
      this.#wait();
    } else if (code === CLOSE.replaced) this.#setState("replaced");
    else if (code === CLOSE.removed) this.#removed(reason);
    else if (isRefusal(code)) this.#setState("refused");
    else {
      if (isLockedOut(code, reason)) this.#waitingFor = "locked";
      else if (this.#waitingFor === "locked") this.#waitingFor = "waiting";
      this.#wait();
    }
  }

  /** Whoever was removed is nobody any more: the token is void.
   * @param {string} reason */
  #removed(reason) {
    this.#module.token = new Uint8Array(TOKEN_BYTES);
    this.#setState("removed", removalSentence(reason));
  }

  /** @param {string} why */
  #lose(why) {
    this.#drop(why);
    this.#wait();
  }

  #wait() {
    // On a slow line nothing is heard until the world has come, because all else waits behind it. A line
    // that ended before it came would end the same way at each try.
    if (!this.#hasWorld && this.#mayFallBack) this.#fallBack();
    this.#setState(this.#waitingFor);
    this.#timers.after(this.#backoff.next(), () => this.#open());
  }

  /**
   * Lets go of the socket without waiting for the other side, which may be long gone.
   * @param {string} why
   */
  #drop(why) {
    this.#timers.clear();
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    this.lastClose = why;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {ConnectionState} state */
  #setState(state, sentence = "") {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.stateChanged(state, sentence);
  }
}
