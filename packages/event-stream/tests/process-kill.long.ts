import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { eventSubject } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { connect } from "nats";
import { afterEach, describe, expect, it } from "vitest";
import { completed, completedRuns, type Mesh, openMesh, recordEffect } from "./open-mesh.ts";

const program = fileURLToPath(new URL("./mesh-process.ts", import.meta.url));

const started: ChildProcess[] = [];

// A test that fails half-way leaves nothing running.
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start(role: "relay" | "consumer", { database }: Mesh): ChildProcess {
  const { TEST_MONGODB_URI: mongodb = "", TEST_NATS_URL: nats = "" } = process.env;
  const child = spawn(process.execPath, [program, role, mongodb, nats, database], { stdio: "ignore" });
  started.push(child);
  return child;
}

async function exitOf(child: ChildProcess): Promise<string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.signalCode;
}

describe("a relay that is killed in the middle", () => {
  it("is continued by the next one: every event arrives, each with one effect", async () => {
    await using mesh = await openMesh();
    const { store, stream, outbox } = mesh;
    stream.consume({
      durable: "effects",
      subjects: [eventSubject(JobCompletedSchema)],
      store,
      handler: recordEffect(store),
    });
    const total = 1_500;
    await outbox.stage(undefined, ...completedRuns(0, total));
    const signals: (string | null)[] = [];
    for (let kills = 0; kills < 3; kills += 1) {
      const before = await outbox.depth();
      const relay = start("relay", mesh);
      await eventually(async () => (await outbox.depth()) < before, "some events published");
      relay.kill("SIGKILL");
      signals.push(await exitOf(relay));
      if ((await outbox.depth()) === 0) await outbox.stage(undefined, completed(`more-${kills}`));
    }
    expect(signals).toEqual(["SIGKILL", "SIGKILL", "SIGKILL"]);
    const relay = start("relay", mesh);
    await eventually(async () => (await outbox.depth()) === 0, "an empty outbox");
    await eventually(async () => (await mesh.effects()).size >= total, "all effects", 90_000);
    relay.kill("SIGKILL");
    await exitOf(relay);
    expect([...(await mesh.effects()).values()].every((times) => times === 1)).toBe(true);
  }, 180_000);
});

describe("an event that kills the process that handles it", () => {
  it("is put among the dead letters after five deaths, and takes no neighbour with it", async () => {
    await using mesh = await openMesh();
    const { stream } = mesh;
    await eventually(() => stream.incarnation() !== undefined, "the stream");
    await stream.publish([completed("before"), completed("deadly"), ...completedRuns(0, 10)]);
    const connection = await connect({ servers: process.env.TEST_NATS_URL ?? "" });
    const manager = await connection.jetstreamManager();
    const parked = async () => (await manager.streams.info(`${mesh.streamName}_dead`)).state.messages;
    let deaths = 0;
    let child = start("consumer", mesh);
    await eventually(
      async () => {
        if (child.signalCode === "SIGKILL") {
          deaths += 1;
          child = start("consumer", mesh);
        }
        return (await parked()) === 1;
      },
      "the dead letter",
      50_000,
    );
    await eventually(async () => (await mesh.effects()).size === 11, "the neighbours' effects");
    child.kill();
    await exitOf(child);
    const letter = await manager.streams.getMessage(`${mesh.streamName}_dead`, { seq: 1 });
    expect(letter.header.get("dead-cause")).toBe("the process ended while handling it");
    expect(deaths).toBe(5);
    expect(await parked()).toBe(1);
    await connection.close();
  });
});
