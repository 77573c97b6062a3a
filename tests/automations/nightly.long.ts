import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import type { Json } from "../mesh/rest.ts";
import { Automations } from "./automations.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "examples/nightly-automation/README.md"), "utf8"));
const shown = steps.flatMap(({ shown: text }, index) => (text === undefined ? [] : [{ index, text }]));

describe("the automation that makes data each night, as its page says, beside npm start", () => {
  let followed: Followed;
  let platform: SharedPlatform;
  const automations = new Automations(() => platform);
  const asked = (path: string) => automations.asked(path);

  sharedPlatform((started) => (platform = started), { trainer: true, embeddings: true });
  beforeAll(async () => {
    followed = await follow(steps, { cwd: platform.home, seconds: 240 });
  }, 400_000);

  it("works to its end", () => {
    expect(followed).toMatchObject({ code: 0, errors: "" });
  });

  it.each(shown)("prints what the page shows: step $index", ({ index, text }) => {
    expect(followed.outputs[index]).toMatch(patternOf(text));
  });

  it("makes one version, one embedding and one training run of each night that the clock has passed", async () => {
    const all: Json[] = await asked("/automations/");
    const automation = all.find(({ name }) => name === "Dark digits each night").id;
    const [{ id: target }] = await asked("/platform/datasets?filter=name%3D%22Dark%20digits%22");
    const path = `/platform/automations/${automation}`;
    await automations.awayFor(2, path);
    const runs = await automations.endedRuns(path, 3);
    expect(runs.map(({ status, error }) => [status, error])).toEqual(runs.map(() => ["succeeded", null]));
    const nights = runs.flatMap(({ input }) => input.due_at ?? []);
    expect([runs.length, new Set(nights).size]).toEqual([3, 2]);
    const versions: Json[] = await asked(`/platform/datasets/${target}/versions`);
    const made = versions.map(({ description }) => description).sort();
    const wanted = ["a run on demand", ...nights].map((night) => `Dark digits, for ${night}`);
    expect(made).toEqual(wanted.sort());
    for (const { id, row_count, content_sha256 } of versions) {
      const embeddings = await asked(`/platform/datasets/${target}/versions/${id}/embeddings`);
      expect(embeddings).toMatchObject([{ state: "ready", row_count }]);
      const trained = await asked(`/platform/runs?filter=${encodeURIComponent(`datasets.version_id = "${id}"`)}`);
      expect(trained).toMatchObject([{ datasets: [{ version_id: id, content_sha256 }] }]);
    }
  }, 300_000);
});
