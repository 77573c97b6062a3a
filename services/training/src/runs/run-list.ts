import { ListAllRunsRequestSchema, ListRunsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Page, readBounded, type TenantCollection } from "@aiplatform/document-store";
import { type ListPageRequest, ListQuery, type ListSelection, type MongoFilter } from "@aiplatform/list-filter";
import { type RunDocument, sizeOfRun, withoutIndex } from "./run-document.ts";
import { type RunValue, type RunValueQuery, type RunValueStore, valueBatchSize } from "./run-value-store.ts";

/** What a list of runs is of: a pipeline, or everything of the organisation. */
export type RunListName = { pipelineId: string } | "all";

interface RunListStores {
  runs: TenantCollection<RunDocument>;
  values: RunValueStore;
}

interface RunListRequest {
  list: RunListName;
  request: ListPageRequest & { limit: number };
}

const bindings = {
  "jobs.state": "job_states.state",
  metrics: { entries: "metrics" },
  configuration: { entries: "configuration" },
  parameters: { entries: "parameter_values" },
  tags: { entries: "tags", keyName: "name" },
};
const ofPipeline = new ListQuery(ListRunsRequestSchema, { bindings });
const ofOrganisation = new ListQuery(ListAllRunsRequestSchema, { bindings });

/** Up to so many runs that a filter finds are put in order themselves; with more, runs are read in order and filtered. */
export const maxSortedRuns = 2_000;
const byId = { hint: "_id_", without: withoutIndex };

/** Indexes that have runs in order. */
const orderIndexes = {
  created_at: { all: "newest", ofPipeline: "of_pipeline" },
  name: { all: "by_name", ofPipeline: "of_pipeline_by_name" },
};

/** @throws InvalidListRequestError, InvalidCursorError */
export async function findRuns(
  stores: RunListStores,
  organisationId: string,
  { list, request }: RunListRequest,
): Promise<Page<RunDocument>> {
  const query = list === "all" ? ofOrganisation : ofPipeline;
  const within = list === "all" ? {} : { pipeline_id: list.pipelineId };
  const selection = query.read(request);
  const wanted = { selection, within, request };
  if (!selection.order?.field.isMap) {
    const found = runsInOrder(stores.runs, organisationId, wanted);
    const { items, isLast } = await readBounded(found, { limit: request.limit, sizeOf: sizeOfRun });
    const last = items.at(-1);
    return { items, nextCursor: last && !isLast ? selection.cursorAfter(last) : "" };
  }
  const found = runsByValue(stores, organisationId, wanted);
  const { items, isLast } = await readBounded(found, { limit: request.limit, sizeOf: ({ run }) => sizeOfRun(run) });
  const last = items.at(-1);
  return {
    items: items.map(({ run }) => run),
    nextCursor: last && !isLast ? selection.cursorAfter(last.value) : "",
  };
}

/** Ids of all runs that the filter finds, newest first, or of the first `limit`. @throws InvalidListRequestError */
export async function findRunIds(
  runs: TenantCollection<RunDocument>,
  organisationId: string,
  { filter, limit }: { filter: string; limit: number },
): Promise<string[]> {
  const selection = ofOrganisation.read({ filter });
  const found = await runs.find(organisationId, selection.filter, { sort: selection.sort, limit, only: ["_id"] });
  return found.map(({ _id }) => _id);
}

interface WantedRuns {
  selection: ListSelection;
  within: MongoFilter;
  request: RunListRequest["request"];
}

/** Runs in the order of their time or name, one more than the page holds. */
async function* runsInOrder(
  runs: TenantCollection<RunDocument>,
  organisationId: string,
  { selection, within, request: { cursor, limit } }: WantedRuns,
): AsyncGenerator<RunDocument> {
  const filter = selection.after(cursor, within);
  const options = { sort: selection.sort, limit: limit + 1, without: withoutIndex };
  if (!isOneComparison(selection)) return yield* runs.each(organisationId, filter, options);
  const few = await fewOf(runs, organisationId, filter, Object.keys(selection.sort));
  if (!few) {
    const { all, ofPipeline } = orderIndexes[selection.order?.field.path === "name" ? "name" : "created_at"];
    return yield* runs.each(organisationId, filter, { ...options, hint: "pipeline_id" in within ? ofPipeline : all });
  }
  for await (const chunk of chunksOf(selection.inOrder(few).slice(0, limit + 1))) {
    const ids = chunk.map(({ _id }) => _id);
    const runOfId = await runsOfIds(runs, organisationId, { _id: { $in: ids } });
    for (const id of ids) yield* present(runOfId.get(id));
  }
}

function isFiltered({ filter }: ListSelection): boolean {
  return Object.keys(filter).length > 0;
}

/**
 * Whether a filter has one comparison, which an index answers. How much that finds depends on its value, and the database would
 * take the plan that was best for another value.
 */
function isOneComparison({ filter }: ListSelection): boolean {
  const names = Object.keys(filter);
  return names.length === 1 && names.every((name) => !name.startsWith("$"));
}

/** What the filter finds, with these members alone, where that is few. Reads no more than it takes to know. */
async function fewOf(
  runs: TenantCollection<RunDocument>,
  organisationId: string,
  filter: MongoFilter,
  members: readonly string[],
): Promise<RunDocument[] | undefined> {
  const only = members.filter((name) => name !== "_id");
  const found = await runs.find(organisationId, filter, { only: ["_id", ...only], limit: maxSortedRuns + 1 });
  return found.length > maxSortedRuns ? undefined : found;
}

async function runsOfIds(
  runs: TenantCollection<RunDocument>,
  organisationId: string,
  filter: MongoFilter,
): Promise<ReadonlyMap<string, RunDocument>> {
  return new Map((await runs.find(organisationId, filter, byId)).map((run) => [run._id, run]));
}

function present<T>(item: T | undefined): T[] {
  return item === undefined ? [] : [item];
}

/** Runs in the order of a value, each with that value; what has none is left out. */
async function* runsByValue(
  { runs, values }: RunListStores,
  organisationId: string,
  wanted: WantedRuns,
): AsyncGenerator<{ run: RunDocument; value: RunValue }> {
  const { selection, within } = wanted;
  const filter = { ...within, ...(isFiltered(selection) ? { $and: [selection.filter] } : {}) };
  const inOrder = await valuesInOrder({ runs, values }, organisationId, { ...wanted, filter });
  for await (const chunk of chunksOf(inOrder)) {
    const ids = chunk.map(({ run_id }) => run_id);
    const runOfId = await runsOfIds(runs, organisationId, { ...filter, _id: { $in: ids } });
    for (const value of chunk) for (const run of present(runOfId.get(value.run_id))) yield { run, value };
  }
}

/** Values in order: of the runs that the filter finds where these are few, else of all. */
async function valuesInOrder(
  { runs, values }: RunListStores,
  organisationId: string,
  { selection, within, request, filter }: WantedRuns & { filter: MongoFilter },
): Promise<AsyncGenerator<RunValue>> {
  const { order, sort } = selection;
  const place = { ...within, ...selection.placeAfter(request.cursor) };
  const query: RunValueQuery = { key: `${order?.field.path}.${order?.key}`, within: place, sort };
  const few = isFiltered(selection) ? await fewOf(runs, organisationId, filter, []) : undefined;
  if (!few) return values.inOrder(organisationId, query);
  const ids = few.map(({ _id }) => _id);
  return values.ofRuns(organisationId, ids, query);
}

async function* chunksOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < valueBatchSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
