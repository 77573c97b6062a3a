import { connectEventStream, inspectEventStream, type StreamInspection, streamOf } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { completedRuns } from "./open-mesh.ts";
import { startNatsCluster } from "./own-nats-cluster.ts";

/** Servers of a cluster take their time to agree who leads. */
const timeoutMs = 60_000;

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** What the servers tell of the stream, once they have agreed who may tell. */
async function shown(servers: string) {
  let found: StreamInspection | undefined;
  const look = async () => {
    found = await inspectEventStream({ servers, streamName: "kept", timeoutMs: 5_000 }).catch(() => undefined);
    return found?.stream !== undefined;
  };
  await eventually(look, "the stream shown", timeoutMs);
  return found?.stream;
}

describe("a stream that three servers keep", () => {
  it("takes events and gives them while one of them is gone", async () => {
    await using cluster = await startNatsCluster();
    const stored = { EVENT_SIGNATURES: "required", NATS_STREAM_REPLICAS: 3, NATS_STREAM_MAX_BYTES: 64 * 1024 * 1024 };
    const settings = { NATS_URL: cluster.servers, NATS_STREAM: "kept", ...stored };
    await using stream = await connectEventStream({
      ...streamOf(settings),
      keys: serviceKeys("training"),
      name: "test",
    });
    await eventually(() => isDone(stream.ping()), "the stream", timeoutMs);
    await eventually(() => isDone(stream.publish(completedRuns(0, 1))), "the first event taken", timeoutMs);
    expect(await shown(cluster.servers)).toMatchObject({ replicas: 3, events: 1 });

    await cluster.kill(0);
    await eventually(() => isDone(stream.publish(completedRuns(1, 2))), "the second event taken", timeoutMs);
    const others = cluster.servers.split(",").slice(1).join(",");
    expect(await shown(others)).toMatchObject({ events: 2 });
  }, 180_000);
});
