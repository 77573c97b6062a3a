import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { sdkFolder, whyNoPython } from "./sdk-python.ts";

const reason = await whyNoPython();
const steps = stepsOf(await readFile(join(sdkFolder, "README.md"), "utf8"));

describe.skipIf(reason)(`the Python SDK's page, followed as it says${reason ? `: ${reason}` : ""}`, () => {
  let platform: SharedPlatform;
  let followed: Followed;
  sharedPlatform((started) => (platform = started));
  beforeAll(async () => {
    // Packages come from where this machine's pip is set up to look.
    const settings = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|PIP_\w+)$/.test(name));
    followed = await follow(steps, { cwd: platform.home, seconds: 600, env: Object.fromEntries(settings) });
  });

  it("goes through to its end", () => {
    expect(followed).toMatchObject({ code: 0 });
  });

  it.each(steps.flatMap(({ shown }, index) => (shown === undefined ? [] : [[index, shown] as const])))(
    "shows in block %i what is printed",
    (index, shown) => {
      expect(followed.outputs[index]).toMatch(patternOf(shown));
    },
  );
});
