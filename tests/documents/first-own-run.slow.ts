import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "docs/first-own-run.md"), "utf8"));
const shown = steps.flatMap(({ shown: text }, index) => (text === undefined ? [] : [{ index, text }]));

describe("the first own run, beside npm start", () => {
  let followed: Followed;
  let platform: SharedPlatform;

  sharedPlatform((started) => (platform = started));
  beforeAll(async () => {
    followed = await follow(steps, { cwd: platform.home, seconds: 120 });
  }, 240_000);

  it("works to its end", () => {
    expect(followed).toMatchObject({ code: 0, errors: "" });
  });

  it.each(shown)("prints what the page shows: step $index", ({ index, text }) => {
    expect(followed.outputs[index]).toMatch(patternOf(text));
  });
});
