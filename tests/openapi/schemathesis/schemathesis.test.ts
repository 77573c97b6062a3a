import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../../infra/own-platform.ts";
import { runSchemathesis, type SchemathesisResult, settings } from "./run-schemathesis.ts";

let platform: LocalPlatform;
ownPlatform(
  (started) => {
    platform = started;
  },
  { settings },
);
/** Far more than it takes: what it does is bounded by number. */
const timeoutMs = 600_000;
const seed = 20_261_121;
const findings = ({ failures, gaps, output }: SchemathesisResult) =>
  failures.length + gaps.length === 0 ? [] : [...failures, ...gaps, output.slice(-20_000)];

describe("whatever the description allows of the specification's operations, and what it does not", () => {
  it(
    "is answered as the description says, by every operation",
    async () => {
      // All operations, and random requests, have a suite of their own.
      const phases = ["coverage"];
      const result = await runSchemathesis(platform, { phases, except: "/platform/", examples: 1, seed, timeoutMs });
      expect(findings(result)).toEqual([]);
      expect(result.requests).toBeGreaterThan(400);
    },
    timeoutMs,
  );
});
