// @ts-check
import { text } from "../strings/language.js";

/**
 * Makes an element. What it has as a property is set as one, anything else as an attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    // Any: the names are data here, and each property has a type of its own.
    if (name in element) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** A picture of one line.
 * @param {string} path */
export function icon(path) {
  const [svg, line] = ["svg", "path"].map((name) =>
    document.createElementNS("http://www.w3.org/2000/svg", name),
  );
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A button that submits no form.
 * @param {string} words
 * @param {() => void} click
 * @param {Record<string, unknown>} properties */
export function button(words, click, properties = {}) {
  const made = make("button", { type: "button", textContent: words, ...properties });
  made.addEventListener("click", click);
  return made;
}

/** A part of a tab with a heading.
 * @param {string} title
 * @param {...(Node | string)} children */
export function part(title, ...children) {
  return make("section", { className: "part" }, make("h3", { textContent: title }), ...children);
}

/** Writes a text only if it is another one, so that screen readers hear of it once.
 * @param {HTMLElement} element
 * @param {string} words */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** By address.
 * @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Loads a style sheet, once; one that could not be loaded is tried again.
 * @param {URL} url */
export function loadStyles({ href }) {
  const known = styles.get(href);
  if (known) return known;
  const link = make("link", { rel: "stylesheet" });
  const loading = new Promise((loaded, failed) => {
    link.onload = loaded;
    link.onerror = () => {
      link.remove();
      styles.delete(href);
      failed(new Error(`${href} could not be loaded`));
    };
    link.href = href;
    document.head.append(link);
  });
  styles.set(href, loading);
  return loading;
}

/** A time span in words.
 * @param {number} seconds */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return text("time.seconds", { seconds: whole });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return text("time.minutes", { minutes });
  const rest = String(minutes % 60).padStart(2, "0");
  return text("time.hours", { hours: Math.floor(minutes / 60), minutes: rest });
}
