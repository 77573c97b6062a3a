import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wordRules } from "../../scripts/word-rules.ts";

const list = JSON.parse(readFileSync(join(import.meta.dirname, "../../scripts/forbidden-words.json"), "utf8"));
const rules = wordRules(list);
/** Refused words would be found in this file, too. */
const joined = (...parts: string[]) => parts.join("");
const textsOf = (refused: readonly { text: string }[]) => refused.map(({ text }) => text);

describe("a text", () => {
  it.each([
    ["a refused word", joined("No", "body"), joined("no caller, no mem", "ber")],
    ["a refused phrase", joined("put", " off"), "rejects, postpones"],
    ["a form of a refused phrase", joined("carr", "ied out"), "execute, run"],
  ])("with %s is refused, and told what to write instead", (_, word, instead) => {
    const [refused, ...others] = rules.inText(`It is ${word}, as a rule.`);
    expect(refused).toEqual({ text: word, instead: expect.stringContaining(instead) });
    expect(others).toEqual([]);
  });

  it("may have words that contain a refused one", () => {
    expect(rules.inText("The replicas retry later, in vanity.")).toEqual([]);
  });
});

describe("code", () => {
  it.each([
    ["at the start", joined("put", "OffMs")],
    ["at the end", joined("is", "Put", "Off")],
    ["in the middle", joined("max", "Put", "OffMs")],
    ["of a private field", joined("#", "tell", "Dropped").slice(1)],
    ["of a class", joined("Lossy", "World")],
    ["of a constant", joined("MAX_", "PUT_", "OFF_MS")],
    ["of a superlative", joined("bytes", "Longest")],
    ["that is one word", joined("impa", "tience")],
  ])("with a refused name %s is refused", (_, name) => {
    expect(textsOf(rules.inCode(`const answer = this.#${name}(1);`))).toEqual([name]);
  });

  it("is refused for whole identifiers only where the list says so", () => {
    const name = joined("Cro", "wd");
    expect(textsOf(rules.inCode(`class ${name} {}`))).toEqual([name]);
    expect(rules.inCode(`class ${name}edRoom {}`)).toEqual([]);
  });

  it.each(["retryLater", "atLeast", "computeOffset", "worldwide", "storyteller"])("may have the name %s", (name) => {
    expect(rules.inCode(`const ${name} = 1;`)).toEqual([]);
  });
});

describe("the path of a file", () => {
  it.each([
    ["its name", joined("services/content/src/put", "-off.ts"), joined("put", "-off")],
    ["a folder", joined("services/content/src/", "repeated", "-work/start.ts"), joined("repeated", "-work")],
    ["a test", joined("packages/trainer/tests/lossy", "-world.test.ts"), joined("lossy", "-world")],
  ])("is refused for %s", (_, path, name) => {
    expect(textsOf(rules.inPath(path))).toEqual([name]);
  });

  it("may have words that contain a refused one", () => {
    expect(rules.inPath("packages/service-kit/src/retry-later.test.ts")).toEqual([]);
  });
});

describe("the list", () => {
  it("says of every pattern what to write instead", () => {
    for (const [kind, patterns] of Object.entries<Record<string, string>>(list)) {
      expect(
        Object.values(patterns).filter((instead) => instead.trim() === ""),
        kind,
      ).toEqual([]);
    }
  });
});
