import type { Caller } from "@aiplatform/caller-identity";
import {
  PredictionTargetSchema,
  ResolvePredictionRouteResponseSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { chooseTarget, PredictionRoutes } from "./routes.ts";

const targets = [
  { url: "a", weight: 75 },
  { url: "b", weight: 25 },
  { url: "never", weight: 0 },
].map((target) => create(PredictionTargetSchema, target));

describe("choosing a target", () => {
  it.each([
    [0, "a"],
    [0.7499, "a"],
    [0.75, "b"],
    [0.9999, "b"],
  ])("takes what the draw %d falls on", (random, url) => {
    expect(chooseTarget(targets, random)?.url).toBe(url);
  });

  it("takes none that was left out, and none when all were", () => {
    expect(chooseTarget(targets, 0, new Set(["a"]))?.url).toBe("b");
    expect(chooseTarget(targets, 0.5, new Set(["a", "b"]))).toBeUndefined();
    expect(chooseTarget([], 0)).toBeUndefined();
  });
});

describe("the routes that are remembered", () => {
  const request = { requestId: "r", requestIdSource: "caller" } as const;
  const callerOf = (organisationId: string): Caller => ({
    organisationId,
    credentialId: "c",
    permissions: new Set(),
    expiresAt: new Date(),
    signedContext: "signed",
  });
  const setUp = () => {
    const state = { now: 0, asked: 0, fails: false };
    const client = {
      async resolvePredictionRoute() {
        state.asked += 1;
        if (state.fails) throw new Error("nothing serves");
        return create(ResolvePredictionRouteResponseSchema, { targets, validMs: 100 });
      },
    };
    return { state, routes: new PredictionRoutes({ client, now: () => state.now }) };
  };

  it("are asked for once while they hold, however many ask at once", async () => {
    const { state, routes } = setUp();
    await Promise.all([1, 2, 3].map(() => routes.of(callerOf("o"), "d", request)));
    state.now = 99;
    await routes.of(callerOf("o"), "d", request);
    expect(state.asked).toBe(1);
    state.now = 100;
    await routes.of(callerOf("o"), "d", request);
    expect(state.asked).toBe(2);
  });

  it("are another organisation's own", async () => {
    const { state, routes } = setUp();
    await routes.of(callerOf("o"), "d", request);
    await routes.of(callerOf("p"), "d", request);
    expect(state.asked).toBe(2);
  });

  it("are forgotten when told to, and when they could not be had", async () => {
    const { state, routes } = setUp();
    await routes.of(callerOf("o"), "d", request);
    routes.forget("o", "d");
    state.fails = true;
    await expect(routes.of(callerOf("o"), "d", request)).rejects.toThrow();
    state.fails = false;
    await routes.of(callerOf("o"), "d", request);
    expect(state.asked).toBe(3);
  });
});
