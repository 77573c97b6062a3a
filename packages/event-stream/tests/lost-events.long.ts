import { cp, rm } from "node:fs/promises";
import { connect } from "nats";
import { describe, expect, it } from "vitest";
import { consume, events, expectAll, flipBit, publish, withEnvironment } from "./lossy-environment.ts";

describe("events that no consumer has read, and whose stream", () => {
  it("has a flipped bit that only reading meets: arrive", async () => {
    await withEnvironment(async (environment) => {
      const { nats, mesh, gaps } = environment;
      await publish(mesh, 0, events);
      // Stopped in order, the server believes its index and does not look at its blocks.
      await nats.parts.kill("nats", "SIGTERM");
      await flipBit(environment);
      await nats.parts.restart("nats");
      await expectAll(mesh, consume(mesh), events);
      expect(gaps.length).toBeGreaterThan(0);
    });
  }, 120_000);

  it("is restored from an older disk: arrive", async () => {
    await withEnvironment(async (environment) => {
      const { nats, mesh, gaps } = environment;
      await publish(mesh, 0, 100);
      await nats.parts.kill("nats");
      const older = `${nats.store}-older`;
      await cp(nats.store, older, { recursive: true });
      await nats.parts.restart("nats");
      await publish(mesh, 100, events);
      await nats.parts.kill("nats");
      await rm(nats.store, { recursive: true });
      await cp(older, nats.store, { recursive: true });
      await nats.parts.restart("nats");
      await expectAll(mesh, consume(mesh), events);
      expect(gaps.length).toBeGreaterThan(0);
    });
  }, 120_000);

  it("was emptied by hand a moment after: arrive although NATS remembers their ids", async () => {
    await withEnvironment(async ({ nats, mesh, gaps }) => {
      await publish(mesh, 0, events);
      const connection = await connect({ servers: nats.parts.natsUrl });
      const manager = await connection.jetstreamManager();
      await manager.streams.purge(mesh.streamName, { seq: 200 });
      await manager.streams.deleteMessage(mesh.streamName, 300);
      await connection.close();
      await expectAll(mesh, consume(mesh), events);
      expect(gaps.length).toBeGreaterThan(0);
    });
  }, 120_000);
});
