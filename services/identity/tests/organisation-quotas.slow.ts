import { randomUUID } from "node:crypto";
import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { IdentityQuotaService } from "@aiplatform/contract/aiplatform/identity/v1/quotas";
import { connectDocumentStore, type DocumentStore, Outbox } from "@aiplatform/document-store";
import { decodeEvent } from "@aiplatform/event-stream";
import { limitsFrom, limitsMessage, maxLimit, type QuotaLimits } from "@aiplatform/quotas";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, failureOf } from "@aiplatform/testkit";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import { operatorKey } from "./identity-rig.ts";

interface StagedEvent {
  _id: string;
  organisation_id: string;
  data_schema: string;
  data: { buffer: Uint8Array };
}

let administration: AdministrationRig;
let store: DocumentStore;
let parts: AsyncDisposableStack;
let organisationId: string;
let key: string;
beforeAll(async () => {
  parts = new AsyncDisposableStack();
  administration = parts.use(await startAdministrationRig({ settings: { QUOTAS: JSON.stringify({ members: 2 }) } }));
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = administration.rig.config;
  store = parts.use(await connectDocumentStore({ uri, database, appName: "identity tests" }));
});
afterAll(() => parts.disposeAsync());
beforeEach(async () => {
  ({ organisationId, key } = await newOrganisation());
});

async function newOrganisation(): Promise<{ organisationId: string; key: string }> {
  const slug = `q-${randomUUID()}`.slice(0, 30);
  const wanted = { slug, name: slug, administrator: administration.person(slug) };
  const { organisation, apiKeySecret } = await administration.operator.organisations.createOrganisation(wanted);
  return { organisationId: organisation?.id ?? "", key: apiKeySecret };
}

const set = async (limits: QuotaLimits, id = organisationId) => {
  const wanted = { organisationId: id, limits: limitsMessage(limits) };
  return limitsFrom((await administration.operator.organisations.setOrganisationQuotas(wanted)).limits);
};
const get = async (id = organisationId) =>
  limitsFrom((await administration.operator.organisations.getOrganisationQuotas({ organisationId: id })).limits);

/** Revision and limits of each event about the organisation's quotas, in their order. */
async function announced(): Promise<[number, QuotaLimits][]> {
  const outbox = store.database.collection<StagedEvent>(Outbox.indexes.collection);
  const filter = { organisation_id: organisationId, data_schema: OrganisationQuotasSetSchema.typeName };
  const staged = await outbox.find(filter).sort({ staged_at: 1 }).toArray();
  return staged.map(({ data }) => {
    const { revision, limits } = decodeEvent(OrganisationQuotasSetSchema, data.buffer);
    return [revision, limitsFrom(limits)];
  });
}

/** Adds a member to the organisation. */
const addMember = () =>
  administration.rig.as({ apiKey: key }).members.createMember({ member: administration.person("new"), roleIds: [] });

describe("the limits that the operator sets for an organisation", () => {
  it("are none at first", async () => {
    expect(await get()).toEqual({});
  });

  it("are answered as they were set, each time in place of the former", async () => {
    expect(await set({ members: 5, runs: 0, artifact_bytes: maxLimit })).toEqual({
      members: 5,
      runs: 0,
      artifact_bytes: maxLimit,
    });
    expect(await set({ deployments: 800 })).toEqual({ deployments: 800 });
    expect(await get()).toEqual({ deployments: 800 });
    expect(await set({})).toEqual({});
    expect(await get()).toEqual({});
  });

  it("hold for it alone, and from the next request on", async () => {
    await addMember();
    const refused = () => failureOf(addMember());
    expect(await refused()).toMatchObject({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      metadata: { quota: "members", limit: "2", used: "2", asked: "1" },
    });
    await set({ members: 3 });
    await addMember();
    expect((await refused()).metadata).toMatchObject({ limit: "3", used: "3" });
    await set({ members: 1 });
    expect((await refused()).metadata).toMatchObject({ limit: "1", used: "3" });
    expect((await administration.rig.as({ apiKey: key }).members.listMembers({})).members).toHaveLength(3);
    await set({});
    expect((await refused()).metadata).toMatchObject({ limit: "2", used: "3" });
    expect(await get((await newOrganisation()).organisationId)).toEqual({});
  });

  it("are announced once for each change, with a revision that grows, also when all are removed", async () => {
    await set({ members: 5 });
    await set({ members: 5 });
    await set({});
    await set({});
    await set({ members: 5 });
    expect(await announced()).toEqual([
      [1, { members: 5 }],
      [2, {}],
      [3, { members: 5 }],
    ]);
  });

  it("are those of one of two requests at the same time, and each has a revision of its own", async () => {
    const replica = await administration.startReplica();
    const at = [administration.operator, replica.as({ bearer: operatorKey })];
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        at[index % 2]?.organisations.setOrganisationQuotas({ organisationId, limits: { members: BigInt(10 + index) } }),
      ),
    );
    const events = await announced();
    expect(events.map(([revision]) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await get()).toEqual(events.at(-1)?.[1]);
  });

  it("may be set while the organisation is suspended", async () => {
    await administration.operator.organisations.suspendOrganisation({ organisationId });
    expect(await set({ members: 5 })).toEqual({ members: 5 });
  });

  it("are found by the organisation's id in either case", async () => {
    await set({ members: 5 }, organisationId.toUpperCase());
    expect(await get()).toEqual({ members: 5 });
    expect(await get(organisationId.toUpperCase())).toEqual({ members: 5 });
  });
});

describe("setting and reading them", () => {
  it("know only organisations that there are", async () => {
    expect(await failureOf(set({ members: 1 }, randomUUID()))).toMatchObject({ code: Code.NotFound });
    expect(await failureOf(get(randomUUID()))).toMatchObject({ code: Code.NotFound });
  });

  it("are refused to everyone but the operator", async () => {
    const { organisations } = administration.acme;
    const refused = { code: Code.PermissionDenied, reason: "PERMISSION_MISSING" };
    const setting = organisations.setOrganisationQuotas({ organisationId, limits: {} });
    expect(await failureOf(setting)).toMatchObject(refused);
    const reading = organisations.getOrganisationQuotas({ organisationId });
    expect(await failureOf(reading)).toMatchObject(refused);
    expect(await announced()).toEqual([]);
  });

  it.each<[string, bigint]>([
    ["less than nothing", -1n],
    ["more than the maximum", BigInt(maxLimit) + 1n],
  ])("refuse %s, and name the quota", async (_title, limit) => {
    const request = { organisationId, limits: { deployments: limit } };
    expect(await failureOf(administration.operator.organisations.setOrganisationQuotas(request))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [["limits.deployments", expect.any(String)]],
    });
  });
});

describe("the list of all limits, which the other services ask for", () => {
  let quotas: Client<typeof IdentityQuotaService>;
  beforeAll(() => {
    const { grpc: addresses } = administration.rig.service.addresses;
    const transport = createMeshTransport({ addresses, interceptors: [assertedAs("training")] });
    parts.defer(() => transport.close());
    quotas = createClient(IdentityQuotaService, transport);
  });

  it("has every organisation for which something was ever set, page after page", async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => newOrganisation()));
    for (const [index, other] of others.entries()) await set({ runs: index }, other.organisationId);
    await set({ runs: 1 });
    await set({});
    const found: [string, number, QuotaLimits][] = [];
    for (let isLast = false; !isLast; ) {
      const after = found.at(-1)?.[0] ?? "";
      const page = await quotas.listOrganisationQuotas({ after, limit: 2 });
      expect(page.organisations.length).toBeLessThanOrEqual(2);
      for (const each of page.organisations) found.push([each.organisationId, each.revision, limitsFrom(each.limits)]);
      isLast = page.isLast;
    }
    expect(found.map(([id]) => id)).toEqual(found.map(([id]) => id).toSorted());
    expect(found).toContainEqual([organisationId, 2, {}]);
    for (const [index, other] of others.entries()) {
      expect(found).toContainEqual([other.organisationId, 1, { runs: index }]);
    }
  });

  it.each([0, 1_001])("has no pages of %i", async (limit) => {
    expect(await failureOf(quotas.listOrganisationQuotas({ limit }))).toMatchObject({ code: Code.InvalidArgument });
  });
});
