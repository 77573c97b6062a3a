import { randomUUID } from "node:crypto";
import {
  connectDocumentStore,
  createIndexes,
  DeletedOrganisations,
  type DocumentStore,
  withTransaction,
} from "@aiplatform/document-store";
import { OrganisationLimitStore, type QuotaLimits, Quotas } from "@aiplatform/quotas";
import { newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reconcileLimits } from "../src/reconcile-limits.ts";

let store: DocumentStore;
let organisationLimits: OrganisationLimitStore;
let organisationId: string;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("training");
  store = await connectDocumentStore({ uri, database, appName: "quota tests" });
  await createIndexes(store, [OrganisationLimitStore.indexes]);
  organisationLimits = new OrganisationLimitStore(store);
});
afterAll(async () => {
  await store.database.dropDatabase();
  await store.close();
});
beforeEach(() => {
  organisationId = randomUUID();
});

const put = (revision: number, limits: QuotaLimits, id = organisationId) =>
  withTransaction(store, (session) => organisationLimits.put({ organisationId: id, limits, revision }, session));

/** Quotas of a service that knows how much an organisation has. */
const quotasWith = (used: { runs: number; deployments: number }) =>
  new Quotas<"runs" | "deployments">(store, {
    config: { QUOTAS: { runs: 3, deployments: 3 } },
    usage: { runs: async () => used.runs, deployments: async () => used.deployments },
  });

describe("limits that are put for an organisation", () => {
  it("hold from the next admission on, of sums and of counts", async () => {
    const quotas = quotasWith({ runs: 3, deployments: 3 });
    const admit = (asked: { runs?: number; deployments?: number }) =>
      withTransaction(store, (session) => quotas.admit(organisationId, asked, session));
    await expect(admit({ runs: 1 })).rejects.toThrow("has 3 of 3 runs");
    await expect(admit({ deployments: 1 })).rejects.toThrow("has 3 of 3 deployments");
    await put(1, { runs: 4, deployments: 4 });
    await admit({ runs: 1 });
    await admit({ deployments: 1 });
    await put(2, { runs: 1, deployments: 1 });
    await expect(admit({ runs: 1 })).rejects.toThrow("has 4 of 1 runs");
    await expect(admit({ deployments: 1 })).rejects.toThrow("has 3 of 1 deployments");
  });

  it("hold at once for what was far from its limit, where their change is heard", async () => {
    const quotas = new Quotas<"deployments">(store, { config: {}, usage: { deployments: async () => 2 } });
    const admit = () => withTransaction(store, (session) => quotas.admit(organisationId, { deployments: 1 }, session));
    await admit();
    await put(1, { deployments: 2 });
    quotas.limitsChanged(organisationId);
    await expect(admit()).rejects.toThrow("has 2 of 2 deployments");
    await put(2, { deployments: 3 });
    await admit();
  });

  it("are in the list of that organisation alone", async () => {
    await put(1, { runs: 7 });
    const quotas = quotasWith({ runs: 0, deployments: 0 });
    const listed = async (id: string) => (await quotas.read(id)).map(({ name, limit }) => [name, limit]);
    expect(await listed(organisationId)).toEqual([
      ["runs", 7],
      ["deployments", 3],
    ]);
    expect(await listed(randomUUID())).toEqual([
      ["runs", 3],
      ["deployments", 3],
    ]);
  });

  it("are the latest, in whichever order and however often they come", async () => {
    await put(2, { runs: 2 });
    await put(1, { runs: 1 });
    await put(2, { runs: 2 });
    expect(await organisationLimits.find(organisationId)).toEqual({ organisationId, limits: { runs: 2 }, revision: 2 });
    await put(3, {});
    await put(2, { runs: 2 });
    expect(await organisationLimits.find(organisationId)).toEqual({ organisationId, limits: {}, revision: 3 });
  });

  it("leave the sums that are kept beside them", async () => {
    const quotas = quotasWith({ runs: 0, deployments: 0 });
    const admit = () => withTransaction(store, (session) => quotas.admit(organisationId, { runs: 1 }, session));
    await admit();
    await put(1, { runs: 2 });
    await admit();
    expect(await quotas.read(organisationId)).toContainEqual({ name: "runs", limit: 2, used: 2 });
  });
});

describe("reconciling what is known with what identity has", () => {
  beforeEach(() =>
    store.database
      .collection("quotas")
      .deleteMany({})
      .then(() => undefined),
  );

  const quotas = { limitsChanged: () => undefined };
  const isDeleted: Parameters<typeof reconcileLimits>[0]["isDeleted"] = (id, session) =>
    new DeletedOrganisations(store).has(id, session);
  const reconcile = (identity: { revision: number; limits: QuotaLimits; organisationId: string }[]) => {
    const ordered = identity.toSorted((a, b) => (a.organisationId < b.organisationId ? -1 : 1));
    const listActual = async (after: string, limit: number) => {
      const items = ordered.filter((each) => each.organisationId > after);
      return { items: items.slice(0, limit), isLast: items.length <= limit };
    };
    const transaction: Parameters<typeof reconcileLimits>[0]["transaction"] = (work) => withTransaction(store, work);
    return reconcileLimits(
      { organisationLimits, listActual, isDeleted, transaction, quotas },
      new AbortController().signal,
    );
  };
  const known = async () => (await organisationLimits.page("", 10_000)).items;

  it("brings everything that is missing, page after page, and forgets what identity has not", async () => {
    const identity = Array.from({ length: 1_003 }, (_, index) => ({
      organisationId: randomUUID(),
      limits: { runs: index },
      revision: 1 + (index % 3),
    }));
    await put(4, { runs: 1 });
    for (const { organisationId: id, limits, revision } of identity.slice(0, 600)) await put(revision, limits, id);
    await reconcile(identity);
    const ordered = identity.toSorted((a, b) => (a.organisationId < b.organisationId ? -1 : 1));
    expect(await known()).toEqual(ordered);
    expect(await organisationLimits.find(organisationId)).toMatchObject({ limits: {}, revision: 0 });
  });

  it("brings back nothing of an organisation that was deleted here", async () => {
    const tombstones = store.database.collection<{ _id: string }>(DeletedOrganisations.indexes.collection);
    await tombstones.insertOne({ _id: organisationId });
    await reconcile([{ organisationId, limits: { runs: 1 }, revision: 1 }]);
    expect(await known()).toEqual([]);
  });

  it("changes nothing where an event was quicker", async () => {
    await put(1, { runs: 1 });
    const listActual = async () => {
      await put(3, { runs: 3 });
      return { items: [{ organisationId, limits: { runs: 2 }, revision: 2 }], isLast: true };
    };
    const transaction: Parameters<typeof reconcileLimits>[0]["transaction"] = (work) => withTransaction(store, work);
    await reconcileLimits(
      { organisationLimits, listActual, isDeleted, transaction, quotas },
      new AbortController().signal,
    );
    expect(await known()).toEqual([{ organisationId, limits: { runs: 3 }, revision: 3 }]);
  });

  it("goes back to what identity has after it was restored from a backup, and on from there", async () => {
    await put(5, { runs: 5 });
    await reconcile([{ organisationId, limits: { runs: 3 }, revision: 3 }]);
    expect(await known()).toEqual([{ organisationId, limits: { runs: 3 }, revision: 3 }]);
    await put(4, { runs: 4 });
    expect(await known()).toEqual([{ organisationId, limits: { runs: 4 }, revision: 4 }]);
  });
});
