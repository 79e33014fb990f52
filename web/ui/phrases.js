// @ts-check
// What a server hears in what somebody says (`KeywordList`), for who plays without one.

/** A letter of a Latin word. Accents that stand alone (`Mn`) belong to the letter before them. */
const LATIN = "(?![\\u{250}-\\u{10ffff}])\\p{Alphabetic}";
const BEGINS_LATIN = new RegExp(`^${LATIN}`, "u");
const ENDS_LATIN = new RegExp(`${LATIN}\\p{Mn}*$`, "u");
const BEGINS_WITH_MARK = /^\p{Mn}/u;

/** The first of the phrases that stands in what was said, whatever the case and width of its letters.
 * Where it begins or ends with a Latin letter it is found as whole words only: "so cold" is not in "also
 * cold".
 * @param {string} said
 * @param {string[]} phrases
 * @returns {string | undefined} as it stands among the phrases */
export function phraseIn(said, phrases) {
  const words = folded(said);
  return phrases.find((phrase) => standsIn(words, folded(phrase)));
}

/** @param {string} words
 * @param {string} phrase both folded */
function standsIn(words, phrase) {
  if (phrase === "") return false;
  for (let at = words.indexOf(phrase); at >= 0; at = words.indexOf(phrase, at + 1)) {
    const [before, after] = [words.slice(0, at), words.slice(at + phrase.length)];
    const splitsBefore = BEGINS_LATIN.test(phrase) && ENDS_LATIN.test(before);
    const splitsAfter = ENDS_LATIN.test(phrase) && BEGINS_LATIN.test(after);
    if (!splitsBefore && !splitsAfter && !BEGINS_WITH_MARK.test(after)) return true;
  }
  return false;
}

/** One form for all ways to write the same: compatible characters, small letters, single spaces.
 * @param {string} words */
function folded(words) {
  return words.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
