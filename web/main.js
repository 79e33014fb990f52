// @ts-check
import { Coach } from "./coach.js";
import { Connection } from "./connection.js";
import { DebugPanel } from "./debug.js";
import { HUD } from "./hud.js";
import { DirectionKeys } from "./keys.js";
import { EVENT, INSTANCE_FLOATS, PageModule, STREAM } from "./module.js";
import { MotionPrompt } from "./motionprompt.js";
import { Notice } from "./notice.js";
import { JournalSource } from "./journal.js";
import { Past } from "./past.js";
import { Play } from "./play.js";
import { makeProbe } from "./probe.js";
import { Renderer } from "./renderer.js";
import { TiltRing } from "./ring.js";
import { MotionSensor } from "./sensor.js";
import { Sheet, stickerURL } from "./sheet.js";
import { Splash } from "./splash.js";
import { Tilt } from "./tilt.js";
import { TimeLine } from "./timeline.js";
import { Toast } from "./toast.js";
import { Tray } from "./tray.js";
import { fitsServer, reloadOnce } from "./version.js";
import { keepAwake } from "./wakelock.js";
import { Words } from "./words.js";

/** Pictures come at most this often, ms; a little less than 1/60 s, as screens are not exact. */
const PICTURE_INTERVAL = 1000 / 60 - 1;
const HUD_INTERVAL = 250;

const element = (/** @type {string} */ id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found;
};

/** @param {HUD} hud */
async function run(hud) {
  const module = await PageModule.load(new URL("./pit.wasm", import.meta.url));
  const canvas = /** @type {HTMLCanvasElement} */ (element("pit"));
  const renderer = new Renderer(canvas);
  const none = new Float32Array(0);
  /** @type {import("./renderer.js").Picture} */
  const picture = { instances: none, below: none, above: none, isOpen: false, opacity: 1 };
  const toast = new Toast(element("toast"));

  let sheetOf = "";
  /** @param {number} scene @param {number} width @param {number} height */
  const open = async (scene, width, height) => {
    renderer.setWorld(width, height);
    play.enter(scene);
    words.show(play.scene.says);
    if (sheetOf === play.scene.name) return;
    sheetOf = play.scene.name;
    renderer.setSheet(await Sheet.load(sheetOf));
  };
  const enter = () => {
    hud.showSelf(module.name, module.colour);
    return open(module.scene, module.worldWidth, module.worldHeight);
  };
  /** A server that was started anew may run worlds in another way than this page's module does. */
  const leaveIfOutdated = async () => {
    if ((await fitsServer(module.coreVersion)) || reloadOnce()) return;
    hud.showFailure("This page and the pit are of different versions.");
  };
  const listener = {
    stateChanged: (state) => {
      if (state === "refused" && reloadOnce()) return;
      hud.showState(state);
      if (state !== "online") play.lost();
    },
    welcomed: () => {
      leaveIfOutdated();
      return enter();
    },
    peopleChanged: () => {
      hud.showPeople(module.people, module.peopleCount, module.clientId);
      play.know(module.people);
    },
    noticed: (code) => toast.notice(code),
    happened: (events) => {
      // What happens now is not what is shown, and nobody holds anything.
      if (past.isShown) return;
      if (events.some(({ kind }) => kind === EVENT.rainBegan)) words.heard();
      play.happened(events);
    },
    fellBack: () => toast.say("The pit is shown a moment later here, to keep up."),
  };
  const { kind, insists } = wantedStream();
  const connection = new Connection(module, socketURL(), listener, kind, insists);

  const sensor = new MotionSensor(() => {
    prompt.show(sensor.state);
    coach.refresh();
  });
  const prompt = new MotionPrompt(element("motion"), sensor);
  const coach = new Coach(element("coach"), () => sensor.state === "live");
  const ring = new TiltRing(element("ring"));
  const keys = new DirectionKeys();
  const tilt = new Tilt(
    { ball: () => ring.held, keys: () => keys.direction, sensor: () => sensor.gravity },
    (x, y) => connection.send(module.tilt(x, y)),
  );
  const ghost = /** @type {HTMLImageElement} */ (element("ghost"));
  const tray = new Tray(element("tray"), (kind) => (ghost.src = stickerURL(kind)));
  const splash = new Splash(element("stage"));
  const notice = new Notice(element("notice"));
  const screen = { renderer, picture, canvas, ghost };
  const play = new Play({ module, connection, coach, tray, splash, toast, notice, ...screen });
  addEventListener("keydown", (event) => {
    if (!past.isShown && dropsByKey(event)) play.dropAnywhere();
  });
  const past = new Past(module, toast);
  const timeLine = new TimeLine(element("past"), element("rewind"), past, module, () => {
    play.letGo();
  });
  const words = setUpWords(module, connection, coach, toast);

  const debug = new DebugPanel(element("debug"), connection);
  const probe = makeProbe(module, connection, renderer, picture, tilt, play, past);
  Object.defineProperty(window, "stickerPit", { value: probe });

  // Safari's own pinch, which touch-action does not cover everywhere.
  document.addEventListener("gesturestart", (event) => event.preventDefault());
  const journal = isReplay() ? await JournalSource.open(module) : null;
  if (journal) {
    timeLine.showJournal(journal);
    await open(journal.scene, journal.width, journal.height);
  } else {
    connection.start();
  }
  keepAwake();

  const present = (/** @type {number} */ now) => {
    const began = performance.now();
    if (connection.hasWorld) module.run(now);
    connection.spent(performance.now() - began, now);
    return connection.hasWorld ? module.sample(now) : null;
  };
  let hudAt = 0;
  everyPicture((now) => {
    if (play.scene.tilts && !past.isShown) tilt.advance(now);
    // While it reconnects, and while the past is on its way, the last picture stays.
    const sample = past.isShown ? past.sample(now) : present(now);
    if (sample) picture.instances = sample;
    play.advance(now, sample !== null);
    timeLine.advance(now);
    const gravity = gravityOf(module, connection.hasWorld || past.isShown, play.scene.open);
    renderer.draw(picture, gravity, now);
    ring.draw(tilt.vector, gravity);
    if (Math.hypot(tilt.vector.x, tilt.vector.y - 1) > 0.5) coach.did("tilt");
    const count = picture.instances.length / INSTANCE_FLOATS;
    debug.frame(now, () => module.link, () => module.following, { count, drawCalls: renderer.drawCalls });
    if (now - hudAt < HUD_INTERVAL) return;
    hudAt = now;
    const link = module.link;
    if (connection.state === "online") hud.showLink(link.quality, link.roundTrip);
  });
}

/**
 * @param {PageModule} module @param {Connection} connection @param {Coach} coach
 * @param {Toast} toast
 */
function setUpWords(module, connection, coach, toast) {
  const say = (/** @type {string} */ text) => {
    const message = module.say(text);
    if (message.length === 0 || connection.state !== "online") return false;
    connection.send(message);
    coach.did("say");
    return true;
  };
  const unheard = (/** @type {string} */ example) =>
    toast.say(`Nothing falls for that one.${example && ` Try “${example}”.`}`);
  return new Words(element("words"), say, unheard);
}

/**
 * Where the floor leans; where nothing falls it lies flat.
 * @param {PageModule} module @param {boolean} hasWorld @param {boolean} isFlat
 */
function gravityOf(module, hasWorld, isFlat) {
  if (isFlat) return { x: 0, y: 0 };
  return hasWorld ? module.gravity : { x: 0, y: 1 };
}

/** @param {KeyboardEvent} event */
function dropsByKey(event) {
  if (event.code !== "Space" || event.ctrlKey || event.metaKey || event.altKey) return false;
  const onControl = event.target instanceof Element && event.target.closest("button, input, a");
  if (onControl) return false;
  event.preventDefault();
  return true;
}

/**
 * Calls back before every picture, 60 times a second at most.
 * @param {(now: number) => void} draw
 */
function everyPicture(draw) {
  let due = 0;
  const frame = (/** @type {number} */ now) => {
    requestAnimationFrame(frame);
    if (now < due) return;
    due = Math.max(due + PICTURE_INTERVAL, now - PICTURE_INTERVAL / 2);
    draw(now);
  };
  requestAnimationFrame(frame);
}

/** Whether the page's server serves the past: `stickerpit replay` sends its visitors here so. */
function isReplay() {
  return new URLSearchParams(location.search).has("replay");
}

/** The log, unless the device is too slow; `?stream=state` and `?stream=replica` decide for it. */
function wantedStream() {
  const wanted = new URLSearchParams(location.search).get("stream");
  return { kind: wanted === "state" ? STREAM.state : STREAM.replica, insists: wanted === "replica" };
}

/** The server's socket lies beside the page, also behind a proxy that serves it from a folder. */
function socketURL() {
  const url = new URL("./ws", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = url.hash = "";
  return url;
}

const hud = new HUD();
run(hud).catch((error) => {
  console.error(error);
  const noWebGL = String(error).includes("WebGL");
  hud.showFailure(
    noWebGL
      ? "The pit is drawn with WebGL 2, which this browser does not offer."
      : "The pit could not be loaded.",
  );
});
