// @ts-check
import { Budget } from "./budget.js";
import { Coach } from "./coach.js";
import { Connection } from "./connection.js";
import { DebugPanel } from "./debug.js";
import { Follower } from "./follower.js";
import { stickerAt } from "./hit.js";
import { HUD } from "./hud.js";
import { DirectionKeys } from "./keys.js";
import { INSTANCE_FLOATS, PageModule } from "./module.js";
import { MotionPrompt } from "./motionprompt.js";
import { PitPointer } from "./pointer.js";
import { makeProbe } from "./probe.js";
import { Renderer } from "./renderer.js";
import { TiltRing } from "./ring.js";
import { MotionSensor } from "./sensor.js";
import { Sheet, STICKER_SIZE, stickerURL } from "./sheet.js";
import { Splash } from "./splash.js";
import { Tilt } from "./tilt.js";
import { Toast } from "./toast.js";
import { Tray } from "./tray.js";
import { keepAwake } from "./wakelock.js";

/** Drops and throws a second; the server allows 20, with bursts of twice that. */
const COMMANDS = { perSecond: 15, burst: 30 };
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
  const [module, sheet] = await Promise.all([
    PageModule.load(new URL("./pit.wasm", import.meta.url)),
    Sheet.load(),
  ]);
  const canvas = /** @type {HTMLCanvasElement} */ (element("pit"));
  const renderer = new Renderer(canvas, sheet);
  /** @type {{ instances: Float32Array }} */
  const picture = { instances: new Float32Array(0) };
  const toast = new Toast(element("toast"));

  const connection = new Connection(module, socketURL(), {
    stateChanged: (state) => hud.showState(state),
    welcomed: () => {
      renderer.setWorld(module.worldWidth, module.worldHeight);
      hud.showSelf(module.name, module.colour);
    },
    peopleChanged: () => hud.showPeople(module.people, module.peopleCount, module.clientId),
    noticed: (code) => toast.notice(code),
  });

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
  const stickers = setUpStickers({ module, connection, renderer, picture, coach, canvas });
  addEventListener("keydown", (event) => dropsByKey(event) && stickers.dropAnywhere());

  const debug = new DebugPanel(element("debug"), connection);
  const probe = makeProbe(module, connection, renderer, picture, tilt);
  Object.defineProperty(window, "stickerPit", { value: probe });

  // Safari's own pinch, which touch-action does not cover everywhere.
  document.addEventListener("gesturestart", (event) => event.preventDefault());
  connection.start();
  keepAwake();

  let hudAt = 0;
  everyPicture((now) => {
    tilt.advance(now);
    // While it reconnects, the last picture stays.
    if (connection.hasWorld) picture.instances = module.sample(now);
    stickers.advance(now);
    const gravity = connection.hasWorld ? module.gravity : { x: 0, y: 1 };
    renderer.draw(picture.instances, gravity, now);
    ring.draw(tilt.vector, gravity);
    if (Math.hypot(tilt.vector.x, tilt.vector.y - 1) > 0.5) coach.did("tilt");
    const count = picture.instances.length / INSTANCE_FLOATS;
    debug.frame(now, () => module.link, { count, drawCalls: renderer.drawCalls });
    if (now - hudAt < HUD_INTERVAL) return;
    hudAt = now;
    const link = module.link;
    if (connection.state === "online") hud.showLink(link.quality, link.roundTrip);
  });
}

/**
 * Everything that brings stickers into the pit: tray, taps, flicks, the space bar.
 * @param {{ module: PageModule, connection: Connection, renderer: Renderer, coach: Coach,
 *   picture: { instances: Float32Array }, canvas: HTMLCanvasElement }} parts
 */
function setUpStickers({ module, connection, renderer, picture, coach, canvas }) {
  const { letterbox } = renderer;
  const ghost = /** @type {HTMLImageElement} */ (element("ghost"));
  const tray = new Tray(element("tray"), (kind) => (ghost.src = stickerURL(kind)));
  const splash = new Splash(element("stage"));
  const budget = new Budget(COMMANDS.perSecond, COMMANDS.burst);
  const mayAct = () => connection.state === "online" && budget.spend(performance.now());
  const size = () => STICKER_SIZE * letterbox.scale;

  /** @param {{ x: number, y: number }} point */
  const dropped = (point) => {
    if (!mayAct()) return;
    connection.send(module.drop(tray.kind, point.x, point.y));
    const place = letterbox.toCanvas(point.x, point.y);
    splash.drop(place.x, place.y, size());
    tray.used();
    coach.did("drop");
  };

  /** @param {{ x: number, y: number }} point @param {{ x: number, y: number }} velocity */
  const thrown = (point, velocity) => {
    if (!mayAct()) return;
    connection.send(module.throwFrom(point.x, point.y, velocity.x, velocity.y));
    const place = letterbox.toCanvas(point.x, point.y);
    splash.throw(place.x, place.y, size(), velocity);
    coach.did("drop");
    coach.did("throw");
  };

  /** @param {{ x: number, y: number }} point */
  const pick = (point) => {
    const index = stickerAt(picture.instances, point);
    return index < 0 ? null : new Follower(picture.instances, index, performance.now());
  };
  // We see the past by the playback's delay, and a command takes half a round trip.
  const lead = () => module.link.delay + module.link.roundTrip / 2;
  const pointer = new PitPointer(canvas, ghost, letterbox, { dropped, thrown, pick, lead });
  return {
    advance: (/** @type {number} */ now) => pointer.advance(picture.instances, now),
    /** From the top, at a random place across. */
    dropAnywhere() {
      const across = STICKER_SIZE + Math.random() * (letterbox.worldWidth - 2 * STICKER_SIZE);
      dropped({ x: across, y: STICKER_SIZE });
    },
  };
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
