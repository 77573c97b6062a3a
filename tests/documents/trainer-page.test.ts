import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { ask, command, type Json, until } from "../mesh/rest.ts";
import { type Followed, follow, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "examples/mnist-trainer/README.md"), "utf8"));

describe("the trainer, started by hand as its page says", () => {
  let before: Json;
  let metrics: Json;
  let followed: Followed;
  let platform: SharedPlatform;

  sharedPlatform((started) => (platform = started), { trainer: true, takesTrainer: true });
  beforeAll(async () => {
    await platform.kill("trainer", "SIGTERM");
    const { description } = platform;
    const path = `/pipelines/${description.pipeline_id}/runs/${description.run_id}/metrics/`;
    const point = async () => (await ask(description, { path })).body;
    // The trainer that ended has reported, too, and a file before may have paused the run.
    before = await point();
    if (before.status === "paused") await command(description, "resume");
    const over = new AbortController();
    const following = follow(steps, { cwd: platform.home, seconds: 90, signal: over.signal });
    const ended = following.then(() => ({ sequence: 0 }));
    metrics = await until(
      "a point of the trainer that the page starts",
      60,
      () => Promise.race([point(), ended]),
      ({ sequence, status }) => sequence > before.sequence && status === "running",
    ).finally(() => over.abort());
    followed = await following;
  }, 180_000);

  it("is one block of commands, the last of which goes on", () => {
    expect(steps).toHaveLength(1);
    expect(followed.code).toBeNull();
  });

  it("trains the run", () => {
    expect(metrics.status).toBe("running");
    expect(metrics.sequence).toBeGreaterThan(before.sequence);
  });
});
