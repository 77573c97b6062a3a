import { ListAllRunsRequestSchema, ListRunsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Page, readBounded, type TenantCollection } from "@aiplatform/document-store";
import { type ListPageRequest, ListQuery, type ListSelection } from "@aiplatform/list-filter";
import { type ExaminedBounds, fillsHalf, nextCount } from "./examined-runs.ts";
import { conditionsOfFew, type FewRunsBounds, type IndexedCondition, type RunScope } from "./few-runs.ts";
import { type RunDocument, sizeOfRun, withoutIndex } from "./run-document.ts";
import { runBindings } from "./run-fields.ts";
import { type RunListStores, type RunOrder, type RunPlace, runOrder } from "./run-order.ts";

/** What a list of runs is of: a pipeline, or everything of the organisation. */
export type RunListName = { pipelineId: string } | "all";

/** How much is read for a page. */
export interface RunListBounds extends FewRunsBounds, ExaminedBounds {}

export const runListBounds: RunListBounds = { few: 1_400, probed: 2_000, sample: 200, examined: 1_000 };

interface RunListRequest {
  list: RunListName;
  request: ListPageRequest & { limit: number };
  bounds: RunListBounds;
}

const ofPipeline = new ListQuery(ListRunsRequestSchema, { bindings: runBindings });
const ofOrganisation = new ListQuery(ListAllRunsRequestSchema, { bindings: runBindings });

const byId = { hint: "_id_" } as const;
/** Runs that are read together: each may be large. */
const maxReadRuns = 128;

/** @throws InvalidListRequestError, InvalidCursorError */
export async function findRuns(
  stores: RunListStores,
  organisationId: string,
  { list, bounds, request: { cursor, limit, ...request } }: RunListRequest,
): Promise<Page<RunDocument>> {
  const selection = (list === "all" ? ofOrganisation : ofPipeline).read(request);
  const pipelineId = list === "all" ? pipelineOf(selection) : list.pipelineId;
  const scope = { organisationId, pipelineId };
  const order = runOrder(stores, scope, selection);
  const found = runsAt({ runs: stores.runs, order, bounds }, { scope, selection, cursor, limit });
  const { items, isLast } = await readBounded(found, { limit, sizeOf: ({ run }) => (run ? sizeOfRun(run) : 0) });
  const last = items.at(-1);
  const isEnd = isLast && last?.run !== undefined;
  return {
    items: items.flatMap(({ run }) => run ?? []),
    nextCursor: last && !isEnd ? selection.cursorAfter(last.place) : "",
  };
}

/** The pipeline whose runs alone a filter finds. */
function pipelineOf(selection: ListSelection): string | undefined {
  const pipelineId = selection.valueOf("pipeline_id");
  return typeof pipelineId === "string" ? pipelineId : undefined;
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

interface Sources {
  runs: TenantCollection<RunDocument>;
  order: RunOrder;
  bounds: RunListBounds;
}

interface WantedRuns {
  scope: RunScope;
  selection: ListSelection;
  cursor: string;
  limit: number;
}

/** A run at its place; without one, the place behind which nothing was looked at. */
interface PlacedRun {
  place: RunPlace;
  run: RunDocument | undefined;
}

/** Runs that the filter finds, in order: among all, or among few where the first ones let expect that all do not fill the page. */
async function* runsAt(sources: Sources, wanted: WantedRuns): AsyncGenerator<PlacedRun> {
  const { order, bounds } = sources;
  const { cursor, selection, limit } = wanted;
  let from = cursor;
  let last: RunPlace | undefined;
  const progress = { examined: 0, found: 0 };
  while (progress.examined < bounds.examined) {
    const count = nextCount(progress, limit, bounds);
    const places = await order.after(from, count);
    const some = await foundAmong(places, sources, wanted);
    const isMore = places.length === count;
    if (!last && isMore && !fillsHalf(some.length, limit, bounds)) {
      const conditions = await conditionsOfFew(sources.runs, wanted.scope, { selection, ...bounds });
      if (conditions) return yield* runsAmong(conditions, sources, wanted);
    }
    yield* readRuns(some, sources, wanted);
    last = places.at(-1);
    if (!isMore || !last) return;
    from = selection.cursorAfter(last);
    progress.examined += count;
    progress.found += some.length;
  }
  if (last) yield { place: last, run: undefined };
}

/** Runs that the filter finds by any of the conditions, one more than the page holds. */
async function* runsAmong(
  conditions: readonly IndexedCondition[],
  sources: Sources,
  wanted: WantedRuns,
): AsyncGenerator<PlacedRun> {
  const { cursor, limit, selection } = wanted;
  const places = new Map<string, RunPlace>();
  for (const condition of conditions) {
    const found = await sources.order.among(condition, cursor, limit + 1);
    for (const place of found) places.set(place.runId, place);
  }
  const first = selection.inOrder([...places.values()]).slice(0, limit + 1);
  yield* readRuns(first, sources, wanted);
  const last = first.at(limit);
  // A run that was deleted meanwhile does not end the list.
  if (last) yield { place: last, run: undefined };
}

async function foundAmong(
  places: readonly RunPlace[],
  { runs }: Sources,
  { scope: { organisationId }, selection: { filter } }: WantedRuns,
): Promise<readonly RunPlace[]> {
  if (Object.keys(filter).length === 0 || places.length === 0) return places;
  const found = await runs.pick(organisationId, { _id: { $in: idsOf(places) }, $and: [filter] }, ["_id"], byId);
  const ids = new Set(found.map(({ _id }) => _id));
  return places.filter(({ runId }) => ids.has(runId));
}

async function* readRuns(
  places: readonly RunPlace[],
  { runs }: Sources,
  { scope: { organisationId }, limit }: WantedRuns,
): AsyncGenerator<PlacedRun> {
  const count = Math.min(maxReadRuns, limit + 1);
  for (let begin = 0; begin < places.length; begin += count) {
    const some = places.slice(begin, begin + count);
    const options = { ...byId, without: withoutIndex, batchSize: count };
    const read = await runs.find(organisationId, { _id: { $in: idsOf(some) } }, options);
    const runOfId = new Map(read.map((run) => [run._id, run]));
    for (const place of some) {
      const run = runOfId.get(place.runId);
      if (run) yield { place, run };
    }
  }
}

function idsOf(places: readonly RunPlace[]): string[] {
  return places.map(({ runId }) => runId);
}
