import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, eventSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjectOf, toHeaders } from "../src/cloud-event.ts";
import { completed, type Mesh, openMesh, recordEffect } from "./open-mesh.ts";

const servers = process.env["TEST_NATS_URL"] ?? "";
const subjects = [eventSubject(JobCompletedSchema)];

const open = new AsyncDisposableStack();
const keys = open.use(serviceKeys("identity"));
let earlier: NatsConnection;
beforeAll(async () => {
  earlier = await connect({ servers });
  open.defer(() => earlier.close());
});
afterAll(() => open.disposeAsync());

/** Publishes as a service did that knew no signatures. */
async function publishUnsigned({ streamName }: Mesh, entityId: string): Promise<void> {
  const record = completed(entityId);
  const subject = subjectOf(record).replace("aiplatform", streamName);
  await earlier.jetstream().publish(subject, record.data, { headers: toHeaders(record) });
}

async function startConsumer({ store, streamName }: Mesh, acceptsUnsigned: boolean) {
  const stream = await connectEventStream({ servers, keys, store, acceptsUnsigned, name: "identity", streamName });
  stream.consume({ durable: "effects", subjects, store, handler: recordEffect(store) });
  await eventually(() => stream.incarnation(), "the stream");
  return stream;
}

const effects = async (mesh: Mesh) => [...(await mesh.effects()).keys()].sort();

/** A mesh whose stream is there, as an earlier version had left it. */
async function meshOfEarlierVersion(): Promise<Mesh> {
  const mesh = await openMesh();
  await eventually(() => mesh.stream.incarnation(), "the stream");
  return mesh;
}

describe("events without a signature that are in the stream when signatures are first required", () => {
  it("are handled, and those that come later are refused, after a restart as well", async () => {
    await using mesh = await meshOfEarlierVersion();
    await publishUnsigned(mesh, "left behind");
    {
      await using _stream = await startConsumer(mesh, false);
      await eventually(
        async () => (await effects(mesh)).includes("left behind"),
        "the effect of the event left behind",
      );
    }
    await publishUnsigned(mesh, "late");
    await using _stream = await startConsumer(mesh, false);
    await mesh.stream.publish([completed("signed")]);
    await eventually(async () => (await effects(mesh)).includes("signed"), "the effect of the signed event");
    expect(await effects(mesh)).toEqual(["left behind", "signed"]);
  });
});

describe("events without a signature while services of an earlier version run", () => {
  it("are handled with accept-unsigned, up to when signatures are required", async () => {
    await using mesh = await meshOfEarlierVersion();
    {
      await using _stream = await startConsumer(mesh, true);
      await publishUnsigned(mesh, "during the upgrade");
      await eventually(async () => (await effects(mesh)).length === 1, "the effect of the unsigned event");
    }
    await publishUnsigned(mesh, "last");
    await using _stream = await startConsumer(mesh, false);
    await eventually(async () => (await effects(mesh)).includes("last"), "the effect of the last unsigned event");
    await publishUnsigned(mesh, "forged");
    await mesh.stream.publish([completed("signed")]);
    await eventually(async () => (await effects(mesh)).includes("signed"), "the effect of the signed event");
    expect(await effects(mesh)).toEqual(["during the upgrade", "last", "signed"]);
  });
});
