// @ts-check
// Alone in the rain the same words bring the same as with a server: the cases are those of
// `KeywordListTests`.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { scripts } from "./module.mjs";

/** @type {(said: string, phrases: string[]) => string | undefined} */ let phraseIn;

/** `KeywordList.standard`. */
const STANDARD = ["happy birthday", "so cold", "生日快乐", "天冷了"];

before(async () => ({ phraseIn } = await (await scripts())("ui/phrases.js")));

test("the usual phrases are found in sentences", () => {
  const cases = /** @type {[string, string][]} */ ([
    ["生日快乐", "生日快乐"], ["祝你生日快乐！", "生日快乐"], ["happy birthday", "happy birthday"],
    ["HAPPY BIRTHDAY, Anna", "happy birthday"], ["Happy\tbirthday", "happy birthday"],
    ["ｈａｐｐｙ　ｂｉｒｔｈｄａｙ", "happy birthday"], ["天冷了", "天冷了"],
    ["今天冷了，多穿点", "天冷了"], ["It is So Cold!", "so cold"], ["so cold", "so cold"],
    // The first place is within a word, the second is none.
    ["also cold, and so cold", "so cold"],
  ]);
  for (const [said, found] of cases) assert.equal(phraseIn(said, STANDARD), found, said);
});

test("other words mean nothing", () => {
  const others = [
    "", "birthday", "生日", "also cold", "so colder", "happy birth day", "天冷", "unhappy birthday",
  ];
  for (const said of others) assert.equal(phraseIn(said, STANDARD), undefined, said);
});

test("a list of one's own is found as it was written, and its first phrase decides", () => {
  const list = ["Guten  Appetit", "a=b", "萌", "ＭＯＩＮ", ""];
  assert.equal(phraseIn("na dann, guten appetit", list), "Guten  Appetit");
  assert.equal(phraseIn("if a=b then", list), "a=b");
  assert.equal(phraseIn("好萌啊", list), "萌");
  assert.equal(phraseIn("moin moin", list), "ＭＯＩＮ");
  assert.equal(phraseIn("nothing", list), undefined);
  assert.equal(phraseIn("ice cream", ["ice cream", "ice"]), "ice cream");
  assert.equal(phraseIn("nice ice", ["ice cream", "ice"]), "ice");
});

test("accents belong to their letters", () => {
  const list = ["cafe", "x"];
  for (const said of ["Café", "cafe\u{301}", "x\u{302}", "ax", "a\u{331}x"]) {
    assert.equal(phraseIn(said, list), undefined, said);
  }
  assert.equal(phraseIn("2x!", list), "x");
});
