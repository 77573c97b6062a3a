import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingServer, startEverythingServer } from "./everything-api.ts";
import { Dice } from "./reference/dice.ts";
import { faultOfAnswer, strangeRequest } from "./strange-requests.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);
let api: EverythingServer;
beforeAll(async () => {
  api = await startEverythingServer();
});
afterAll(async () => api[Symbol.asyncDispose]());

describe(`a thousand strange requests, from seed ${seed}`, () => {
  it("are each answered with something that is no failure of ours, in time and in bounds", async () => {
    const dice = new Dice(seed);
    for (let left = 1000; left > 0; left--) {
      const request = strangeRequest(dice);
      const fault = await faultOfAnswer(api.server.port, request);
      if (fault !== undefined) expect({ ...request, body: request.body.toString("latin1") }).toBe(fault);
    }
    expect(api.failures).toEqual([]);
    expect((await api.fetch(`/names/?limit=1`)).status).toBe(200);
  });
});
