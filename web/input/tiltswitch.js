// @ts-check
import { text } from "../strings/language.js";
import { loadStyles, make } from "../ui/dom.js";

/** A phone that is held aslant, between two arcs or struck through. */
const PHONE = `<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect class="body" x="8.5" y="5.5" width="7" height="13" rx="1.6" transform="rotate(30 12 12)"/>
  <path class="on" d="M2.5 11a9.5 9.5 0 0 1 4.5-7M21.5 13a9.5 9.5 0 0 1-4.5 7"/>
  <path class="off" d="M4.5 4.5l15 15"/></svg>`;

/** Puts a button among those in the corners of the pit that switches the motion sensor off and on:
 * somebody's hands may shake, or the phone may be fixed to a wheelchair.
 * @param {HTMLElement} last the last of those buttons
 * @param {import("./sensor.js").MotionSensor} sensor
 * @returns what is to be called when the sensor's state has changed */
export async function addTiltSwitch(last, sensor) {
  await loadStyles(new URL("./tiltswitch.css", import.meta.url));
  const title = text("tilt.ask");
  const button = make("button", {
    id: "tilts", className: "corner", type: "button", title, "aria-label": title, innerHTML: PHONE,
  });
  const show = () => {
    const { state } = sensor;
    // There is nothing to switch on then; below the pit it is said why.
    button.hidden = state === "denied" || state === "silent";
    button.setAttribute("aria-pressed", String(state === "live"));
  };
  button.addEventListener("click", ({ detail }) => {
    const hasReadings = sensor.state === "live" || sensor.state === "off";
    if (hasReadings) sensor.isOn = !sensor.isOn;
    // An iPhone gives no readings before somebody has allowed it in this visit.
    else sensor.ask();
    // After a click, the space bar is for dropping stickers again.
    if (detail > 0) button.blur();
  });
  show();
  last.after(button);
  return show;
}
