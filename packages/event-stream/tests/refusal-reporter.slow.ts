import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { createRefusalReporter, decodeEvent, eventSubject, type ReceivedEvent } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { type Mesh, openMesh } from "./open-mesh.ts";
import { startOwnNats } from "./own-nats.ts";

const logger = { info: () => undefined, warn: () => undefined };

/** Each by an RPC of its own, so that none is like another. */
function refused(requestId: string, fields: MessageInitShape<typeof CallRefusedSchema> = {}): CallRefused {
  const refusedAt = timestampFromDate(new Date("2026-01-02T03:04:05.006Z"));
  return create(CallRefusedSchema, {
    requestId,
    rpc: `Test/${requestId}`,
    refusedBy: "test",
    code: "not_found",
    refusedAt,
    ...fields,
  });
}

/** Every refusal that arrives, as often as it has an effect. */
function received({ store, stream }: Mesh): ReceivedEvent[] {
  const events: ReceivedEvent[] = [];
  const handler = async (event: ReceivedEvent) => void events.push(event);
  stream.consume({ durable: "refusals", subjects: [eventSubject(CallRefusedSchema)], store, handler });
  return events;
}

describe("a refusal that is reported", () => {
  it("arrives once, with its cause, under its organisation or the installation", async () => {
    await using mesh = await openMesh();
    const events = received(mesh);
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    await using reporter = createRefusalReporter(mesh.stream, { logger });
    reporter.report(refused("r1", { organisationId: "o", memberId: "m", credentialId: "k" }));
    reporter.report(refused("r2"));
    await eventually(() => events.length === 2, "two refusals");
    const seen = events.map(({ organisationId, entityId, cause, time }) => ({ organisationId, entityId, cause, time }));
    const time = new Date("2026-01-02T03:04:05.006Z");
    expect(seen).toEqual([
      { organisationId: "o", entityId: "r1", cause: { memberId: "m", credentialId: "k", requestId: "r1" }, time },
      { organisationId: "installation", entityId: "r2", cause: { requestId: "r2" }, time },
    ]);
    expect(decodeEvent(CallRefusedSchema, events[0]?.data ?? new Uint8Array())).toMatchObject({ refusedBy: "test" });
  });

  it("is among those that closing publishes", async () => {
    await using mesh = await openMesh();
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    const reporter = createRefusalReporter(mesh.stream, { logger, maxKinds: 1_000 });
    for (let n = 0; n < 1_000; n += 1) reporter.report(refused(`r${n}`));
    await reporter.close();
    const events = received(mesh);
    await eventually(() => events.length === 1_000, "a thousand refusals");
    expect(new Set(events.map(({ entityId }) => entityId)).size).toBe(1_000);
  });
});

describe("a flood of refusals that are alike", () => {
  it("makes two events, which count each of them", async () => {
    await using mesh = await openMesh();
    const events = received(mesh);
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    const reporter = createRefusalReporter(mesh.stream, { logger, windowMs: 60_000 });
    for (let n = 0; n < 5_000; n += 1) reporter.report(refused(`r${n}`, { rpc: "Test/Get" }));
    await eventually(() => events.length === 1, "the first refusal");
    await reporter.close();
    await eventually(() => events.length === 2, "the others");
    const counts = events.map(({ data, entityId }) => [entityId, decodeEvent(CallRefusedSchema, data).count]);
    expect(counts).toEqual([
      ["r0", 1],
      ["r4999", 4_999],
    ]);
  });
});

describe("while NATS is away", () => {
  it("refusals wait, the newest beyond the bound are dropped and told of, and the others arrive later", async () => {
    await using nats = await startOwnNats();
    await using mesh = await openMesh({ natsUrl: nats.parts.natsUrl });
    await eventually(() => mesh.stream.incarnation() !== undefined, "the stream");
    const told: unknown[] = [];
    const warn = (facts: object) => void told.push(facts);
    const reporter = createRefusalReporter(mesh.stream, { logger: { info: () => undefined, warn }, maxWaiting: 10 });
    await nats.parts.kill("nats");
    await eventually(() => !mesh.stream.connected(), "the loss of NATS");
    for (let n = 0; n < 13; n += 1) reporter.report(refused(`r${n}`));
    expect(told).toEqual([{ dropped: 1 }]);
    await nats.parts.restart("nats");
    const events = received(mesh);
    await eventually(() => events.length === 10, "ten refusals");
    expect(events.map(({ entityId }) => entityId)).toEqual(Array.from({ length: 10 }, (_, n) => `r${n}`));
    await reporter.close();
    expect(told).toEqual([{ dropped: 1 }, { dropped: 2 }]);
  });
});
