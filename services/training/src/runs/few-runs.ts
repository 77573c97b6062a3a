import type { TenantCollection } from "@aiplatform/document-store";
import type { FieldCondition, ListSelection, MongoFilter } from "@aiplatform/list-filter";
import type { RunDocument } from "./run-document.ts";
import { conditionIndexes } from "./run-fields.ts";

/** How much is looked at to find few runs. */
export interface FewRunsBounds {
  /** Runs that are few. */
  few: number;
  /** Runs that all conditions of a filter together may find before another way is taken. */
  probed: number;
}

/** Whose runs are asked for. */
export interface RunScope {
  organisationId: string;
  /** Undefined: of all pipelines. */
  pipelineId: string | undefined;
}

/** A condition, and the index that answers it. */
export interface IndexedCondition {
  filter: MongoFilter;
  hint: string;
}

/**
 * Conditions of which everything that a filter finds satisfies one, where they find few runs, of whatever pipeline. Undefined where each
 * condition of the filter finds many, or no index answers it. What is read to know it has a bound.
 */
export async function conditionsOfFew(
  runs: TenantCollection<RunDocument>,
  { organisationId, pipelineId }: RunScope,
  { selection: { necessary }, few, probed }: FewRunsBounds & { selection: ListSelection },
): Promise<IndexedCondition[] | undefined> {
  const limit = Math.min(few, Math.floor(probed / necessary.flat().length));
  for (const alternatives of necessary) {
    const conditions = alternatives.flatMap((each) => indexedCondition(each, pipelineId) ?? []);
    if (conditions.length < alternatives.length) continue;
    let room = limit;
    for (const { filter, hint } of conditions) {
      if (room >= 0) room -= await runs.count(organisationId, filter, { hint, limit: room + 1 });
    }
    if (room >= 0) return conditions;
  }
  return undefined;
}

function indexedCondition(
  { path, filter }: FieldCondition,
  pipelineId: string | undefined,
): IndexedCondition | undefined {
  const index = conditionIndexes[path];
  if (!index) return undefined;
  if (pipelineId === undefined || index.ofPipeline === undefined) return { filter, hint: index.all };
  return { filter: { $and: [{ pipeline_id: pipelineId }, filter] }, hint: index.ofPipeline };
}
