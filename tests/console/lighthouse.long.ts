import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Description } from "@aiplatform/local-platform";
import { eventually } from "@aiplatform/testkit";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchProfile } from "../infra/chromium.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { signIn } from "./console-page.ts";
import { audit, installLighthouse } from "./lighthouse.ts";

let description: Description;
ownPlatform(
  (platform) => {
    description = platform.description;
  },
  { trainer: true, stepsPerSecond: 10 },
);

let lighthouse: string;
let profile: string;
let context: BrowserContext;
let port: number;
beforeAll(async () => {
  lighthouse = await installLighthouse();
  profile = await mkdtemp(join(tmpdir(), "console-profile-"));
  context = await launchProfile(profile);
  const written = async () => Number((await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n")[0]);
  port = await eventually(() => written().catch(() => undefined), "Chromium to open its debugging port");
});
afterAll(async () => {
  await context?.close();
  await rm(profile, { recursive: true, force: true });
});

async function scoresOf(path: string): Promise<void> {
  const { scores, failed } = await audit(lighthouse, `${description.gateway}/console${path}`, port);
  process.stdout.write(`Lighthouse of /console${path}: ${JSON.stringify(scores)} ${failed.join("; ")}\n`);
  expect(Math.min(scores.accessibility, scores["best-practices"]), failed.join("; ")).toBeGreaterThanOrEqual(95);
}

describe("Lighthouse, which prints the performance,", () => {
  it("gives the sign-in page 95 or more of 100 for accessibility and best practices", () => scoresOf("/sign-in"));

  describe("with a session", () => {
    beforeAll(async () => {
      await signIn(await context.newPage(), description);
    });

    it.each([
      "/",
      "/runs",
      "/models",
      "/deployments",
      "/data",
      "/automations",
      "/drafts",
      "/features",
      "/people/members",
    ])("gives %s 95 or more", scoresOf);

    it("gives the page of a run 95 or more", () => scoresOf(`/runs/${description.pipeline_id}/${description.run_id}`));
  });
});
