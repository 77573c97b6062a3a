import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "examples/tour/README.md"), "utf8"));
const shown = steps.flatMap(({ shown: text }, index) => (text === undefined ? [] : [{ index, text }]));

describe("the tour, taken to the letter beside npm start", () => {
  let round: Followed;
  let platform: SharedPlatform;

  sharedPlatform((started) => (platform = started), { trainer: true, fresh: true });
  beforeAll(async () => {
    round = await follow(steps, { cwd: platform.home, seconds: 100 });
  }, 160_000);

  it("has steps, and shows what most of them print", () => {
    expect(shown.length).toBeGreaterThan(10);
  });

  it("works to its end", () => {
    expect(round).toMatchObject({ code: 0, errors: "" });
  });

  it.each(shown)("prints what the page shows: step $index", ({ index, text }) => {
    expect(round.outputs[index]).toMatch(patternOf(text));
  });
});
