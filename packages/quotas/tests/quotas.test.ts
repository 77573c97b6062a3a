import { randomUUID } from "node:crypto";
import {
  connectDocumentStore,
  type DocumentStore,
  TenantCollection,
  type TenantDocument,
  withTransaction,
} from "@aiplatform/document-store";
import { QuotaExceededError, Quotas } from "@aiplatform/quotas";
import { newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let first: DocumentStore;
let second: DocumentStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("deployments");
  const connect = () => connectDocumentStore({ uri, database, appName: "quota tests" });
  [first, second] = [await connect(), await connect()];
});
afterAll(async () => {
  await first.database.dropDatabase();
  for (const store of [first, second]) await store.close();
});

/** An organisation to which the operator gave a limit of its own. */
const preferred: string = randomUUID();

/** A replica that keeps things of which an organisation may have three. */
function replica(store: DocumentStore) {
  const things = new TenantCollection<TenantDocument>(store, "things");
  const quotas = new Quotas<"deployments">(store, {
    config: { QUOTAS: { deployments: 3 }, ORGANISATION_QUOTAS: new Map([[preferred, { deployments: 5 }]]) },
    usage: { deployments: (organisationId, session) => things.count(organisationId, {}, { session }) },
  });
  const add = (organisationId: string) =>
    withTransaction(store, async (session) => {
      await quotas.admit(organisationId, { deployments: 1 }, session);
      await things.insert(organisationId, { _id: randomUUID(), organisation_id: organisationId }, { session });
    });
  return { things, quotas, add };
}

describe("a quota", () => {
  it("holds for twenty requests at the same time at two replicas", async () => {
    const organisationId = randomUUID();
    const [one, other] = [replica(first), replica(second)];
    const adding = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).add(organisationId));
    const outcomes = await Promise.allSettled(adding);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toHaveLength(17);
    for (const error of refused) expect(error).toBeInstanceOf(QuotaExceededError);
    expect(await one.things.count(organisationId, {})).toBe(3);
    expect(await other.quotas.read(organisationId)).toEqual([{ name: "deployments", limit: 3, used: 3 }]);
  });

  it("that is far away lets requests at the same time through without their waiting for each other", async () => {
    const organisationId = randomUUID();
    const quotas = new Quotas<"deployments">(first, {
      config: { QUOTAS: { deployments: 100 } },
      usage: { deployments: async () => 0 },
    });
    const bothIn = Promise.withResolvers<void>();
    let entered = 0;
    const add = () =>
      withTransaction(first, async (session) => {
        await quotas.admit(organisationId, { deployments: 1 }, session);
        if (++entered === 2) bothIn.resolve();
        await bothIn.promise;
      });
    await Promise.all([add(), add()]);
    expect(entered).toBe(2);
  });

  it("of one organisation leaves another's alone", async () => {
    const [full, other] = [randomUUID(), randomUUID()];
    const { add, quotas } = replica(first);
    for (let count = 0; count < 3; count++) await add(full);
    await expect(add(full)).rejects.toThrow(
      "The organisation has 3 of 3 deployments. Delete one, or ask the operator for a higher quota.",
    );
    await add(other);
    expect(await quotas.read(other)).toEqual([{ name: "deployments", limit: 3, used: 1 }]);
  });

  it("that the operator gave to one organisation holds for it alone", async () => {
    const { add, quotas } = replica(first);
    for (let count = 0; count < 5; count++) await add(preferred);
    await expect(add(preferred)).rejects.toThrow("has 5 of 5 deployments");
    expect(await quotas.read(randomUUID())).toEqual([{ name: "deployments", limit: 3, used: 0 }]);
  });

  it("admits what needs nothing, also over the limit", async () => {
    const quotas = new Quotas<"instance_memory_mb">(first, {
      config: { QUOTAS: { instance_memory_mb: 10 } },
      usage: { instance_memory_mb: async () => 20 },
    });
    const admit = (asked: number) =>
      withTransaction(first, (session) => quotas.admit(randomUUID(), { instance_memory_mb: asked }, session));
    await admit(0);
    await admit(-5);
    await expect(admit(2)).rejects.toThrow("has 20 of 10 MB of memory for instances, and this needs 2 more.");
  });
});
