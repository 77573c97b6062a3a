import { randomUUID } from "node:crypto";
import { connectDocumentStore, createIndexes, type DocumentStore } from "@aiplatform/document-store";
import { newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobState } from "../src/job-log/job-state.ts";
import { declaredValues, documentOf, type RunDocument, valueName } from "../src/runs/run-document.ts";
import type { RunListBounds, RunListName } from "../src/runs/run-list.ts";
import { RunStore } from "../src/runs/run-store.ts";
import { RunValueStore } from "../src/runs/run-value-store.ts";

/** A run as the test knows it. */
interface Made {
  id: string;
  name: string;
  createdAt: number;
  pipelineId: string;
  states: JobState[];
  loss: number | undefined;
  /** Of each job. */
  rates: (number | string)[];
  team: string | undefined;
  isArchived: boolean;
}

/** Numbers that are the same in each run of the test. */
function* numbersFrom(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state;
  }
}
const numbers = numbersFrom(7);
const below = (max: number): number => Math.floor(((numbers.next().value ?? 0) / 2_147_483_648) * max);
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];

const organisationId = randomUUID();
const pipelines = [randomUUID(), randomUUID(), randomUUID()] as const;
const count = 60;
const made: Made[] = Array.from({ length: count }, () => ({
  id: randomUUID(),
  name: `run ${below(12)}`,
  createdAt: 1e12 + below(30),
  pipelineId: oneOf([pipelines[0], pipelines[0], pipelines[0], pipelines[1], pipelines[2]]),
  states: Array.from({ length: below(3) }, () => oneOf<JobState>(["running", "completed", "completed", "failed"])),
  loss: below(5) === 0 ? undefined : below(8) / 8,
  rates: Array.from({ length: below(3) }, () => oneOf<number | string>([0.1, 0.2, 0.3, 0.4, "none"])),
  team: oneOf([undefined, "vision", "speech"]),
  isArchived: below(6) === 0,
}));

function documentFor(run: Made): RunDocument {
  const createdAt = new Date(run.createdAt);
  const jobs = run.rates.map((rate, index) => ({
    ...{ name: `job-${index}`, overrides: [], stallTimeoutSeconds: 1, heartbeatTimeoutSeconds: 1 },
    ...{ leaseExpiryPolicy: "keep" as const, configuration: JSON.stringify({ rate }) },
  }));
  const tags = run.team === undefined ? [] : [{ name: "team", value: run.team }];
  const { id, name, pipelineId } = run;
  const said = { id, name, pipelineId, organisationId, notes: "", parameters: "{}", datasets: [], tags, jobs };
  return {
    ...documentOf({ ...said, createdAt, updatedAt: createdAt }),
    job_states: run.states.map((state, index) => ({ name: `job-${index}`, state, position: 1 })),
    metrics: run.loss === undefined ? [] : [{ key: "loss", value: run.loss }],
    ...(run.isArchived ? { archived_at: createdAt } : {}),
  };
}

type Test = readonly [filter: string, holds: (run: Made) => boolean];

/** What filters ask for, and whether a run has it. */
const comparisons: readonly [Test, ...Test[]] = [
  ["metrics.loss < 0.5", ({ loss }) => loss !== undefined && loss < 0.5],
  ["metrics.loss >= 0.125", ({ loss }) => loss !== undefined && loss >= 0.125],
  ["metrics.loss != 0.25", ({ loss }) => loss !== undefined && loss !== 0.25],
  ["metrics.loss = 0.75", ({ loss }) => loss === 0.75],
  ["metrics:loss", ({ loss }) => loss !== undefined],
  ["configuration.rate <= 0.2", ({ rates }) => rates.some((rate) => typeof rate === "number" && rate <= 0.2)],
  ["configuration.rate > 0.3", ({ rates }) => rates.some((rate) => typeof rate === "number" && rate > 0.3)],
  ["configuration.rate = none", ({ rates }) => rates.includes("none")],
  ["jobs.state = completed", ({ states }) => states.includes("completed")],
  ["jobs.state = running", ({ states }) => states.includes("running")],
  ["jobs.state = queued", () => false],
  ["tags.team = vision", ({ team }) => team === "vision"],
  ["archived_at:*", ({ isArchived }) => isArchived],
  ['name = "run 3"', ({ name }) => name === "run 3"],
  ['name >= "run 5"', ({ name }) => name >= "run 5"],
  ['name < "run 8"', ({ name }) => name < "run 8"],
  ["created_at > 2001-09-09T01:46:40.005Z", ({ createdAt }) => createdAt > 1e12 + 5],
  ["created_at <= 2001-09-09T01:46:40.020Z", ({ createdAt }) => createdAt <= 1e12 + 20],
];

function filterOf(depth: number): Test {
  const kind = depth === 0 ? "comparison" : oneOf(["comparison", "AND", "AND", "OR", "NOT"]);
  if (kind === "comparison") return oneOf(comparisons);
  const [one, other] = [filterOf(depth - 1), filterOf(depth - 1)];
  if (kind === "NOT") return [`NOT (${one[0]})`, (run) => !one[1](run)];
  return [
    `(${one[0]}) ${kind} (${other[0]})`,
    (run) => (kind === "AND" ? one[1](run) && other[1](run) : one[1](run) || other[1](run)),
  ];
}

type Rank = number | string | undefined;
const firstNumber = ({ rates }: Made): Rank => rates.find((rate) => typeof rate === "number");
const orders: readonly (readonly [order: string, rank: (run: Made) => Rank])[] = [
  ["created_at", ({ createdAt }) => createdAt],
  ["name", ({ name }) => name],
  ["metrics.loss", ({ loss }) => loss],
  ["configuration.rate", firstNumber],
];

function inOrder(runs: readonly Made[], rank: (run: Made) => Rank, direction: number): string[] {
  const ranked = runs.flatMap((run) => {
    const value = rank(run);
    return value === undefined ? [] : [{ id: run.id, value }];
  });
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  return ranked
    .sort((one, other) => direction * (compare(one.value, other.value) || compare(one.id, other.id)))
    .map(({ id }) => id);
}

/** Small, so that few runs reach them. */
const bounds: RunListBounds = { few: 6, probed: 10, sample: 4, examined: 15 };

let store: DocumentStore;
let runs: RunStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("training");
  store = await connectDocumentStore({ uri, database, appName: "tests" });
  await createIndexes(store, [RunStore.indexes, RunValueStore.indexes]);
  runs = new RunStore(store, bounds);
  const documents = made.map(documentFor);
  const values = documents.flatMap((run) => [
    ...declaredValues(run, { configuration: [], parameter_values: [], ...run }),
    ...(run.metrics ?? []).map(({ key, value }) => ({ ...valueName(run, `metrics.${key}`), value })),
  ]);
  await store.database.collection<{ _id: string }>("runs").insertMany(documents);
  await store.database.collection<{ _id: string }>("run_values").insertMany(values);
});
afterAll(async () => {
  await store?.database.dropDatabase();
  await store?.close();
});

interface Asked {
  list: RunListName;
  filter: string;
  orderBy: string;
  limit: number;
}

/** Ids on all pages. */
async function idsOf({ list, ...asked }: Asked): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { items, nextCursor } = await runs.list(organisationId, list, { ...asked, cursor });
    ids.push(...items.map(({ id }) => id));
    cursor = nextCursor;
  } while (cursor !== "");
  return ids;
}

const lists: readonly (readonly [name: string, list: RunListName])[] = [
  ["all pipelines", "all"],
  ["a large pipeline", { pipelineId: pipelines[0] }],
  ["a small pipeline", { pipelineId: pipelines[1] }],
];
const everyList = lists.flatMap(([name, list]) => orders.map(([order, rank]) => ({ name, list, order, rank })));

describe.each(everyList)("runs of $name by $order", ({ list, order, rank }) => {
  const ofList = made.filter(({ pipelineId }) => list === "all" || pipelineId === list.pipelineId);

  it("are on their pages exactly those that a filter asks for, in order, whatever the filter", async () => {
    const everything: Test = ["", () => true];
    for (const [filter, holds] of [everything, ...Array.from({ length: 8 }, () => filterOf(2))]) {
      const direction = oneOf([1, -1]);
      const [limit, orderBy] = [oneOf([4, 9, 50]), `${order} ${direction === 1 ? "asc" : "desc"}`];
      const expected = inOrder(ofList.filter(holds), rank, direction);
      const found = await idsOf({ list, filter, orderBy, limit });
      expect(found, `${filter} by ${orderBy}, ${limit} a page`).toEqual(expected);
    }
  });
});

describe("a filter that names a pipeline", () => {
  it("has the runs of that pipeline looked at alone", async () => {
    const [, small] = pipelines;
    const filter = `pipeline_id = ${small} AND NOT jobs.state = failed`;
    const found = made.filter(({ pipelineId, states }) => pipelineId === small && !states.includes("failed"));
    const expected = inOrder(found, ({ loss }) => loss, 1);
    expect(await idsOf({ list: "all", filter, orderBy: "metrics.loss", limit: 50 })).toEqual(expected);
  });
});

describe("a page", () => {
  it("is read within the bounds, whatever the filter, and ends early where these do not fill it", async () => {
    const { database } = store;
    // Each of up to four comparisons is asked for one run more than is few.
    const most = bounds.examined + bounds.probed + 4 + bounds.few;
    let isEarly = false;
    for (let round = 0; round < 25; round++) {
      const [filter] = filterOf(2);
      const orderBy = oneOf(["created_at", "name desc", "metrics.loss desc"]);
      await database.command({ profile: 2, slowms: 0 });
      const { items, nextCursor } = await runs.list(organisationId, "all", { filter, orderBy, limit: 50, cursor: "" });
      await database.command({ profile: 0 });
      const profile = database.collection<{ docsExamined?: number }>("system.profile");
      const reads = await profile.find({ docsExamined: { $gt: 0 } }).toArray();
      await profile.drop();
      const examined = reads.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
      expect(examined, filter).toBeLessThanOrEqual(most + items.length);
      isEarly ||= nextCursor !== "" && items.length < 50;
    }
    expect(isEarly).toBe(true);
  });
});
