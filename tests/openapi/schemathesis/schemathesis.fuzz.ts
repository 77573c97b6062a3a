import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../../infra/own-platform.ts";
import { runSchemathesis, type SchemathesisPlan, settings } from "./run-schemathesis.ts";

let platform: LocalPlatform;
ownPlatform(
  (started) => {
    platform = started;
  },
  { settings },
);
/** Seconds for each kind of requests. */
const seconds = Number(process.env["FUZZ_SECONDS"] ?? 60);
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);
const timeoutMs = seconds * 1_000 + 300_000;

async function found(plan: Pick<SchemathesisPlan, "phases" | "examples">): Promise<string[]> {
  const { failures, gaps, output } = await runSchemathesis(platform, { ...plan, seed, seconds, timeoutMs });
  // Time that is over leaves operations out.
  const broken = gaps.filter((gap) => !gap.includes("were not tested"));
  return failures.length + broken.length === 0 ? [] : [`seed ${seed}`, ...failures, ...broken, output.slice(-60_000)];
}

describe("requests at the bounds of what each operation allows", () => {
  it(
    "are answered as the description says",
    async () => {
      const result = await runSchemathesis(platform, {
        phases: ["examples", "coverage"],
        examples: 1,
        seed,
        timeoutMs,
      });
      expect([...result.failures, ...result.gaps]).toEqual([]);
      expect(result.requests).toBeGreaterThan(2_000);
    },
    timeoutMs,
  );
});

describe("random requests, for as long as they may take", () => {
  it(
    "find each operation as the description says",
    async () => {
      expect(await found({ phases: ["fuzzing"], examples: 200 })).toEqual([]);
    },
    timeoutMs,
  );

  it(
    "find operations as the description says, one after the other with what they answered",
    async () => {
      expect(await found({ phases: ["stateful"], examples: 100 })).toEqual([]);
    },
    timeoutMs,
  );
});
