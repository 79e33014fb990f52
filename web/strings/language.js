// @ts-check
// The page's words in the language of whoever reads it. `index.html` asks for this file before all
// others, so that the words are under way while the rest of the page still loads.
import { importLater, once } from "../core/later.js";
import { NAMELESS } from "../core/wire.js";

/** The languages that there are, each with a file of its name beside this one, and what `lang` says
 * of it. */
const LANGUAGES = Object.freeze({ en: "en", zh: "zh-Hans" });
/** What holds a text in `index.html`, and where it goes: nothing is the element's own text. */
const PLACES = Object.freeze({
  text: "",
  label: "aria-label",
  title: "title",
  placeholder: "placeholder",
  valuetext: "aria-valuetext",
});

/** @typedef {keyof typeof LANGUAGES} Language */
/** @typedef {typeof import("./en.js").TEXTS & typeof import("./later/en.js").TEXTS} English */
/** @typedef {keyof English} Key */
/** What another language has: of a text with plurals as many forms as it knows itself.
 * @typedef {string | { readonly other: string, readonly [plural: string]: string }} Text */
/** @typedef {Readonly<Record<keyof typeof import("./en.js").TEXTS, Text>>} Translation */
/** @typedef {Readonly<Record<keyof typeof import("./later/en.js").TEXTS, Text>>} LaterTranslation */
/**
 * The names in braces of a text.
 * @template S
 * @typedef {S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never} Names
 */
/**
 * What a text needs to be told.
 * @template {Key} K
 * @typedef {English[K] extends string ? Names<English[K]>
 *   : "count" | Names<English[K][keyof English[K]]>} Needs
 */
/**
 * @template {Key} K
 * @typedef {[Needs<K>] extends [never] ? [] : [values: Record<Needs<K>, string | number>]} Values
 */

const ALL = /** @type {Language[]} */ (Object.keys(LANGUAGES));

/** The first of the languages somebody wants that there is; English for anybody else.
 * @param {readonly string[]} wanted tags as browsers have them, the dearest first
 * @returns {Language} */
export function chooseLanguage(wanted) {
  for (const tag of wanted) {
    const found = ALL.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (found) return found;
  }
  return "en";
}

/** `?lang=zh` comes before what the browser is set to. */
function wantedLanguages() {
  const asked = new URLSearchParams(location.search).get("lang");
  return asked === null ? navigator.languages : [asked, ...navigator.languages];
}

let language = chooseLanguage(wantedLanguages());
/** @type {Partial<Record<Key, Text>>} */ let texts = {};
/** @type {Intl.PluralRules} */ let plurals;

/**
 * A text in the language of the page; empty before they are there.
 * @type {<K extends Key>(key: K, ...values: Values<K>) => string}
 */
export const text = (key, ...values) => {
  const entry = texts[key] ?? "";
  /** @type {Record<string, string | number>} */
  const known = values[0] ?? {};
  const form =
    typeof entry === "string" ? entry : (entry[plurals.select(Number(known.count))] ?? entry.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => String(known[name]));
};

/** In which way dates are written: that of the browser, if it is set to the page's language. */
export function locale() {
  const own = navigator.languages.find((tag) => tag.split("-")[0] === language);
  return own ?? LANGUAGES[language];
}

/** The words of a language; without them, English ones. */
async function load() {
  document.documentElement.lang = LANGUAGES[language];
  try {
    texts = (await importLater(`./${language}.js`, import.meta.url)).TEXTS;
  } catch (error) {
    if (language === "en") throw error;
    language = "en";
    return load();
  }
  plurals = new Intl.PluralRules(LANGUAGES[language]);
  NAMELESS.set("Somebody", text("person.somebody")).set("Solo", text("person.solo"));
}

/** Writes the texts that `index.html` holds. It has the English ones already.
 * @param {ParentNode} page */
function write(page) {
  if (language === "en") return;
  for (const [name, attribute] of Object.entries(PLACES)) {
    for (const element of page.querySelectorAll(`[data-${name}]`)) {
      // What is a key there is checked by a test, not by types.
      const words = text(/** @type {"status.paused"} */ (element.getAttribute(`data-${name}`)));
      if (attribute === "") element.textContent = words;
      else element.setAttribute(attribute, words);
    }
  }
}

/** @param {Language} of */
async function add(of) {
  const { TEXTS } = await importLater(`./later/${of}.js`, import.meta.url);
  texts = { ...texts, ...TEXTS };
}

/** Fulfilled when the words are there as well that the first picture has no use for. */
export const laterWords = once(() => add(language).catch(() => add("en")));

function parsed() {
  if (document.readyState !== "loading") return;
  return new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

/** Fulfilled when all texts are there and the page has its own. */
export const ready = Promise.all([load(), parsed()]).then(() => write(document));
