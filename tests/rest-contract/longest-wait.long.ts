import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, metricsPath } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
beforeAll(async () => {
  platform = { ...platform, ...(await newRun(platform)) };
});

describe("reading the live metrics of a run", () => {
  describe("with the longest wait that may be asked for, and nothing new to see", () => {
    it("answers 200 when the wait is over, not 504", async () => {
      const answer = await ask(platform, { path: metricsPath(platform, "?after_sequence=0&wait_seconds=30") });
      expect([answer.status, answer.body.sequence]).toEqual([200, 0]);
    }, 45_000);
  });
});
