import { randomUUID } from "node:crypto";
import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { limitsMessage, OrganisationLimitStore, type QuotaLimits } from "@aiplatform/quotas";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Clients, TrainingRig } from "./training-rig.ts";

let parts: AsyncDisposableStack;
let rig: TrainingRig;
let identity: EventStream;
let organisationLimits: OrganisationLimitStore;
let organisationId: string;
beforeAll(async () => {
  parts = new AsyncDisposableStack();
  const settings = { QUOTAS: JSON.stringify({ pipelines: 1, runs: 1 }) };
  rig = parts.use(await TrainingRig.start({ replicas: 2, settings }));
  organisationLimits = new OrganisationLimitStore(rig.store);
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const keys = serviceKeys("identity");
  identity = await connectEventStream({ servers, keys, name: "identity of the tests", streamName });
  parts.defer(() => identity.close());
  const isThere = () =>
    identity.ping().then(
      () => true,
      () => false,
    );
  await eventually(isThere, "the stream");
});
afterAll(() => parts.disposeAsync());
beforeEach(() => {
  organisationId = randomUUID();
});

async function announce(revision: number, limits: QuotaLimits, id = organisationId): Promise<void> {
  const message = create(OrganisationQuotasSetSchema, { organisationId: id, revision, limits: limitsMessage(limits) });
  const facts = { organisationId: id, entityId: id, time: new Date() };
  await identity.publish([eventRecord(OrganisationQuotasSetSchema, message, facts)]);
}

const isKnown = (revision: number, id = organisationId) =>
  eventually(async () => (await organisationLimits.find(id)).revision === revision, `revision ${revision}`);

const newPipeline = ({ runs }: Pick<Clients, "runs">) => runs.createPipeline({ name: "pipeline" });
const at = (replica: number) => rig.as({ organisationId }, replica);
const limitOfRefusal = async (call: Promise<unknown>) => (await failureOf(call)).metadata["limit"];

describe("limits that identity announces", () => {
  it("hold at every replica, before those of the settings", async () => {
    await newPipeline(at(0));
    expect(await limitOfRefusal(newPipeline(at(1)))).toBe("1");
    await announce(1, { pipelines: 2 });
    await isKnown(1);
    await newPipeline(at(1));
    expect(await limitOfRefusal(newPipeline(at(0)))).toBe("2");
  });

  it("take nothing away where they are lowered, and refuse more", async () => {
    await announce(1, { pipelines: 3 });
    await isKnown(1);
    await newPipeline(at(0));
    await newPipeline(at(0));
    await announce(2, { pipelines: 1 });
    await isKnown(2);
    expect((await failureOf(newPipeline(at(0)))).metadata).toMatchObject({ limit: "1", used: "2" });
  });

  it("leave a quota that they do not name to the settings, also once all are removed", async () => {
    await announce(1, { runs: 5 });
    await isKnown(1);
    await newPipeline(at(0));
    expect(await limitOfRefusal(newPipeline(at(0)))).toBe("1");
    await announce(2, { pipelines: 5 });
    await announce(3, {});
    await isKnown(3);
    expect(await limitOfRefusal(newPipeline(at(0)))).toBe("1");
  });

  it("are the latest ones when an earlier event comes late, or again", async () => {
    await announce(2, { pipelines: 4 });
    await isKnown(2);
    await announce(1, { pipelines: 9 });
    await announce(2, { pipelines: 9 });
    // One consumer hands events on in their order: once this is known, those before it were handled.
    const after = randomUUID();
    await announce(1, {}, after);
    await isKnown(1, after);
    expect(await organisationLimits.find(organisationId)).toMatchObject({ limits: { pipelines: 4 }, revision: 2 });
  });
});
