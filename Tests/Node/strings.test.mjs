// @ts-check
// The page's words: every language has all of them, the page uses all of them, and says nothing else.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

const web = new URL("../../web/", import.meta.url);
/** Units and numbers, which are written as in English, and what has no words. */
const SAME = new Set(["monitor.ms", "world.percent", "summary.and"]);
/** The name of the page is the same everywhere. */
const BRAND = ["Sticker", "Pit", "Sticker Pit"];

/** @typedef {string | Record<string, string>} Text */
/** @type {Record<string, Record<string, Text>>} */ const languages = {};
/** @type {Record<string, Text>} */ let english;
/** @type {{ name: string, code: string }[]} the page's code, without the words themselves */ let code;
/** @type {string} */ let page;
/** @type {any} */ let language;

before(async () => {
  const load = await scripts();
  const names = (await readdir(web, { recursive: true })).filter((name) => name.endsWith(".js"));
  for (const name of names) {
    const [, tag] = name.match(/^strings\/(?:later\/)?(\w+)\.js$/) ?? [];
    if (!tag || tag === "language") continue;
    languages[tag] = { ...languages[tag], ...(await load(name)).TEXTS };
  }
  english = languages.en;
  code = await Promise.all(
    names.filter((name) => !/^strings\/(?!language)|^build\.js/.test(name)).map(async (name) => {
      return { name, code: await readFile(new URL(name, web), "utf8") };
    }),
  );
  page = (await readFile(new URL("index.html", web), "utf8")).replace(/<!--.*?-->/gs, "");
  language = await load("strings/language.js");
  await language.laterWords();
});

const others = () => Object.entries(languages).filter(([tag]) => tag !== "en");
const forms = (/** @type {Text} */ text) => (typeof text === "string" ? { other: text } : text);
const placeholders = (/** @type {string} */ form) =>
  [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
/** What a text may be told. */
const values = (/** @type {Text} */ text) => {
  const all = Object.values(forms(text)).flatMap(placeholders);
  return new Set(typeof text === "string" ? all : [...all, "count"]);
};

test("there are English and Chinese, and each language that can be chosen has a file", () => {
  assert.ok(languages.en && languages.zh);
  assert.ok(Object.keys(english).length > 200);
  for (const tag of Object.keys(languages)) assert.equal(language.chooseLanguage([tag]), tag);
});

test("all languages have the same keys, in the same order", () => {
  for (const [tag, texts] of others()) {
    const [theirs, ours] = [Object.keys(texts), Object.keys(english)];
    assert.deepEqual(ours.filter((key) => !(key in texts)), [], `missing in ${tag}`);
    assert.deepEqual(theirs.filter((key) => !(key in english)), [], `only in ${tag}`);
    assert.deepEqual(theirs, ours, tag);
  }
});

test("a text is told the same values in all languages", () => {
  for (const [tag, texts] of Object.entries(languages)) {
    for (const [key, text] of Object.entries(texts)) {
      const known = values(english[key]);
      for (const [form, words] of Object.entries(forms(text))) {
        const used = new Set(placeholders(words));
        const strange = [...used].filter((name) => !known.has(name));
        // A form may leave the number out: "one other person".
        const left = [...values(english[key])].filter((name) => !used.has(name) && name !== "count");
        assert.deepEqual({ strange, left }, { strange: [], left: [] }, `${tag}: ${key} (${form})`);
      }
      const hasNumber = typeof english[key] === "string" && known.has("count");
      if (hasNumber) assert.ok(values(text).has("count"), `${tag}: ${key}`);
    }
  }
});

test("plurals have the forms that their language has", () => {
  for (const [tag, texts] of Object.entries(languages)) {
    const known = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === "string") continue;
      const there = Object.keys(text).sort();
      assert.deepEqual(there, [...known].sort(), `${tag}: ${key}`);
    }
  }
});

test("no text is empty, has blanks around it or was left in English", () => {
  for (const [tag, texts] of Object.entries(languages)) {
    for (const [key, text] of Object.entries(texts)) {
      for (const words of Object.values(forms(text))) {
        assert.ok(words !== "" && words === words.trim(), `${tag}: ${key}`);
        if (tag === "en" || SAME.has(key)) continue;
        assert.ok(!Object.values(forms(english[key])).includes(words), `${tag}: ${key}`);
        if (tag === "zh") assert.match(words, /\p{Script=Han}/u, key);
      }
    }
  }
});

/** The places in `index.html` that hold a text: the element's name, its attributes and its words. */
const places = () =>
  [...page.matchAll(/<([a-z]\w*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>([^<]*)/g)].map((found) => {
    const [, tag, list, words] = found;
    const attributes = Object.fromEntries(
      [...list.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = ""]) => [name, value]),
    );
    return { tag, attributes, words: words.replace(/\s+/g, " ").trim() };
  });

const ATTRIBUTES = {
  label: "aria-label",
  title: "title",
  placeholder: "placeholder",
  valuetext: "aria-valuetext",
};

test("what index.html holds is the English text of the key beside it", () => {
  let seen = 0;
  for (const { attributes, words } of places()) {
    for (const [name, attribute] of Object.entries({ text: "", ...ATTRIBUTES })) {
      const key = attributes[`data-${name}`];
      if (key === undefined) continue;
      seen += 1;
      assert.ok(key in english, `there is no ${key}`);
      assert.equal(attribute === "" ? words : attributes[attribute], english[key], key);
    }
  }
  assert.ok(seen > 25);
});

test("index.html holds no other words", () => {
  const body = page.slice(page.indexOf("<body>")).replace(/<noscript>.*?<\/noscript>/gs, "");
  page = body;
  for (const { tag, attributes, words } of places()) {
    for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
      const isTold = `data-${name}` in attributes || !attributes[attribute];
      assert.ok(isTold, `<${tag} ${attribute}="${attributes[attribute]}">`);
    }
    const isBrand = BRAND.includes(words);
    assert.ok("data-text" in attributes || isBrand || !/\p{L}/u.test(words), `<${tag}>${words}`);
  }
  // Words behind an element's end belong to none of their own.
  for (const [, words] of body.matchAll(/<\/\w+>([^<]*)/g)) assert.ok(!/\p{L}/u.test(words), words);
});

/** Without comments, which may name what they like; types stay, which list what can be a key's end. */
const withoutComments = (/** @type {string} */ text) => text.replace(/^\s*\/\/.*$/gm, "");

test("every key that the code asks for is there", () => {
  let seen = 0;
  for (const { name, code: text } of code) {
    for (const [, key] of withoutComments(text).matchAll(/\btext\(\s*"([^"]+)"/g)) {
      seen += 1;
      assert.ok(key in english, `${name} asks for ${key}`);
    }
  }
  assert.ok(seen > 100);
});

test("every key is used", () => {
  const all = code.map(({ code: text }) => withoutComments(text)).join("\n");
  const literals = new Set([...all.matchAll(/"([\w.]+)"/g)].map(([, literal]) => literal));
  const inPage = new Set(places().flatMap(({ attributes }) => Object.values(attributes)));
  /** What keys begin with whose end the code finds out. */
  const beginnings = [...all.matchAll(/`([a-z]+(?:\.\w+)*\.)\$\{/g)].map(([, text]) => text);
  const isMade = (/** @type {string} */ key) =>
    beginnings.some((text) => key.startsWith(text) && literals.has(key.slice(text.length)));
  const unused = Object.keys(english).filter(
    (key) => !literals.has(key) && !inPage.has(key) && !isMade(key),
  );
  assert.deepEqual(unused, []);
});

test("the code shows no words of its own", () => {
  const shown =
    /(?:\b(?:textContent|innerText|title|placeholder|alt|ariaLabel)|"aria-\w*(?:label|text)")\s*[:=,]\s*(["`])((?:(?!\1).)*)\1/g;
  const said = /\b(?:say|explain|showFailure|part|button|write|show)\((?:[\w.#]+,\s*)?(["`])((?:(?!\1).)*)\1/g;
  const found = [];
  for (const { name, code: text } of code) {
    for (const pattern of [shown, said]) {
      for (const [, , words] of withoutComments(text).matchAll(pattern)) {
        const own = words.replace(/\$\{[^}]*\}/g, "");
        // Small single words are names of classes and the like.
        const isSaid = /\p{L}{2}/u.test(own) && /[\p{Lu}\p{Script=Han} ]/u.test(own);
        if (isSaid && !BRAND.includes(own)) found.push(`${name}: ${words}`);
      }
    }
  }
  assert.deepEqual(found, []);
});

test("the language is the first that is there, whatever country and writing it is of", () => {
  const cases = /** @type {[string[], string][]} */ ([
    [["zh-CN", "en"], "zh"],
    [["zh-Hans-SG"], "zh"],
    [["zh_TW"], "zh"],
    [["ZH"], "zh"],
    [["de-AT", "zh", "en"], "zh"],
    [["en-GB", "zh"], "en"],
    [["de", "fr"], "en"],
    [["", "constructor"], "en"],
    [[], "en"],
  ]);
  for (const [wanted, found] of cases) assert.equal(language.chooseLanguage(wanted), found, `${wanted}`);
});

test("English counts people as it should", () => {
  const { text } = language;
  assert.equal(text("stage.people", { count: 1 }), "person here");
  assert.equal(text("stage.people", { count: 0 }), "people here");
  assert.equal(text("ban.done", { address: "a", count: 1 }), "a is banned; 1 person was removed.");
  assert.equal(text("ban.done", { address: "a", count: 2 }), "a is banned; 2 people were removed.");
  assert.equal(
    text("toast.rain", { name: "{what} $& $1", what: "frog" }),
    "{what} $& $1 made it rain frog",
    "what people are called is no pattern",
  );
});
