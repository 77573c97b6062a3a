import { setTimeout as delay } from "node:timers/promises";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { until } from "../mesh/rest.ts";
import { deviations, lostUses, recoversWithinMs, summary } from "./judgement.ts";
import { type Outage, outages } from "./outage-table.ts";
import { SteadyClient, senderTo } from "./steady-client.ts";
import { twelveOperations } from "./twelve-operations.ts";
import { lookAround, told } from "./watched-processes.ts";

const seconds = Number(process.env["OUTAGE_SECONDS"] ?? 60);
/** Within this time every process notices the absence: calls under way end, circuits open, contexts are renewed. */
const detectedWithinMs = 10_000;
const surroundingsSettleWithinS = 30;

let platform: LocalPlatform;
ownPlatform(
  (started) => {
    platform = started;
  },
  { separate: "all" },
);

/** Takes a part away; the answer brings it back and resolves when it is ready. */
async function remove({ part, signal }: Outage): Promise<() => Promise<void>> {
  if (signal === "SIGKILL") {
    await platform.kill(part, signal);
    return () => platform.restart(part);
  }
  const hung = platform.processes.get(part);
  hung?.kill(signal);
  return async () => void hung?.kill("SIGCONT");
}

async function surroundings({ notReady, dependencyDown }: Pick<Outage, "notReady" | "dependencyDown">) {
  const expected = told({ notReady, dependencyDown });
  const look = async () => told(await lookAround(platform.adminUrls));
  await until(`surroundings ${expected}`, surroundingsSettleWithinS, look, (seen) => seen === expected);
}

describe("the twelve operations without a part of the platform, and after its return", () => {
  it.each(outages.map((outage) => [outage.what, outage] as const))("%s", async (_what, outage) => {
    const { gateway, bearer } = platform.description;
    const send = senderTo(gateway, bearer);
    const operations = await twelveOperations(platform.description, send);
    await using client = new SteadyClient(operations, send);
    await client.allAnswered(0);
    await surroundings({ notReady: [], dependencyDown: {} });

    const removedAt = performance.now();
    const restore = await remove(outage);
    const goneAt = performance.now();
    await delay(seconds * 1_000);
    await surroundings(outage);
    const returningAt = performance.now();
    await restore();
    const returnedAt = performance.now();
    await delay(recoversWithinMs);
    await client.allAnswered(performance.now());
    await surroundings({ notReady: [], dependencyDown: {} });
    await client.stop();

    const times = { removedAt, detectedAt: goneAt + detectedWithinMs, returningAt, returnedAt };
    process.stderr.write(summary(outage, client.samples, times));
    expect(deviations(outage, client.samples, times)).toEqual([]);
    expect(await lostUses(client, operations, send)).toEqual([]);
  });
});
