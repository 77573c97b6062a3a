import { ListAllRunsRequestSchema, ListRunsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Page, readBounded, type TenantCollection } from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, type ListSelection } from "@aiplatform/list-filter";
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

/** @throws InvalidListRequestError, InvalidCursorError */
export async function findRuns(
  stores: RunListStores,
  organisationId: string,
  { list, request }: RunListRequest,
): Promise<Page<RunDocument>> {
  const query = list === "all" ? ofOrganisation : ofPipeline;
  const within = list === "all" ? {} : { pipeline_id: list.pipelineId };
  const selection = query.read(request);
  const page = { list: query, request, without: withoutIndex };
  if (!selection.order?.field.isMap)
    return await findPage(stores.runs, organisationId, { ...page, within, sizeOf: sizeOfRun });
  const found = runsByValue(stores, organisationId, { selection, within, cursor: request.cursor });
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

interface ValueOrder {
  selection: ListSelection;
  within: Readonly<Record<string, unknown>>;
  cursor: string;
}

/** Runs in the order of a value, each with that value; what has none is left out. */
async function* runsByValue(
  { runs, values }: RunListStores,
  organisationId: string,
  { selection, within, cursor }: ValueOrder,
): AsyncGenerator<{ run: RunDocument; value: RunValue }> {
  const { order, sort, filter } = selection;
  const query = {
    key: `${order?.field.path}.${order?.key}`,
    within: { ...within, ...selection.placeAfter(cursor) },
    sort,
  };
  const wanted = { ...within, ...(Object.keys(filter).length === 0 ? {} : { $and: [filter] }) };
  const inOrder = await valuesInOrder({ runs, values }, organisationId, {
    query,
    filter: wanted,
    isFiltered: wanted.$and !== undefined,
  });
  for await (const chunk of chunksOf(inOrder)) {
    const ids = chunk.map(({ run_id }) => run_id);
    const found = await runs.find(organisationId, { ...wanted, _id: { $in: ids } }, byId);
    const runOfId = new Map(found.map((run) => [run._id, run]));
    for (const value of chunk) {
      const run = runOfId.get(value.run_id);
      if (run) yield { run, value };
    }
  }
}

/** Values in order: of the runs that the filter finds where these are few, else of all. */
async function valuesInOrder(
  { runs, values }: RunListStores,
  organisationId: string,
  { query, filter, isFiltered }: { query: RunValueQuery; filter: Record<string, unknown>; isFiltered: boolean },
): Promise<AsyncGenerator<RunValue>> {
  if (!isFiltered) return values.inOrder(organisationId, query);
  const found = await runs.find(organisationId, filter, { only: ["_id"], limit: maxSortedRuns + 1 });
  if (found.length > maxSortedRuns) return values.inOrder(organisationId, query);
  return values.ofRuns(
    organisationId,
    found.map(({ _id }) => _id),
    query,
  );
}

async function* chunksOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < valueBatchSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
