import type { PickOptions, TenantCollection } from "@aiplatform/document-store";
import type { ListOrder, ListSelection, MongoFilter } from "@aiplatform/list-filter";
import type { IndexedCondition, RunScope } from "./few-runs.ts";
import type { RunDocument } from "./run-document.ts";
import { orderIndexes, valueMembers } from "./run-fields.ts";
import { type PlacedValue, type RunValueStore, runIdOf, runValueIdExpression } from "./run-value-store.ts";

/** Where the runs are, and the numbers by which they are ordered. */
export interface RunListStores {
  runs: TenantCollection<RunDocument>;
  values: RunValueStore;
}

/** Where a run stands in an order; has the members by which it is ordered, too, so that a cursor can be made of it. */
export interface RunPlace {
  runId: string;
}

/** An order of runs. What has no value to be ordered by has no place in it. */
export interface RunOrder {
  /** The first places behind a cursor, from an index; of runs that the filter does not find, too. @throws InvalidCursorError */
  after(cursor: string, limit: number): Promise<RunPlace[]>;
  /** The first places behind a cursor of runs that the filter finds, found by a condition. @throws InvalidCursorError */
  among(condition: IndexedCondition, cursor: string, limit: number): Promise<RunPlace[]>;
}

/** The order that is asked for. */
export function runOrder(stores: RunListStores, scope: RunScope, selection: ListSelection): RunOrder {
  const { order } = selection;
  return order?.field.isMap ? orderByValue(stores, scope, { selection, order }) : orderOfRuns(stores, scope, selection);
}

function orderOfRuns(
  { runs }: RunListStores,
  { organisationId, pipelineId }: RunScope,
  selection: ListSelection,
): RunOrder {
  const path = selection.order?.field.path === "name" ? "name" : "created_at";
  const indexes = orderIndexes[path];
  const [within, hint] =
    pipelineId === undefined ? [{}, indexes.all] : [{ pipeline_id: pipelineId }, indexes.ofPipeline];
  const { sort, filter } = selection;
  const places = async (condition: MongoFilter, options: PickOptions) => {
    const found = await runs.pick(organisationId, { ...within, $and: [condition] }, ["_id", path], {
      ...options,
      sort,
    });
    return found.map((run) => ({ ...run, runId: run._id }));
  };
  return {
    after: (cursor, limit) => places(selection.rangeAfter(cursor), { hint, limit }),
    among: (condition, cursor, limit) =>
      places({ $and: [condition.filter, filter, selection.rangeAfter(cursor)] }, { hint: condition.hint, limit }),
  };
}

function orderByValue(
  { runs, values }: RunListStores,
  { organisationId, pipelineId }: RunScope,
  { selection, order }: { selection: ListSelection; order: ListOrder },
): RunOrder {
  const key = `${order.field.path}.${order.key}`;
  const { sort, filter } = selection;
  const within = pipelineId === undefined ? {} : { pipeline_id: pipelineId };
  const placeOf = (value: PlacedValue): RunPlace => ({ ...value, runId: runIdOf(value) });
  return {
    async after(cursor, limit) {
      const range = selection.rangeAfter(cursor);
      return (await values.first(organisationId, limit, { key, pipelineId, range, sort })).map(placeOf);
    },
    async among(condition, cursor, limit) {
      const stages = [
        {
          $project: {
            _id: runValueIdExpression(key),
            value: firstNumber(`$${valueMembers[order.field.path]}`, order.key),
          },
        },
        { $match: { $and: [{ value: { $type: "number" } }, selection.rangeAfter(cursor)] } },
        { $sort: sort },
        { $limit: limit },
      ];
      const found = { ...within, $and: [condition.filter, filter] };
      return (await runs.aggregate<PlacedValue>(organisationId, found, stages, { hint: condition.hint })).map(placeOf);
    },
  };
}

/** The value that a run has of its own at a place in an order: as `run_values` has it. */
function firstNumber(entries: string, key: string): object {
  const cond = { $and: [{ $eq: ["$$this.key", { $literal: key }] }, { $isNumber: "$$this.value" }] };
  return { $first: { $map: { input: { $filter: { input: entries, cond } }, in: "$$this.value" } } };
}
