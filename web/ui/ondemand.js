// @ts-check
// What is fetched only when somebody asks for it, or when there is something to show.
import { importLater, once, untilDone } from "../core/later.js";
import { REACH } from "../input/bowl.js";
import { isAimKey, isDebugKey, isTyping, letterKeys } from "../input/keys.js";
import { byId } from "./hud.js";

/** @typedef {import("../connection/connection.js").Connection} Connection */
/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../input/bowl.js").Bowl} Bowl */
/** @typedef {import("../input/sensor.js").MotionSensor} MotionSensor */
/** @typedef {import("../past/rewind.js").Rewind} Rewind */
/** @typedef {import("../play/play.js").Play} Play */
/** @typedef {import("./coach.js").Coach} Coach */
/** @typedef {import("./toast.js").Toast} Toast */
/** @typedef {import("./tray.js").Tray} Tray */

/** Shows what the sensor is, once that is anything to ask for or to explain; one that tells something
 * can be switched off. Whoever has done so is not asked for it again, and can switch it on.
 * @param {MotionSensor} sensor */
export function motionPrompt(sensor) {
  let isAsked = false;
  let hasSwitch = false;
  const addSwitch = once(async () => {
    /** @type {typeof import("../input/tiltswitch.js")} */
    const { addTiltSwitch } = await importLater("../input/tiltswitch.js", import.meta.url);
    return addTiltSwitch(byId("help"), sensor);
  });
  const open = once(async () => {
    /** @type {typeof import("../input/motionprompt.js")} */
    const { MotionPrompt } = await importLater("../input/motionprompt.js", import.meta.url);
    return MotionPrompt.open(byId("motion"), sensor);
  });
  return () => {
    const { state } = sensor;
    document.documentElement.dataset.sensor = state;
    const isSwitched = state === "live" || state === "off" || (state === "asking" && !sensor.isOn);
    hasSwitch ||= isSwitched;
    if (hasSwitch) untilDone(async () => (await addSwitch())());
    isAsked ||= !isSwitched && state !== "absent";
    if (isAsked) untilDone(async () => (await open()).show(sensor.state));
  };
}

/** Shows something of the module, which was told so at a moment, ms.
 * @typedef {{ show(module: PageModule, toldAt: number): void }} Part */

/** What shows something of the module, and is fetched when there is something to show.
 * @param {() => Promise<Part>} open
 * @param {(module: PageModule) => boolean} isThere */
function onceThere(open, isThere) {
  /** @type {Part | null} */ let opened = null;
  let isAsked = false;
  let toldAt = 0;
  return {
    show: (/** @type {PageModule} */ module) => {
      toldAt = performance.now();
      if (opened) return opened.show(module, toldAt);
      if (isAsked || !isThere(module)) return;
      isAsked = true;
      untilDone(async () => (opened = await open()).show(module, toldAt));
    },
  };
}

/** The line that tells whose pit it is, where one person tilts at a time. */
export function captainLine() {
  const open = async () => {
    /** @type {typeof import("./captain.js")} */
    const { CaptainLine } = await importLater("./captain.js", import.meta.url);
    return CaptainLine.open(byId("captain"));
  };
  return onceThere(open, ({ captain }) => captain !== null);
}

/** What the host has decided, for everybody to see. */
export function hostNews() {
  const open = async () => {
    /** @type {typeof import("./hostnews.js")} */
    const { HostNews } = await importLater("./hostnews.js", import.meta.url);
    return HostNews.open(byId("announcement"), byId("frozen"));
  };
  return onceThere(open, ({ isFrozen, announcement }) => isFrozen || announcement !== "");
}

/** Dots for other people's tilts. Their code is fetched when somebody else tilts.
 * @param {Bowl} bowl
 * @param {PageModule} module */
export function othersTilts(bowl, module) {
  const load = once(async () => {
    /** @type {typeof import("../input/othersdots.js")} */
    const { OthersDots } = await importLater("../input/othersdots.js", import.meta.url);
    bowl.others = new OthersDots(byId("bowl").querySelector(".others"), REACH);
  });
  const show = () => bowl.others?.show(module.othersTilts, (id) => module.colourOf(id));
  return () => {
    if (bowl.others) show();
    // After a failure the next notice tries again.
    else if (module.othersTilts.length > 0) load().then(show, console.warn);
  };
}

/** The field for keywords, whose code is fetched only in the scene where it rains.
 * @param {PageModule} module
 * @param {Connection} connection
 * @param {Coach} coach
 * @param {Toast} toast
 */
export function setUpWords(module, connection, coach, toast) {
  /** @type {import("./words.js").Words | null} */ let words = null;
  let isWanted = false;
  const load = once(async () => {
    /** @type {typeof import("./words.js")} */
    const { Words } = await importLater("./words.js", import.meta.url);
    words = await Words.open(byId("words"), { module, connection, coach, toast });
  });
  const open = async () => {
    if (isWanted) await load();
    words?.show(isWanted);
  };
  return {
    show: (/** @type {boolean} */ isThere) => {
      isWanted = isThere;
      untilDone(open);
    },
    heard: (/** @type {number | undefined} */ kind) => words?.heard(kind),
  };
}

/** Play by keys alone. Its code is fetched with the first such key; those that are pressed until it
 * is there are carried out then.
 * @param {{ play: Play, tray: Tray, picture: import("../draw/renderer.js").Picture, rewind: Rewind,
 *   module: PageModule, letterbox: import("../draw/letterbox.js").Letterbox }} parts */
export function playByKeys({ rewind, module, ...parts }) {
  /** @type {KeyboardEvent[]} */ let pressed = [];
  const open = once(async () => {
    /** @type {typeof import("../keyboard/player.js")} */
    const { Player } = await importLater("../keyboard/player.js", import.meta.url);
    const isResting = () => rewind.isShown;
    const own = { arena: byId("arena"), ownId: () => module.clientId, isResting };
    const player = await Player.open({ ...parts, ...own });
    removeEventListener("keydown", press);
    for (const event of pressed) player.begin(event);
  });
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (rewind.isShown || !isAimKey(event)) return;
    event.preventDefault();
    if (event.repeat) return;
    pressed.push(event);
    open().catch((error) => {
      console.warn(error);
      pressed = [];
    });
  };
  addEventListener("keydown", press);
}

/** The hints once more, for whoever asks; who has a keyboard is told the keys before. So is whoever has
 * switched "?" off, because the switch is there.
 * @param {Play} play
 * @param {Coach} coach */
export function offerHelp(play, coach) {
  /** @returns {Promise<typeof import("../keyboard/help.js")>} */
  const help = () => importLater("../keyboard/help.js", import.meta.url);
  const tellKeys = async () => (await help()).showKeys(play.scene, () => coach.again());
  if (!letterKeys.value) untilDone(async () => (await help()).nameKeys(play.scene));
  byId("help").addEventListener("click", ({ detail }) => {
    if (detail > 0) byId("help").blur();
    if (detail > 0 && letterKeys.value) coach.again();
    else tellKeys().catch(console.warn);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "?" && !event.repeat && !isTyping(event)) tellKeys().catch(console.warn);
  });
}

/** The debug panel, which few ask for: its code is fetched when somebody does.
 * @param {Connection} connection */
export function debugPanel(connection) {
  /** @type {{ panel: import("../debug/panel.js").DebugPanel | null }} */ const debug = { panel: null };
  const open = async () => {
    /** @type {typeof import("../debug/panel.js")} */
    const { DebugPanel } = await importLater("../debug/panel.js", import.meta.url);
    debug.panel ??= new DebugPanel(byId("debug"), connection);
  };
  if (new URLSearchParams(location.search).has("debug")) untilDone(open);
  addEventListener("keydown", (event) => {
    if (!debug.panel && isDebugKey(event)) open().catch(console.warn);
  });
  return debug;
}
