import { describe, expect, it } from "vitest";
import { type HubServer, type ServerState, serverState } from "./notebook-server.ts";

const minute = 60_000;
const now = new Date("2026-11-21T12:00:00Z");
const resting: HubServer = {
  name: "",
  pending: undefined,
  ready: false,
  stopped: true,
  spawnFailure: undefined,
  url: undefined,
  startedAt: undefined,
  lastActivity: undefined,
};

describe("a server that the hub has nothing to do with", () => {
  it.each<[Partial<HubServer>, ServerState["status"]]>([
    [{ ready: true, stopped: false }, "running"],
    [{ stopped: true }, "none"],
    [{ stopped: true, spawnFailure: "no memory" }, "failed"],
    [{ ready: true, stopped: false, spawnFailure: "of an earlier start" }, "running"],
    [{ stopped: false }, "failed"],
  ])("and is %j is %s", (fields, status) => {
    expect(serverState({ ...resting, ...fields }, { now, pendingSince: now }).status).toBe(status);
  });
});

describe("a server with something pending", () => {
  it.each<[string, number, ServerState["status"], RegExp | undefined]>([
    ["spawn", 0, "starting", undefined],
    ["spawn", 10 * minute, "starting", undefined],
    ["spawn", 10 * minute + 1, "failed", /did not start in time/],
    ["stop", 2 * minute, "stopping", undefined],
    ["stop", 2 * minute + 1, "failed", /did not stop in time/],
    ["check", 2 * minute, "starting", undefined],
    ["check", 2 * minute + 1, "failed", /does not find out/],
    ["something new", 10 * minute, "starting", undefined],
    ["something new", 10 * minute + 1, "failed", /did not start in time/],
    ["constructor", -minute, "starting", undefined],
  ])("%s for %d ms is %s", (pending, forMs, status, error) => {
    const pendingSince = new Date(now.getTime() - forMs);
    const state = serverState({ ...resting, pending, stopped: false }, { now, pendingSince });
    expect(state.status).toBe(status);
    if (error) expect(state.error).toMatch(error);
    else expect(state.error).toBeUndefined();
  });

  it("counts for more than what the server was before", () => {
    const busy = { ...resting, ready: true, stopped: false, pending: "stop" };
    expect(serverState(busy, { now, pendingSince: now }).status).toBe("stopping");
  });
});
