// @ts-check

/**
 * connecting: the socket opens or the welcome is awaited; online: welcomed; waiting: until the next
 * attempt; restarting: the same, and the server said that it would be away; locked: the same, and the
 * host lets nobody in; paused: the page is hidden; refused: the server speaks another version, only a
 * reload helps; replaced: the same person has come by another connection; removed: by the host.
 * @typedef {"connecting" | "online" | "waiting" | "restarting" | "locked" | "paused" | "refused" |
 *   "replaced" | "removed"} ConnectionState
 */

/**
 * What the connection tells the page.
 * @typedef {object} ConnectionListener
 * @property {(state: ConnectionState, sentence: string) => void} stateChanged the sentence is for
 *   whoever was removed
 * @property {(isAnotherWorld: boolean) => void} welcomed whether it goes on in another world
 * @property {() => void} peopleChanged
 * @property {(code: number) => void} noticed
 * @property {() => void} hostDecided
 * @property {() => void} captainChanged the pit is somebody else's
 * @property {() => void} tiltsChanged people tilt in another way
 * @property {() => void} renamed the person has another name or colour
 * @property {(events: import("../core/module.js").PitEvent[]) => void} happened
 * @property {() => void} fellBack the page can't run the world, so it is told where everything is
 */

/** Whether nobody is reached at the moment, and a server that comes back is joined by itself.
 * @param {ConnectionState} state */
export function isMissing(state) {
  return state === "connecting" || state === "waiting" || state === "restarting";
}

/** Whether it lasts until the person does something.
 * @param {ConnectionState} state */
export function isFinal(state) {
  return state === "refused" || state === "replaced" || state === "removed";
}
