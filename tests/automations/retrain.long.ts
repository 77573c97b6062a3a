import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "examples/retrain-automation/README.md"), "utf8"));
const shown = steps.flatMap(({ shown: text }, index) => (text === undefined ? [] : [{ index, text }]));

describe("the automation that retrains, as its page says, beside npm start", () => {
  let followed: Followed;
  let startedByAutomations: Json[];
  let before: Json[];
  let after: Json[];
  let platform: SharedPlatform;

  sharedPlatform((started) => (platform = started), { trainer: true });
  beforeAll(async () => {
    const { description } = platform;
    const get = async (path: string): Promise<Json[]> => (await ask(description, { path })).body;
    const since = encodeURIComponent(new Date().toISOString());
    const recorded = (action: string) => get(`/platform/audit?action=${action}&since=${since}`);
    before = await get("/platform/deployments");
    followed = await follow(steps, { cwd: platform.home, seconds: 180 });
    await until(
      "the audit log to know of the draft that was deleted last",
      30,
      () => recorded("content.email_draft.deleted"),
      ({ length }) => length > 0 || followed.code !== 0,
    );
    const created = await recorded("training.run.created");
    startedByAutomations = created.filter(({ actor }) => actor.credential_id.startsWith("delegation:"));
    after = await get("/platform/deployments");
  }, 330_000);

  it("works to its end", () => {
    expect(followed).toMatchObject({ code: 0, errors: "" });
  });

  it.each(shown)("prints what the page shows: step $index", ({ index, text }) => {
    expect(followed.outputs[index]).toMatch(patternOf(text));
  });

  it("trains once, for the two evaluations", () => {
    expect(startedByAutomations).toHaveLength(3);
  });

  it("deploys nothing", () => {
    expect(after).toEqual(before);
  });
});
