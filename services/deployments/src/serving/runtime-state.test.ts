import { describe, expect, it } from "vitest";
import { readRuntimeState } from "./runtime-state.ts";

describe("what an instance says of itself", () => {
  it("is read with when it was used", () => {
    const text = '{"state":"ready","in_flight":2,"last_used_at":"2026-01-01T00:00:00Z"}';
    const lastUsedAt = new Date("2026-01-01T00:00:00Z");
    expect(readRuntimeState(text)).toEqual({ state: "ready", inFlight: 2, lastUsedAt });
  });

  it("is read with why it failed", () => {
    const text = '{"state":"failed","reason":"ModelLoadFailed","detail":"no graph","in_flight":0,"last_used_at":null}';
    expect(readRuntimeState(text)).toEqual({
      state: "failed",
      reason: "ModelLoadFailed",
      detail: "no graph",
      inFlight: 0,
    });
  });

  it("is read without a reason that is none", () => {
    expect(readRuntimeState('{"state":"failed","reason":"Bored"}')).toEqual({ state: "failed", inFlight: 0 });
  });

  it.each(["null", "[]", "{}", '{"state":"bored"}', "7"])("is nothing when it is %s", (text) => {
    expect(readRuntimeState(text)).toBeUndefined();
  });
});
