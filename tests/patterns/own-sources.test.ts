import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractPatterns, patternsIn } from "./collected-patterns.ts";
import { slowAmong } from "./judged-patterns.ts";
import { builtExceptions, ownExceptions } from "./own-exceptions.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("{packages,services}/*/src/**/*.{ts,js,mjs}", { cwd: root })
  .filter((file) => !/\.test\.ts$|\.d\.ts$/.test(file))
  .sort();
const { patterns, built } = patternsIn(sources, { cwd: root, plugins: ["typescript"] });
const ofContract = contractPatterns();
const written = (pattern: { source: string; flags: string }) => `/${pattern.source}/${pattern.flags}`;

/** A pattern takes milliseconds to judge on a quiet machine, one of a long list of characters half a second. */
const judgingMs = 30_000;

describe("a pattern of our sources", () => {
  it("is found in them, and in the contract", () => {
    expect([patterns.length > 100, ofContract.length > 5]).toEqual([true, true]);
  });

  it("takes time that grows with the text, or a table says why that does no harm", async () => {
    const unlisted = [...patterns, ...ofContract].filter((pattern) => !Object.hasOwn(ownExceptions, written(pattern)));
    expect(await slowAmong(unlisted, judgingMs)).toEqual([]);
  }, 300_000);

  it("is written as a literal, so that it can be judged before it runs", () => {
    const files = new Set(built.map((place) => place.replace(/:\d+$/, "")));
    expect([...files]).toEqual(Object.keys(builtExceptions));
  });

  it("leaves the table when it leaves the sources", () => {
    const all = new Set(patterns.map(written));
    expect(Object.keys(ownExceptions).filter((pattern) => !all.has(pattern))).toEqual([]);
  });
});

describe("the judge", () => {
  it.each(["\\s+$", "^(a|a)*$", "(x+x+)+y"])("knows %s for slow", async (source) => {
    expect(await slowAmong([{ source, flags: "", places: [] }], judgingMs)).toHaveLength(1);
  });

  it.each(["^\\s+", "^[a-z]{1,20}$", "[&<>]"])("knows %s for linear", async (source) => {
    expect(await slowAmong([{ source, flags: "g", places: [] }], judgingMs)).toEqual([]);
  });
});
