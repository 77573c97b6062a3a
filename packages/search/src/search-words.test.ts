import { describe, expect, it } from "vitest";
import { excerptOf, maxExcerptLength } from "./excerpt.ts";
import { maxWordLength, maxWords, searchWords } from "./search-words.ts";
import { searchFields } from "./searched-collection.ts";

describe("the words of texts", () => {
  it.each<[what: string, texts: string[], words: string[]]>([
    ["in lower case", ["Churn MODEL"], ["churn", "model"]],
    ["without accents, however they are written", ["Café cafe\u0301 CAFE"], ["cafe"]],
    ["apart at signs", ["learning_rate=0.01, (v2)"], ["learning", "rate", "0", "01", "v2"]],
    ["of any script", ["Kündigung 解約 اردو"], ["kundigung", "解約", "اردو"]],
    ["of several texts, each once", ["a b", "b c"], ["a", "b", "c"]],
    ["none where there are only signs", ["$ .* \u0301 —"], []],
    ["cut where they are long", ["x".repeat(90)], ["x".repeat(maxWordLength)]],
    ["cut between characters", [`${"x".repeat(maxWordLength - 1)}𐐀𐐀`], [`${"x".repeat(maxWordLength - 1)}𐐨`]],
  ])("are %s", (_what, texts, words) => {
    expect(searchWords(texts)).toEqual(words);
  });

  it("are the first hundred", () => {
    const many = Array.from({ length: 300 }, (_, index) => `w${index}`);
    expect(searchWords([many.join(" ")])).toEqual(many.slice(0, maxWords));
  });

  it("are those of a document's name first, and of its texts, also in lists", () => {
    const document = { name: "Run", notes: "none", tags: [{ name: "a", value: "x" }, { value: "y" }, { value: 7 }] };
    const words = ["run", "none", "x", "y"];
    expect(searchFields({ name: "name", texts: ["notes", "tags.value", "gone"] }, document)).toEqual({
      search_words: words,
    });
  });
});

describe("an excerpt", () => {
  it.each<[what: string, texts: string[], words: string[], excerpt: string]>([
    ["a short text", ["of customers who leave"], ["leave"], "of customers who leave"],
    ["the text that has the word", ["first", "second one"], ["one"], "second one"],
    ["the first text where none has it", ["", "first", "second"], ["name"], "first"],
    ["nothing of nothing", [], ["a"], ""],
    ["one line", ["a\n\n b"], ["b"], "a b"],
  ])("shows %s", (_what, texts, words, excerpt) => {
    expect(excerptOf(texts, words)).toBe(excerpt);
  });

  it("is the part of a long text around the word, and says where there is more", () => {
    const text = `${"before ".repeat(50)}Needle ${"after ".repeat(50)}`;
    const excerpt = excerptOf([text], ["need"]);
    expect(excerpt).toMatch(/^….*Needle after.*…$/);
    expect(excerpt.length).toBeLessThanOrEqual(maxExcerptLength + 2);
  });
});
