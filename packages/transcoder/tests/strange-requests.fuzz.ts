import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingServer, startEverythingServer } from "./everything-api.ts";
import { Dice } from "./reference/dice.ts";
import { faultOfAnswer, strangeRequest } from "./strange-requests.ts";

const seconds = Number(process.env["FUZZ_SECONDS"] ?? 60);
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);
/** What may stay of so many requests: garbage that is not collected yet, not something of each. */
const growthBytes = 200 * 1024 * 1024;

let api: EverythingServer;
beforeAll(async () => {
  api = await startEverythingServer();
});
afterAll(async () => api[Symbol.asyncDispose]());

describe(`strange requests for ${seconds} s, from seed ${seed}`, () => {
  it(
    "are each answered with something that is no failure of ours, and leave nothing behind",
    async () => {
      const dice = new Dice(seed);
      const before = process.memoryUsage().rss;
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const request = strangeRequest(dice);
        const fault = await faultOfAnswer(api.server.port, request);
        if (fault !== undefined) expect({ ...request, body: request.body.toString("latin1") }).toBe(fault);
      }
      expect(api.failures).toEqual([]);
      expect(process.memoryUsage().rss - before).toBeLessThan(growthBytes);
    },
    seconds * 1000 + 60_000,
  );
});
