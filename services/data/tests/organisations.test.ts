import { randomUUID } from "node:crypto";
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataQuotaService } from "@aiplatform/contract/aiplatform/data/v1/quotas";
import { DataOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import {
  OrganisationDeletionRequestedSchema,
  OrganisationQuotasSetSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { limitsMessage, OrganisationLimitStore } from "@aiplatform/quotas";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataRig } from "./data-rig.ts";

let rig: DataRig;
let identity: EventStream;
let directory: string;
const purged: string[] = [];
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  directory = join(cleanUp.use(await mkdtempDisposable(join(tmpdir(), "data-"))).path, "data");
  const settings = { PURGE_SETTLE_MS: "1000", DATA_DIRECTORY: directory };
  rig = cleanUp.use(await DataRig.start({ replicas: 2, settings }));
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const options = { servers, streamName, name: "identity of the tests", keys: serviceKeys("identity") };
  identity = cleanUp.use(await connectEventStream(options));
  identity.listen(eventSubject(DataOrganisationPurgedSchema), ({ headers }) => {
    purged.push(headers.get("ce-organisation") ?? "");
  });
  await eventually(() => identity.incarnation() !== undefined);
}, 60_000);
afterAll(() => cleanUp.disposeAsync());

/** Has identity set a limit for the organisation, and waits until the service knows it. */
async function setLimit(organisationId: string): Promise<void> {
  const message = create(OrganisationQuotasSetSchema, {
    organisationId,
    revision: 1,
    limits: limitsMessage({ runs: 1 }),
  });
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  await identity.publish([eventRecord(OrganisationQuotasSetSchema, message, facts)]);
  const limits = new OrganisationLimitStore(rig.store);
  await eventually(async () => (await limits.find(organisationId)).revision === 1);
}

/** Collections in which the organisation has a document. */
async function left(organisationId: string): Promise<string[]> {
  const names = await rig.store.database.listCollections({}, { nameOnly: true }).toArray();
  const counts = names.map(async ({ name }) => {
    const found = await rig.store.database.collection(name).findOne({ organisation_id: organisationId });
    return found === null ? [] : [name];
  });
  return (await Promise.all(counts)).flat().toSorted();
}

describe("what the data service has of a deleted organisation", () => {
  it("is removed by one of its replicas, which says so once; what another one has stays", async () => {
    const [organisationId, other] = [randomUUID(), randomUUID()];
    await setLimit(organisationId);
    await setLimit(other);
    expect(await left(organisationId)).toContain("quotas");
    const message = create(OrganisationDeletionRequestedSchema, { organisationId, revision: 2 });
    const facts = { organisationId, entityId: organisationId, time: new Date() };
    await identity.publish([eventRecord(OrganisationDeletionRequestedSchema, message, facts)]);
    await eventually(() => purged.includes(organisationId));
    expect(await left(organisationId)).toEqual(["deleted_organisations", "outbox"]);
    expect(purged).toEqual([organisationId]);
    expect(await left(other)).toContain("quotas");
  });
});

describe("the quotas that the data service counts", () => {
  it("are for content to ask, and not for callers of the gateway", async () => {
    const failure = await failureOf(rig.as().client(DataQuotaService).readQuotas({}));
    expect(failure.code).toBe(Code.PermissionDenied);
  });
});

describe("the directory of the data service", () => {
  it("is made when the service starts, and is listed and written by its user alone", async () => {
    expect((await stat(directory)).mode & 0o777).toBe(0o711);
  });
});
