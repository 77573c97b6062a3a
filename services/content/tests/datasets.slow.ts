import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  AutomationService,
  ListAutomationRunsRequestSchema,
  ListAutomationsRequestSchema,
  ListAutomationVersionsRequestSchema,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  DataDictionaryService,
  ListDataDictionaryHistoryRequestSchema,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import {
  ColumnType,
  DatasetService,
  ListDatasetsRequestSchema,
  SampleFormat,
} from "@aiplatform/contract/aiplatform/content/v1/datasets";
import {
  EmailDraftService,
  ListEmailDeliveriesRequestSchema,
  ListEmailDraftsRequestSchema,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import {
  FeatureMemoryService,
  ListFeaturesRequestSchema,
  ListFeatureUsagesRequestSchema,
} from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { Outbox } from "@aiplatform/document-store";
import {
  declaredLists,
  declaredQueries,
  eventually,
  failureOf,
  type ListQueryTexts,
  withoutIndex,
} from "@aiplatform/testkit";
import type { DescMessage } from "@bufbuild/protobuf";
import { type Client, Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
let datasets: Client<typeof DatasetService>;
let dictionaries: Client<typeof DataDictionaryService>;
let globex: Client<typeof DatasetService>;
beforeAll(async () => {
  rig = await ContentRig.start();
  const member = rig.member();
  datasets = member.client(DatasetService);
  dictionaries = member.client(DataDictionaryService);
  globex = rig.member({ organisationId: rig.globex }).client(DatasetService);
});
afterAll(async () => rig[Symbol.asyncDispose]());

const newDataset = async (...columns: string[]) => {
  const { dataset } = await datasets.createDataset({ name: "sales", columns: columns.map((name) => ({ name })) });
  return dataset?.id ?? "";
};
const infer = (datasetId: string, csv: string | Uint8Array, format = SampleFormat.CSV) =>
  datasets.inferDatasetColumns({ datasetId, format, sample: typeof csv === "string" ? Buffer.from(csv) : csv });
const textsOf = async (datasetId: string) => {
  const { entries } = await dictionaries.getDataDictionary({ datasetId });
  return entries.map(({ name, description }) => [name, description]);
};
const eventsOf = async (datasetId: string) => {
  const outbox = rig.store.database.collection(Outbox.indexes.collection);
  const staged = await outbox.find({ entity_id: datasetId }).sort({ _id: 1 }).toArray();
  return staged.map(({ data_schema: name }) => String(name).replace("aiplatform.events.v1.", ""));
};

describe("each filter and order of the lists of content", () => {
  const lists = [
    ["datasets", ListDatasetsRequestSchema, (query: ListQueryTexts) => datasets.listDatasets(query)],
    [
      "automations",
      ListAutomationsRequestSchema,
      (query: ListQueryTexts) => rig.member().client(AutomationService).listAutomations(query),
    ],
    [
      "e-mail drafts",
      ListEmailDraftsRequestSchema,
      (query: ListQueryTexts) => rig.member().client(EmailDraftService).listEmailDrafts(query),
    ],
    [
      "features",
      ListFeaturesRequestSchema,
      (query: ListQueryTexts) => rig.member().client(FeatureMemoryService).listFeatures(query),
    ],
  ] as const;

  it.each(lists)("is answered by an index: %s", async (_name, request, ask) => {
    expect(await withoutIndex(rig.store, declaredQueries(request), ask)).toEqual([]);
  });

  it("is answered by an index, of what belongs to something else", async () => {
    const member = rig.member();
    const [automations, features] = [member.client(AutomationService), member.client(FeatureMemoryService)];
    const datasetId = await newDataset("price");
    const { automation } = await automations.createAutomation({ name: "Retrain" });
    const automationId = automation?.id ?? "";
    await features.putFeature({ featureKey: "churn", description: "d" });
    const ofParents: [DescMessage, (query: ListQueryTexts) => Promise<unknown>][] = [
      [ListAutomationVersionsRequestSchema, (query) => automations.listAutomationVersions({ automationId, ...query })],
      [ListAutomationRunsRequestSchema, (query) => automations.listAutomationRuns({ automationId, ...query })],
      [
        ListDataDictionaryHistoryRequestSchema,
        (query) => dictionaries.listDataDictionaryHistory({ datasetId, ...query }),
      ],
      [ListFeatureUsagesRequestSchema, (query) => features.listFeatureUsages({ featureKey: "churn", ...query })],
    ];
    for (const [request, ask] of ofParents)
      expect(await withoutIndex(rig.store, declaredQueries(request), ask)).toEqual([]);
    // Deliveries need mail: `email-drafts.slow.ts`.
    const known = [
      ListEmailDeliveriesRequestSchema,
      ...lists.map(([, request]) => request),
      ...ofParents.map(([request]) => request),
    ];
    expect(known.map(({ typeName }) => typeName).sort()).toEqual(declaredLists("content").sort());
  });

  it("finds changes of a dictionary by entry and version", async () => {
    const datasetId = await newDataset();
    for (const [name, description] of [
      ["a", "1"],
      ["b", "1"],
      ["a", "2"],
    ] as const)
      await dictionaries.patchDataDictionary({ datasetId, entries: [{ name, description }] });
    const found = async (filter: string, orderBy = "") => {
      const { changes } = await dictionaries.listDataDictionaryHistory({ datasetId, filter, orderBy });
      return changes.map(({ name, description }) => `${name}${description}`);
    };
    expect(await found("name = a")).toEqual(["a2", "a1"]);
    expect(await found("author_member_id:*", "version asc")).toEqual(["a1", "b1", "a2"]);
    expect(await found("version > 1 AND NOT name = a")).toEqual(["b1"]);
  });
});

describe("registering a dataset", () => {
  it("answers it; its columns are entries of its dictionary, without a text", async () => {
    const { dataset } = await datasets.createDataset({
      name: "sales",
      description: "of the year",
      columns: [{ name: "price", type: ColumnType.NUMBER }, { name: "Price" }],
    });
    expect(dataset).toMatchObject({
      organisationId: rig.acme,
      name: "sales",
      description: "of the year",
      columns: [
        { name: "price", type: ColumnType.NUMBER },
        { name: "Price", type: ColumnType.STRING },
      ],
    });
    const datasetId = dataset?.id ?? "";
    expect((await datasets.getDataset({ datasetId: datasetId.toUpperCase() })).dataset).toEqual(dataset);
    expect(await textsOf(datasetId)).toEqual([
      ["price", ""],
      ["Price", ""],
    ]);
    expect(await eventsOf(datasetId)).toEqual(["DatasetCreated"]);
  });

  it("refuses a column that is there already, where it stands", async () => {
    const columns = ["a", "b", "a"].map((name) => ({ name }));
    expect(await failureOf(datasets.createDataset({ name: "sales", columns }))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [["columns[2].name", "NAME_REPEATED"]],
    });
  });

  it("happens once however often it is sent with one key", async () => {
    const request = { name: "once", idempotencyKey: randomUUID() };
    const first = await datasets.createDataset(request);
    expect(await datasets.createDataset(request)).toEqual(first);
    expect(await eventsOf(first.dataset?.id ?? "")).toEqual(["DatasetCreated"]);
  });
});

describe("an organisation with as many datasets as it can have", () => {
  it("registers no more", async () => {
    const organisation_id = randomUUID();
    const known = Array.from({ length: 10_000 }, () => ({ organisation_id }));
    await rig.store.database.collection("datasets").insertMany(known);
    const { createDataset } = rig.member({ organisationId: organisation_id }).client(DatasetService);
    expect(await failureOf(createDataset({ name: "one more" }))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "DATASET_LIMIT",
    });
  });
});

describe("the list of datasets", () => {
  it("is read in pages, by creation, and has no other organisation's", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { dataset } = await globex.createDataset({ name: `d${count}` });
      ids.push(dataset?.id ?? "");
    }
    const read: string[] = [];
    let cursor = "";
    do {
      const page = await globex.listDatasets({ limit: 2, cursor });
      read.push(...page.datasets.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(read).toEqual(ids);
  });

  it("has fewer on a page where they are wide, and loses none", async () => {
    const organisationId = randomUUID();
    const client = rig.member({ organisationId }).client(DatasetService);
    const columns = Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}`.padEnd(200, "x") }));
    for (let count = 0; count < 3; count++) await client.createDataset({ name: `d${count}`, columns });
    const first = await client.listDatasets({});
    const second = await client.listDatasets({ cursor: first.nextCursor });
    expect([first, second].map((page) => page.datasets.map(({ name }) => name))).toEqual([["d0", "d1"], ["d2"]]);
    expect(second.nextCursor).toBe("");
  });
});

describe("reading columns from a sample", () => {
  it("makes them the dataset's: new ones get an entry, entries of others stay", async () => {
    const id = await newDataset("id", "note");
    await dictionaries.patchDataDictionary({ datasetId: id, entries: [{ name: "note", description: "mine" }] });
    const { dataset } = await infer(id, "id,price\n1,2.5\n");
    expect(dataset?.columns).toMatchObject([
      { name: "id", type: ColumnType.INTEGER },
      { name: "price", type: ColumnType.NUMBER },
    ]);
    expect((await datasets.getDataset({ datasetId: id })).dataset).toEqual(dataset);
    expect(await textsOf(id)).toEqual([
      ["id", ""],
      ["note", "mine"],
      ["price", ""],
    ]);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DataDictionaryPatched", "DatasetColumnsInferred"]);
  });

  it("reads Parquet", async () => {
    const id = await newDataset();
    const sample = await readFile(new URL("fixtures/types.parquet", import.meta.url));
    const { dataset } = await infer(id, sample, SampleFormat.PARQUET);
    expect(dataset?.columns).toHaveLength(16);
  });

  it("changes and announces nothing when they are the same", async () => {
    const id = await newDataset();
    const first = await infer(id, "a\n1\n");
    expect(await infer(id, "a\n2\n")).toEqual(first);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DatasetColumnsInferred"]);
  });

  it("does not bring back an entry that a caller deleted, while its column stays", async () => {
    const id = await newDataset("a", "b");
    await dictionaries.deleteDataDictionaryEntry({ datasetId: id, name: "a" });
    await infer(id, "a,b\n1,2\n");
    expect(await textsOf(id)).toEqual([["b", ""]]);
  });

  it("refuses a file that is not what it is said to be, and changes nothing", async () => {
    const id = await newDataset("a");
    for (const call of [
      () => infer(id, "x,x\n"),
      () => infer(id, "a,b\n", SampleFormat.PARQUET),
      () => infer(id, Buffer.of(0xff)),
    ]) {
      expect(await failureOf(call())).toMatchObject({
        code: Code.InvalidArgument,
        fields: [["sample", "SAMPLE_UNREADABLE"]],
      });
    }
    expect(await eventsOf(id)).toEqual(["DatasetCreated"]);
  });

  it("takes a sample of four mebibytes, and no larger one", async () => {
    const id = await newDataset();
    const sample = Buffer.alloc(4 * 1024 * 1024, "a,b\n");
    expect((await infer(id, sample)).dataset?.columns).toHaveLength(2);
    expect(await failureOf(infer(id, Buffer.concat([sample, sample])))).toMatchObject({ code: Code.ResourceExhausted });
    const more = Buffer.concat([sample, Buffer.from("c\n")]);
    expect(await failureOf(infer(id, more))).toMatchObject({ code: Code.InvalidArgument });
  });
});

describe("deleting a dataset", () => {
  it("forgets it, its dictionary and, a moment later, the dictionary's history", async () => {
    const id = await newDataset("a", "b");
    await dictionaries.patchDataDictionary({ datasetId: id, entries: [{ name: "a", description: "text" }] });
    const kept = await newDataset("a");
    expect((await datasets.deleteDataset({ datasetId: id })).dataset?.id).toBe(id);
    for (const call of [
      () => datasets.getDataset({ datasetId: id }),
      () => datasets.deleteDataset({ datasetId: id }),
      () => infer(id, "a\n"),
      () => dictionaries.getDataDictionary({ datasetId: id }),
      () => dictionaries.patchDataDictionary({ datasetId: id, entries: [] }),
      () => dictionaries.listDataDictionaryHistory({ datasetId: id }),
    ]) {
      expect(await failureOf(call())).toMatchObject({ code: Code.NotFound, message: "Not found" });
    }
    const remains = ["dictionary_entries", "dictionary_changes"].map((name) => rig.store.database.collection(name));
    await eventually(async () => {
      const left = await Promise.all(remains.map((each) => each.countDocuments({ dataset_id: id })));
      return left.every((count) => count === 0);
    });
    expect((await dictionaries.listDataDictionaryHistory({ datasetId: kept })).changes).toHaveLength(1);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DataDictionaryPatched", "DatasetDeleted"]);
  });

  it("leaves nothing of a patch that is made at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await newDataset("a");
      const entries = Array.from({ length: 200 }, (_, index) => ({ name: `n${index}`, description: "x" }));
      const ends = await Promise.allSettled([
        dictionaries.patchDataDictionary({ datasetId: id, entries }),
        datasets.deleteDataset({ datasetId: id }),
      ]);
      expect(ends[1].status).toBe("fulfilled");
      const left = await rig.store.database.collection("dictionary_entries").countDocuments({ dataset_id: id });
      expect(left).toBe(0);
    }
  });
});

describe("a dataset of another organisation", () => {
  it("is none, whatever is done with it", async () => {
    const datasetId = await newDataset("a");
    const sample = Buffer.from("broken,broken\n");
    for (const id of [datasetId, randomUUID()]) {
      for (const call of [
        () => globex.getDataset({ datasetId: id }),
        () => globex.deleteDataset({ datasetId: id }),
        () => globex.inferDatasetColumns({ datasetId: id, format: SampleFormat.CSV, sample }),
      ]) {
        expect(await failureOf(call())).toMatchObject({ code: Code.NotFound, message: "Not found", fields: [] });
      }
    }
  });
});

describe("a caller without the permission", () => {
  it("reads with dictionary:read, and writes nothing", async () => {
    const reader = rig.as({ permissions: ["dictionary:read"] }).client(DatasetService);
    expect((await reader.listDatasets({})).datasets).toBeDefined();
    expect(await failureOf(reader.createDataset({ name: "x" }))).toMatchObject({ code: Code.PermissionDenied });
  });
});
