// @ts-check
import { Alone } from "./connection/alone.js";
import { Connection, socketURL } from "./connection/connection.js";
import { isFinal } from "./connection/states.js";
import { importLater, untilDone } from "./core/later.js";
import { PageModule } from "./core/module.js";
import { UPRIGHT, lengthOf } from "./core/vector.js";
import { fitsServer, reloadIfGone, reloadLater, reloadOnce } from "./core/version.js";
import { EVENT, INSTANCE_FLOATS, STREAM } from "./core/wire.js";
import { makeProbe } from "./debug/probe.js";
import { Display, everyPicture } from "./draw/display.js";
import { DroppedHalos } from "./draw/dropped.js";
import { Forms } from "./draw/forms.js";
import { Renderer } from "./draw/renderer.js";
import { leanOf } from "./draw/scenery.js";
import { ShownWorld } from "./draw/shownworld.js";
import { shownSet } from "./draw/stickersets.js";
import { surfaceOf } from "./draw/surface.js";
import { Bowl } from "./input/bowl.js";
import { onGestures } from "./input/firstgesture.js";
import { DirectionKeys, heedLetterKeys, isTyping, onControl } from "./input/keys.js";
import { MotionSensor, isHandheld } from "./input/sensor.js";
import { Tilt } from "./input/tilt.js";
import { Rewind } from "./past/rewind.js";
import { Impacts } from "./play/impacts.js";
import { Play } from "./play/play.js";
import { Sound } from "./sound/sound.js";
import { Switches } from "./sound/switches.js";
import { Vibration } from "./sound/vibration.js";
import { laterWords, ready, text } from "./strings/language.js";
import { Coach } from "./ui/coach.js";
import { Headline } from "./ui/headline.js";
import { HUD, byId as element, linkBars } from "./ui/hud.js";
import { captainLine, debugPanel, hostNews, motionPrompt, offerHelp, othersTilts, playByKeys, setUpWords } from "./ui/ondemand.js";
import { failureSentence, reasonNotToRun } from "./ui/reasons.js";
import { Splash } from "./ui/splash.js";
import { Toast } from "./ui/toast.js";
import { Tray } from "./ui/tray.js";

/** @typedef {import("./core/vector.js").Vector} Vector */

const HUD_INTERVAL = 250;
/** When what nobody waits for begins, ms. */
const LATER = 3000;

/** @param {HUD} hud */
async function run(hud) {
  const why = reasonNotToRun();
  if (why !== "") return hud.showFailure(why);
  const module = await PageModule.load(new URL("./pit.wasm", import.meta.url));
  const canvas = /** @type {HTMLCanvasElement} */ (element("pit"));
  const renderer = new Renderer(canvas, await surfaceOf(canvas));
  const none = new Float32Array(0);
  /** @type {import("./draw/renderer.js").Picture} */
  const picture = {
    instances: none, forms: none, below: none, above: none, isOpen: false, shake: 0,
  };
  const display = new Display();
  const toast = new Toast(element("toast"));
  const news = hostNews();
  const captain = captainLine();

  /** A server that was started anew may run worlds in another way than this page's module does. */
  const leaveIfOutdated = async () => {
    if ((await fitsServer(module.coreVersion)) || reloadOnce()) return;
    hud.showFailure(text("status.versions"));
  };
  /** @type {import("./connection/states.js").ConnectionListener} */
  const listener = {
    stateChanged: (state, sentence) => {
      if (state === "refused" && reloadOnce()) return;
      if (alone.connectionChanged(state)) toast.say(text("alone.over"));
      const goesOn = alone.isPlaying && !isFinal(state);
      hud.showState(goesOn ? "alone" : state, sentence);
      if (state !== "online" && !alone.isPlaying) play.lost();
    },
    welcomed: (isAnotherWorld) => {
      if (isAnotherWorld) {
        rewind.leave();
        // Nothing of the old world is shown in the new one's size.
        picture.instances = picture.below = picture.above = none;
      } else leaveIfOutdated();
      hud.showSelf(module.name, module.colour);
      captain.show(module);
      showTilts();
      if (!rewind.isShown) shown.enter(module.world);
    },
    peopleChanged: () => {
      hud.showPeople(module.people, module.peopleCount, module.clientId);
      play.know(module.people);
    },
    noticed: (code) => toast.tell(code),
    hostDecided: () => {
      news.show(module);
      if (module.isFrozen) play.letGo();
    },
    captainChanged: () => captain.show(module),
    tiltsChanged: () => showTilts(),
    renamed: () => hud.showSelf(module.name, module.colour),
    happened: (events) => {
      // While the past is shown, nothing of the present is, and nobody holds anything.
      if (rewind.isShown) return;
      const rain = events.filter(({ kind }) => kind === EVENT.rainBegan);
      if (rain.length > 0) words.heard(rain.find(({ b }) => b === module.clientId)?.a);
      play.happened(events);
    },
    fellBack: () => toast.say(text("toast.later")),
  };
  const alone = new Alone(module, element("alone"), () => {
    hud.showState("alone");
    const self = { id: module.clientId, name: module.name, colour: module.colour };
    hud.showSelf(self.name, self.colour);
    hud.showPeople([self], 1, self.id);
    news.show(module);
    captain.show(module);
    showTilts();
    if (!rewind.isShown) shown.enter(module.world);
  });
  const { kind, insists } = wantedStream();
  const connection = new Connection(module, socketURL(), listener, kind, insists);
  hud.offersToJoinAgain(() => connection.joinAgain());

  const sensor = new MotionSensor(() => {
    showMotion();
    coach.refresh();
  });
  const showMotion = motionPrompt(sensor);
  showMotion();
  const coach = new Coach(element("coach"), () => sensor.state === "live");
  const bowl = new Bowl(element("bowl"));
  const showTilts = othersTilts(bowl, module);
  heedLetterKeys();
  const keys = new DirectionKeys();
  const tilt = new Tilt(
    { ball: () => bowl.held, keys: () => keys.direction, sensor: () => sensor.gravity },
    (x, y) => connection.send(module.tilt(x, y)),
  );
  const ghost = /** @type {HTMLImageElement} */ (element("ghost"));
  const tray = new Tray(element("tray"), (kind) => (ghost.src = shownSet().urlOf(kind)));
  const splash = new Splash(element("arena"));
  const headline = new Headline(element("headline"));
  const screen = { renderer, picture, canvas, ghost };
  const [sound, vibration] = [new Sound(), new Vibration()];
  const alive = { forms: new Forms(renderer.letterbox), halos: new DroppedHalos() };
  const impacts = new Impacts({ module, sound, vibration, ...alive });
  const parts = { module, connection, coach, tray, splash, toast, headline, impacts };
  const play = new Play({ ...parts, ...alive, ...screen });
  addEventListener("keydown", (event) => {
    if (!rewind.isShown && dropsByKey(event)) play.dropAnywhere();
  });
  const rewind = new Rewind(element("past"), element("rewind"), module, toast, () => play.letGo());
  playByKeys({ play, tray, picture, module, rewind, letterbox: renderer.letterbox });
  offerHelp(play, coach);
  const words = setUpWords(module, connection, coach, toast);
  const shown = new ShownWorld(renderer, play, words);

  /** To be done once there is a picture. */
  const seen = () => {
    untilDone(() => sensor.listen());
    untilDone(loadWakeLock);
    if (isHandheld()) untilDone(loadWholeScreen);
    setTimeout(untilDone, LATER, summarize);
  };
  const summarize = async () => {
    /** @type {typeof import("./ui/summary.js")} */
    const { Summary } = await importLater("./ui/summary.js", import.meta.url);
    const facts = () => {
      const isThere = (connection.hasWorld || alone.isPlaying) && !rewind.isShown;
      const people = alone.isPlaying ? 1 : module.peopleCount;
      return isThere ? { instances: picture.instances, people, ownId: module.clientId } : null;
    };
    await Summary.begin(facts, (id) => play.nameOf(id));
  };

  const keepForLater = async () => {
    /** @type {typeof import("./offline.js")} */
    const { keepForLater: keep } = await importLater("./offline.js", import.meta.url);
    await keep();
  };

  /** Fills the screen; undefined until its code is there, and once it was called.
   * @type {(() => void) | undefined} */
  let fillScreen;
  const loadWholeScreen = async () => {
    ({ fillScreen } = await importLater("./input/wholescreen.js", import.meta.url));
  };
  /** Keeps the screen awake; undefined like the one above.
   * @type {(() => void) | undefined} */
  let stayAwake;
  const loadWakeLock = async () => {
    stayAwake = (await importLater("./ui/wakelock.js", import.meta.url)).keepAwake();
  };

  const debug = debugPanel(connection);
  const probe = makeProbe(module, connection, renderer, picture, tilt, play, rewind);
  Object.defineProperty(window, "stickerPit", { value: probe });

  // Safari's own pinch, which touch-action does not cover everywhere.
  for (const id of ["arena", "bowl"]) {
    element(id).addEventListener("gesturestart", (event) => event.preventDefault());
  }
  if (wantsHost()) openHostPanel(module, toast);
  const journal = isReplay() ? await openJournal(module) : null;
  if (journal) {
    await rewind.showJournal(journal);
    shown.enter(journal, true);
  } else {
    connection.start();
    // Browsers allow it over https and on this machine.
    if ("serviceWorker" in navigator) setTimeout(untilDone, LATER, keepForLater);
  }
  new Switches(element("mute"), element("buzz"), sound, vibration);
  const first = () => {
    if (sensor.state === "asking") sensor.ask(false);
  };
  const each = () => {
    sound.unlock();
    stayAwake?.();
    stayAwake = undefined;
    // Only for phones that tilt: on a whole screen two fingers can't enlarge the page.
    if (sensor.state !== "live") return;
    // At once: browsers allow it only within the gesture.
    fillScreen?.();
    fillScreen = undefined;
  };
  onGestures(first, each);

  const present = (/** @type {number} */ now) => {
    if (alone.isPlaying) {
      module.run(now);
      const events = module.takeEvents();
      if (events.length > 0) listener.happened(events);
      return module.sample(now);
    }
    const began = performance.now();
    if (connection.hasWorld) module.run(now);
    connection.spent(performance.now() - began, now);
    return connection.hasWorld ? module.sample(now) : null;
  };
  let [hudAt, isUnseen] = [0, true];
  /** @type {Vector} */ let gravity = UPRIGHT;
  const draw = (/** @type {number} */ now) => {
    if (play.scene.tilts && !rewind.isShown) tilt.advance(now);
    // While it reconnects, and while the past is on its way, the last picture stays.
    const isPast = rewind.isShown;
    const sample = isPast ? (rewind.past?.sample(now) ?? null) : present(now);
    if (sample) picture.instances = sample;
    // The past ends with its last picture, and then the module no longer knows that picture's world.
    if (sample && isPast === rewind.isShown) {
      shown.match(isPast ? module.pastWorld : module.world, isPast);
    }
    if (!isPast && sample) impacts.advance(picture.instances, now);
    play.advance(now, sample !== null);
    rewind.advance(now);
    const hasWorld = connection.hasWorld || alone.isPlaying || rewind.isShown;
    gravity = leanOf(gravity, hasWorld ? module : null, picture.instances, play.scene.open);
    renderer.draw(picture, gravity, now);
    if (sample && isUnseen) seen();
    isUnseen &&= !sample;
    bowl.draw(tilt.vector, gravity, now);
    if (leans(tilt.vector)) coach.did("tilt");
    const count = picture.instances.length / INSTANCE_FLOATS;
    debug.panel?.frame(now, module, { count, drawCalls: renderer.drawCalls });
    if (now - hudAt < HUD_INTERVAL) return;
    hudAt = now;
    if (connection.state !== "online") return;
    hud.showLink(linkBars(module, display.isBusy(now)));
    // A server whose host has decided nothing sends nothing of it after a welcome, so it is asked for
    // here.
    if (connection.hasWorld) news.show(module);
  };
  everyPicture(display, draw, () => renderer.pace(display));
}

/** Whether a tilt is one that somebody means: far from rest, and not just flat.
 * @param {Vector} vector */
function leans({ x, y }) {
  return lengthOf(x, y - 1) > 0.5 && lengthOf(x, y) > 0.5;
}

/** @param {KeyboardEvent} event */
function dropsByKey(event) {
  if (event.code !== "Space" || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (onControl(event) || isTyping(event)) return false;
  event.preventDefault();
  // A key that is held repeats up to 30 times a second; one press is one sticker.
  return !event.repeat;
}

/** Whether the host's panel is wanted. */
function wantsHost() {
  return new URLSearchParams(location.search).has("host") && !isReplay();
}

/** Opens the host's panel, whose code is loaded only here.
 * @param {PageModule} module
 * @param {Toast} toast */
async function openHostPanel(module, toast) {
  try {
    /** @type {[typeof import("./host/panel.js"), void]} */
    const [{ HostPanel }] = await Promise.all([importLater("./host/panel.js", import.meta.url), laterWords()]);
    await HostPanel.open(() => module.clientId);
  } catch (error) {
    console.error(error);
    toast.say(text("toast.noPanel"));
  }
}

/** The journal that this page replays; live pages fetch nothing for it.
 * @param {PageModule} module */
async function openJournal(module) {
  /** @type {typeof import("./past/journal.js")} */
  const { JournalSource } = await importLater("./past/journal.js", import.meta.url);
  return JournalSource.open(module);
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

/** The view that is wanted instead of the page for players: a screen for a room. */
const view = new URLSearchParams(location.search).get("view");

/** The module of that view, if one is wanted. */
function otherView() {
  if (view === "stage") return import("./stage/stage.js");
  return view === "monitor" ? import("./monitor/monitor.js") : null;
}

/** @param {HUD} hud */
async function start(hud) {
  const [screen] = await Promise.all([otherView(), ready]);
  if (!screen) return run(hud);
  await laterWords();
  return screen.open();
}

const hud = new HUD();
start(hud).catch((error) => {
  console.error(error);
  hud.showFailure(failureSentence(error));
  reloadIfGone(import.meta.url);
  if (view !== null) reloadLater();
});
