// @ts-check

/** @typedef {import("../ui/coach.js").Skill} Skill */

/**
 * What people can do in a scene.
 * @typedef {object} SceneInfo
 * @property {string} name as the server's flag has it
 * @property {boolean} drops a tap on the empty floor drops a sticker
 * @property {boolean} tilts gravity follows everybody's tilt
 * @property {boolean} says keywords are heard
 * @property {boolean} places a tap on the empty floor calls a square there
 * @property {boolean} open there are no walls
 * @property {Skill[]} skills what the hints teach, in this order
 * @property {"scene.pit" | "scene.rain" | "scene.gallery" | "scene.drag" | "scene.toss"} label for those who can't see the picture
 */

/** In the order of the numbers in the server's welcome.
 * @type {readonly SceneInfo[]} */
const SCENES = Object.freeze([
  {
    name: "pit",
    drops: true,
    tilts: true,
    says: false,
    places: false,
    open: false,
    skills: ["drop", "throw", "hold", "tilt"],
    label: "scene.pit",
  },
  {
    name: "rain",
    drops: false,
    tilts: true,
    says: true,
    places: false,
    open: false,
    skills: ["say", "hold", "tilt"],
    label: "scene.rain",
  },
  {
    name: "gallery",
    drops: false,
    tilts: true,
    says: false,
    places: true,
    open: false,
    skills: ["place", "hold", "tilt"],
    label: "scene.gallery",
  },
  {
    name: "drag",
    drops: false,
    tilts: false,
    says: false,
    places: false,
    open: false,
    skills: ["hang"],
    label: "scene.drag",
  },
  {
    name: "toss",
    drops: false,
    tilts: false,
    says: false,
    places: false,
    open: true,
    skills: ["toss"],
    label: "scene.toss",
  },
]);

/** @param {number} number of the welcome
 * @returns {SceneInfo} */
export function sceneInfo(number) {
  return SCENES[number] ?? SCENES[0];
}
