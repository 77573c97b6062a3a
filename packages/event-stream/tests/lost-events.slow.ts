import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { consume, events, expectAll, flipBit, publish, withEnvironment } from "./lossy-environment.ts";
import { completedRuns } from "./open-mesh.ts";

describe("events that no consumer has read, and whose stream", () => {
  it("has a flipped bit when NATS is killed and started: arrive", async () => {
    await withEnvironment(async (environment) => {
      const { nats, mesh, gaps } = environment;
      await publish(mesh, 0, events);
      await nats.parts.kill("nats");
      await flipBit(environment);
      await nats.parts.restart("nats");
      await expectAll(mesh, consume(mesh), events);
      expect(gaps.length).toBeGreaterThan(0);
    });
  }, 120_000);
});

describe("a stream that has lost nothing", () => {
  it("is refilled with nothing, also after NATS was killed while events flowed", async () => {
    await withEnvironment(async ({ nats, mesh, gaps }) => {
      const ids = consume(mesh);
      await mesh.outbox.stage(undefined, ...completedRuns(0, events));
      await nats.parts.kill("nats");
      await nats.parts.restart("nats");
      await expectAll(mesh, ids, events);
      await publish(mesh, events, 2 * events);
      await expectAll(mesh, ids, 2 * events);
      const known = async () => (await mesh.outbox.marks.read()).mark?.verified ?? 0;
      await eventually(async () => (await known()) >= 2 * events, "every event verified");
      expect(gaps).toEqual([]);
    });
  }, 120_000);
});
