import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = await readFile(join(root, "docs/identity-provider.md"), "utf8");

const [, example = ""] = page.split("\n## A worked example\n");
const [section = ""] = example.split("\n## ");
const steps = stepsOf(section);

describe("the worked example of setting up an identity provider, followed to the letter", () => {
  let followed: Followed;

  beforeAll(async () => {
    followed = await follow(steps, { cwd: root, seconds: 200 });
  }, 220_000);

  it("has steps, and shows what some of them print", () => {
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(3);
  });

  it("works to its end", () => {
    expect(followed, followed.errors).toMatchObject({ code: 0 });
  });

  it.each(steps.flatMap(({ shown }, index) => (shown === undefined ? [] : [{ index, shown }])))(
    "prints what the page shows: step $index",
    ({ index, shown }) => {
      expect(followed.outputs[index]).toBe(shown);
    },
  );

  it("leaves nothing behind", () => {
    expect(existsSync(join(root, ".local/identity-provider-example"))).toBe(false);
  });
});
