import { rm } from "node:fs/promises";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, eventSubject, outboxSource, startRelay, wakeSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { completedRuns, openMesh, recordEffect } from "./open-mesh.ts";
import { startOwnNats } from "./own-nats.ts";

const subjects = [eventSubject(JobCompletedSchema)];

describe("a nats-server that is killed while events flow, and loses its disk", () => {
  it("costs nothing: everything arrives, each with one effect", async () => {
    await using nats = await startOwnNats();
    await using mesh = await openMesh({ natsUrl: nats.parts.natsUrl });
    const { store, stream, outbox } = mesh;
    await using _relay = startRelay({ source: outboxSource(store), stream });
    await outbox.stage(undefined, ...completedRuns(0, 500));
    await eventually(async () => (await outbox.depth()) === 0, "the first events published");
    await outbox.stage(undefined, ...completedRuns(500, 2_000));
    const killed = nats.parts.processes.nats;
    await nats.parts.kill("nats");
    expect(killed?.signalCode).toBe("SIGKILL");
    const unpublished = await outbox.depth();
    await rm(nats.store, { recursive: true, force: true });
    // The kill fell into the publishing.
    expect(unpublished).toBeGreaterThan(0);

    await nats.parts.restart("nats");
    // No consumer had read yet, so what was acknowledged before the kill was lost with the disk as well.
    stream.consume({ durable: "effects", subjects, store, handler: recordEffect(store) });
    await eventually(async () => (await mesh.effects()).size === 2_000, "two thousand effects", 100_000);
    expect([...(await mesh.effects()).values()].every((times) => times === 1)).toBe(true);
    await eventually(async () => (await outbox.depth()) === 0, "an empty outbox");
  }, 180_000);
});

describe("an event stream that starts while NATS is down", () => {
  it("says so, keeps events in the outbox, and catches up when NATS comes", async () => {
    await using nats = await startOwnNats();
    await nats.parts.kill("nats");
    await nats.parts.restart("nats");
    await using mesh = await openMesh({ natsUrl: nats.parts.natsUrl });
    const { store, stream, outbox } = mesh;
    await nats.parts.kill("nats");
    await eventually(() => !stream.connected(), "the disconnection");
    await expect(stream.ping()).rejects.toThrow("not connected to NATS JetStream");
    const heard: string[] = [];
    stream.listen(wakeSubject("run", "*"), ({ subject }) => void heard.push(subject));
    const servers = nats.parts.natsUrl;
    await using neighbour = await connectEventStream({
      servers,
      name: "neighbour",
      keys: serviceKeys("identity"),
      streamName: mesh.streamName,
    });
    neighbour.announce(wakeSubject("run", "lost"), new Uint8Array());
    await using _relay = startRelay({ source: outboxSource(store), stream });
    stream.consume({ durable: "effects", subjects, store, handler: recordEffect(store) });
    await outbox.stage(undefined, ...completedRuns(0, 10));
    await nats.parts.restart("nats");
    await eventually(async () => (await mesh.effects()).size === 10, "ten effects");
    await stream.ping();
    await eventually(() => {
      neighbour.announce(wakeSubject("run", "here"), new Uint8Array());
      return heard.includes(wakeSubject("run", "here"));
    }, "an announcement");
    expect(heard).not.toContain(wakeSubject("run", "lost"));
    stream.announce(wakeSubject("run", "own"), new Uint8Array());
    neighbour.announce(wakeSubject("run", "last"), new Uint8Array());
    await eventually(() => heard.includes(wakeSubject("run", "last")), "the last announcement");
    expect(heard).not.toContain(wakeSubject("run", "own"));
  });
});
