import { ListAllRunsRequestSchema, ListRunsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { listDeclaration } from "@aiplatform/transcoder";
import { describe, expect, it } from "vitest";
import { conditionIndexes, orderIndexes, valueMembers } from "./run-fields.ts";
import { RunStore } from "./run-store.ts";

const keysOf = (index: string | undefined) =>
  Object.keys(RunStore.indexes.indexes.find(({ name }) => name === index)?.key ?? {});
const fields = [ListAllRunsRequestSchema, ListRunsRequestSchema].flatMap(
  (request) => listDeclaration(request)?.fields ?? [],
);
const pathsOf = (some: typeof fields) => [...new Set(some.map(({ path }) => path))].sort();
/** Where runs have fields elsewhere. */
const stored: Record<string, string> = { "jobs.state": "job_states.state", parameters: "parameter_values" };

describe("each field that runs are found by", () => {
  it("has an index, and nothing else has", () => {
    expect(Object.keys(conditionIndexes).sort()).toEqual(pathsOf(fields));
  });

  it.each(Object.entries(conditionIndexes))("stands behind the organisation in it: %s", (path, { all, ofPipeline }) => {
    const field = expect.stringMatching(`^${stored[path] ?? path}(\\.key|\\.name)?$`);
    expect(keysOf(all).slice(0, 2)).toEqual(["organisation_id", field]);
    if (ofPipeline) expect(keysOf(ofPipeline).slice(0, 3)).toEqual(["organisation_id", "pipeline_id", field]);
  });
});

describe("each field that orders runs", () => {
  const sortable = fields.filter(({ isSortable }) => isSortable);

  it("has an index, or members of runs whose values are in one", () => {
    expect(Object.keys(orderIndexes).sort()).toEqual(pathsOf(sortable.filter(({ isMap }) => !isMap)));
    expect(Object.keys(valueMembers).sort()).toEqual(pathsOf(sortable.filter(({ isMap }) => isMap)));
  });

  it.each(Object.entries(orderIndexes))("stands behind the organisation in it: %s", (path, { all, ofPipeline }) => {
    expect(keysOf(all)).toEqual(["organisation_id", path, "_id"]);
    expect(keysOf(ofPipeline)).toEqual(["organisation_id", "pipeline_id", path, "_id"]);
  });
});
