import type { Page } from "@aiplatform/document-store";
import type { IndexedMetric } from "../indexed-values/indexed-values.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { RunIndexStore } from "../run-index/run-index-store.ts";
import { type ReadRunsDependencies, type RunWithJobs, withJobs } from "../runs/read-runs.ts";
import type { Run } from "../runs/run.ts";
import type { RunListName } from "../runs/run-list.ts";
import { experimentNamed } from "./experiment.ts";
import { runFields } from "./search-fields.ts";
import { listFilterOf, listOrderOf } from "./search-filter.ts";

export interface SearchRunsDependencies extends Pick<ReadRunsDependencies, "runs" | "logs"> {
  pipelines: Pick<PipelineStore, "findNamed">;
  index: Pick<RunIndexStore, "metricsOf">;
}

/** Which part of a list: what is not deleted, what is, or both. */
export type ViewType = "ACTIVE_ONLY" | "DELETED_ONLY" | "ALL";

export interface SearchQuery {
  filter: string;
  orderBy: readonly string[];
  viewType: ViewType;
  maxResults: number;
  pageToken: string;
}

/** A run with the metrics that it is found by. */
export interface FoundRun extends RunWithJobs {
  metrics: readonly IndexedMetric[];
}

/** Of a page. */
export const maxPageSize = 1_000;

const views: Readonly<Record<ViewType, readonly string[]>> = {
  ACTIVE_ONLY: ["NOT archived_at:*"],
  DELETED_ONLY: ["archived_at:*"],
  ALL: [],
};

/** The contract lets nothing else pass. */
export function viewOf(viewType: string): ViewType {
  return viewType === "DELETED_ONLY" || viewType === "ALL" ? viewType : "ACTIVE_ONLY";
}

/** What a search asks of a list of ours. @throws MlflowSearchError */
export function listRequestOf(query: SearchQuery, fields: typeof runFields, conditions: readonly string[] = []) {
  const filters = [...conditions, ...views[query.viewType], listFilterOf(query.filter, fields)];
  return {
    filter: filters.filter((each) => each !== "").join(" AND "),
    orderBy: listOrderOf(query.orderBy, fields),
    cursor: query.pageToken,
    limit: Math.min(query.maxResults, maxPageSize),
  };
}

/** A page of the runs of experiments; of those that there are not, none. @throws MlflowSearchError, InvalidListRequestError, InvalidCursorError */
export async function searchRuns(
  { pipelines, runs, logs, index }: SearchRunsDependencies,
  organisationId: string,
  { experimentIds, ...query }: SearchQuery & { experimentIds: readonly string[] },
): Promise<Page<FoundRun>> {
  const ids = await Promise.all(
    experimentIds.map(async (experimentId) => {
      const named = experimentNamed(experimentId);
      return "id" in named ? named.id : (await pipelines.findNamed(organisationId, named.name))?.id;
    }),
  );
  const [first, ...further] = ids.filter((id) => id !== undefined);
  if (first === undefined) return { items: [], nextCursor: "" };
  const list: RunListName = further.length === 0 ? { pipelineId: first } : "all";
  const anyOf = list === "all" ? [`(${[first, ...further].map((id) => `pipeline_id = ${id}`).join(" OR ")})`] : [];
  const found = await firstRuns(runs, organisationId, list, listRequestOf(query, runFields, anyOf));
  const metrics = await index.metricsOf(
    organisationId,
    found.items.map(({ id }) => id),
  );
  const items = await Promise.all(
    found.items.map(async (run) => ({ ...(await withJobs(logs, run)), metrics: metrics.get(run.id) ?? [] })),
  );
  return { items, nextCursor: found.nextCursor };
}

/** Pages that are looked through for the first run. */
const maxEmptyPages = 5;

/** A page, and another one in place of a page that has none of the runs that are found: few clients of MLflow ask for the next. */
async function firstRuns(
  runs: SearchRunsDependencies["runs"],
  organisationId: string,
  list: RunListName,
  request: ReturnType<typeof listRequestOf>,
): Promise<Page<Run>> {
  let found = await runs.list(organisationId, list, request);
  for (let page = 1; page < maxEmptyPages && found.items.length === 0 && found.nextCursor !== ""; page++) {
    found = await runs.list(organisationId, list, { ...request, cursor: found.nextCursor });
  }
  return found;
}
