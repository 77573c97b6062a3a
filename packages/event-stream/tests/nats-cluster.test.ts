import { connectEventStream, inspectEventStream, streamOf } from "@aiplatform/event-stream";
import { describe, expect, it } from "@jest/globals";
import { completedRuns, eventually } from "./open-mesh.ts";
import { startNatsCluster } from "./own-nats-cluster.ts";

/** Servers of a cluster take their time to agree who leads. */
const patienceMs = 60_000;

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

describe("a stream that three servers keep", () => {
  it("takes events and gives them while one of them is gone", async () => {
    await using cluster = await startNatsCluster();
    const settings = { NATS_URL: cluster.servers, NATS_STREAM: "kept", NATS_STREAM_REPLICAS: 3 };
    await using stream = await connectEventStream({ ...streamOf(settings), name: "test" });
    await eventually(() => isDone(stream.ping()), "the stream", patienceMs);
    await eventually(() => isDone(stream.publish(completedRuns(0, 1))), "the first event taken", patienceMs);
    const look = { servers: cluster.servers, streamName: "kept", timeoutMs: 5_000 };
    expect((await inspectEventStream(look)).stream).toMatchObject({ replicas: 3, events: 1 });

    await cluster.kill(0);
    await eventually(() => isDone(stream.publish(completedRuns(1, 2))), "the second event taken", patienceMs);
    const others = cluster.servers.split(",").slice(1).join(",");
    expect((await inspectEventStream({ ...look, servers: others })).stream).toMatchObject({ events: 2 });
  }, 180_000);
});
