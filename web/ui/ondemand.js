// @ts-check
// What is fetched only when somebody asks for it, or when there is something to show.
import { isAimKey, isDebugKey, isTyping } from "../input/keys.js";
import { text } from "../strings/language.js";
import { byId } from "./hud.js";
import { reasonToRest } from "./reasons.js";

/** @typedef {import("../connection/connection.js").Connection} Connection */
/** @typedef {import("../core/module.js").PageModule} PageModule */
/** @typedef {import("../input/sensor.js").MotionSensor} MotionSensor */
/** @typedef {import("../past/rewind.js").Rewind} Rewind */
/** @typedef {import("../play/play.js").Play} Play */
/** @typedef {import("./coach.js").Coach} Coach */
/** @typedef {import("./toast.js").Toast} Toast */
/** @typedef {import("./tray.js").Tray} Tray */

/** Shows what the sensor is, once that is anything to ask for or to explain.
 * @param {MotionSensor} sensor */
export function motionPrompt(sensor) {
  /** @type {Promise<import("../input/motionprompt.js").MotionPrompt> | null} */ let prompt = null;
  return async () => {
    document.documentElement.dataset.sensor = sensor.state;
    if (!prompt && (sensor.state === "absent" || sensor.state === "live")) return;
    prompt ??= import("../input/motionprompt.js").then(({ MotionPrompt }) =>
      MotionPrompt.open(byId("motion"), sensor),
    );
    (await prompt).show(sensor.state);
  };
}

/** What one says where it rains, and only there is fetched.
 * @param {PageModule} module @param {Connection} connection @param {Coach} coach
 * @param {Toast} toast
 */
export function setUpWords(module, connection, coach, toast) {
  const say = (/** @type {string} */ words) => {
    if (module.isAlone) toast.explain(text("toast.unheard"));
    if (module.isAlone) return false;
    const message = module.say(words);
    // Letters of some languages take three bytes.
    const tooLong = message.length === 0 ? text("toast.tooLong") : "";
    const why = reasonToRest(connection, module) || tooLong;
    if (why !== "") toast.explain(why);
    if (why !== "") return false;
    connection.send(message);
    coach.did("say");
    return true;
  };
  const unheard = (/** @type {string} */ example) =>
    toast.say(example ? text("toast.tryThis", { example }) : text("toast.nothingFalls"));
  const tooMany = () => toast.explain(text("toast.tooMany"));
  /** @type {Promise<import("./words.js").Words> | null} */ let words = null;
  const load = async () => {
    const { Words } = await import("./words.js");
    return new Words(byId("words"), say, unheard, tooMany);
  };
  return {
    show: async (/** @type {boolean} */ isThere) => {
      if (isThere) words ??= load();
      (await words)?.show(isThere);
    },
    heard: async (/** @type {number | undefined} */ kind) => (await words)?.heard(kind),
  };
}

/** Who plays by keys alone: its code is fetched with the first of them.
 * @param {{ play: Play, tray: Tray, picture: import("../draw/renderer.js").Picture, rewind: Rewind,
 *   module: PageModule, letterbox: import("../draw/letterbox.js").Letterbox }} parts */
export function playByKeys({ rewind, module, ...parts }) {
  const begin = async (/** @type {KeyboardEvent} */ event) => {
    if (rewind.isShown || !isAimKey(event)) return;
    removeEventListener("keydown", begin);
    event.preventDefault();
    const { Player } = await import("../keyboard/player.js");
    const isResting = () => rewind.isShown;
    const own = { stage: byId("stage"), ownId: () => module.clientId, isResting };
    (await Player.open({ ...parts, ...own })).begin(event);
  };
  addEventListener("keydown", begin);
}

/** The hints once more, for whoever asks; who has a keyboard is told the keys before.
 * @param {Play} play @param {Coach} coach */
export function offerHelp(play, coach) {
  const tellKeys = async () => {
    const { showKeys } = await import("../keyboard/help.js");
    await showKeys(play.scene, () => coach.again());
  };
  byId("help").addEventListener("click", ({ detail }) => {
    if (detail > 0) byId("help").blur();
    if (detail > 0) coach.again();
    else tellKeys();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) tellKeys();
  });
}

/** The debug panel, which few ask for: its code is fetched when somebody does.
 * @param {Connection} connection */
export function debugPanel(connection) {
  /** @type {{ panel: import("../debug/panel.js").DebugPanel | null }} */ const debug = { panel: null };
  const open = async () => {
    const { DebugPanel } = await import("../debug/panel.js");
    debug.panel ??= new DebugPanel(byId("debug"), connection);
  };
  if (new URLSearchParams(location.search).has("debug")) open();
  addEventListener("keydown", (event) => {
    if (!debug.panel && isDebugKey(event)) open();
  });
  return debug;
}
