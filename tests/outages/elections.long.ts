import { setTimeout as delay } from "node:timers/promises";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { until } from "../mesh/rest.ts";
import { isRejected, lostUses } from "./judgement.ts";
import { type ReplicaSet, startReplicaSet } from "./replica-set.ts";
import { SteadyClient, senderTo } from "./steady-client.ts";
import { succeeded, twelveOperations } from "./twelve-operations.ts";

/** MongoDB waits for ten seconds before it holds a primary for lost. */
const electionMs = 10_000;
/** Time for the vote, and for the services to notice. */
const noticedMs = 10_000;
const quietMs = 10_000;
const requestsPerSecond = 60;

let set: ReplicaSet;
let platform: LocalPlatform;

beforeAll(async () => {
  set = await startReplicaSet();
  process.env.MONGODB_URI = set.uri;
}, 120_000);
ownPlatform(
  (started) => {
    platform = started;
  },
  { separate: "services", settings: { gateway: { REQUESTS_PER_SECOND: String(requestsPerSecond) } } },
);
afterAll(async () => {
  delete process.env.MONGODB_URI;
  await set?.[Symbol.asyncDispose]();
});

async function kill(): Promise<() => Promise<void>> {
  const index = await set.primary();
  await set.kill(index);
  return () => set.start(index);
}

async function stepDown(): Promise<() => Promise<void>> {
  await set.stepDown();
  return async () => {};
}

describe("a replica set of three under load, whose primary", () => {
  it.each([
    ["steps down", stepDown, noticedMs],
    ["is killed", kill, electionMs + noticedMs],
  ])(
    "%s: requests are rejected for a bounded time, and nothing that was answered is lost",
    async (what, lose, maxMs) => {
      const { gateway, bearer } = platform.description;
      const send = senderTo(gateway, bearer);
      const operations = await twelveOperations(platform.description, send);
      await using client = new SteadyClient(operations, send);
      await client.allAnswered(0);
      const before = await set.primary();

      const lostAt = performance.now();
      const bringBack = await lose();
      await delay(maxMs + quietMs);
      expect(await set.primary()).not.toBe(before);
      await client.allAnswered(lostAt + maxMs);
      await client.stop();

      const failed = client.since(lostAt).filter(({ ending }) => !succeeded(ending));
      const lastMs = Math.max(0, ...failed.map(({ at, ms }) => at + ms - lostAt));
      const slowestMs = Math.max(0, ...failed.map(({ ms }) => ms));
      process.stderr.write(
        `the primary ${what}: ${failed.length} of ${client.since(lostAt).length} rejected, the last after ${Math.round(lastMs)} ms, the slowest refusal took ${Math.round(slowestMs)} ms\n`,
      );
      expect(failed.filter((sample) => !isRejected(sample))).toEqual([]);
      expect(lastMs).toBeLessThan(maxMs);
      expect(await lostUses(client, operations, send)).toEqual([]);
      await bringBack();
    },
  );
});

describe("a replica set without a majority", () => {
  it("costs its callers nothing of their rate: far more requests than that are all answered 503", async () => {
    const { gateway, bearer } = platform.description;
    const send = senderTo(gateway, bearer);
    const list = () => send("GET", "/automations/");
    const secondary = ((await set.primary()) + 1) % 3;
    await set.kill(secondary);
    await set.kill(await set.primary());
    await until("a refusal", 60, list, ({ status }) => status === 503);

    const begun = performance.now();
    const ask = async () => {
      const statuses = [];
      while (performance.now() - begun < 5_000) statuses.push((await list()).status);
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: 10 }, ask))).flat();
    expect(statuses.length).toBeGreaterThan(requestsPerSecond * 7);
    expect(new Set(statuses)).toEqual(new Set([503]));
  });
});
