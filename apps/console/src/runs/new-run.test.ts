import { describe, expect, it } from "vitest";
import { bestOf } from "./best-value.ts";
import { type RunForm, readRunForm } from "./new-run.ts";
import { readRunsSearch } from "./runs-search.ts";
import { sparklineBatches } from "./sparkline-batches.ts";

const form: RunForm = {
  name: " first ",
  jobName: "train",
  primaryMetric: "loss",
  goal: "minimize",
  configuration: '{"rate": 0.1}',
  tags: "team=vision, stage = trial",
  copied: [],
  datasets: [],
};
const declared = {
  name: "fit",
  overrides: [],
  primary_metric: "accuracy",
  primary_metric_goal: "maximize",
  stall_timeout_seconds: 60,
  heartbeat_timeout_seconds: 30,
  lease_expiry_policy: "keep",
  configuration: { rate: 1 },
} as const;

describe("the form of a new run", () => {
  it("makes a run of one job", () => {
    expect(readRunForm(form)).toEqual({
      body: {
        name: "first",
        datasets: [],
        tags: { team: "vision", stage: "trial" },
        jobs: [
          { name: "train", primary_metric: "loss", primary_metric_goal: "minimize", configuration: { rate: 0.1 } },
        ],
      },
    });
  });

  it("makes a job without a primary metric where none is named", () => {
    expect(readRunForm({ ...form, primaryMetric: "" })).toMatchObject({
      body: { jobs: [{ name: "train", configuration: { rate: 0.1 } }] },
    });
  });

  it("keeps the jobs of the run that is copied, the first with another configuration", () => {
    const job = { ...declared, overrides: [] };
    const copied = [{ job, state: "failed", last_sequence: 0, position: 0, artifact: null, detail: "" }] as const;
    const reading = readRunForm({ ...form, copied: [...copied] });
    expect(reading).toMatchObject({ body: { jobs: [{ ...declared, configuration: { rate: 0.1 } }] } });
  });

  it("reads the versions of datasets that the run reads that is copied", () => {
    const named = { name: "train", dataset_id: "d", version_id: "v" };
    const read = { ...named, number: 2, content_sha256: "ab", row_count: 3 };
    expect(readRunForm({ ...form, datasets: [read] })).toMatchObject({ body: { datasets: [named] } });
  });

  it.each([
    [{ name: " " }, ["name"]],
    [{ jobName: "" }, ["jobName"]],
    [{ configuration: "[1]" }, ["configuration"]],
    [{ configuration: "{" }, ["configuration"]],
    [{ tags: "vision" }, ["tags"]],
    [{ name: "", tags: "=x" }, ["name", "tags"]],
  ])("says what is wrong: %o", (change, fields) => {
    const reading = readRunForm({ ...form, ...change });
    expect("problems" in reading && Object.keys(reading.problems)).toEqual(fields);
  });
});

describe("the best of some values", () => {
  it.each([
    [[1, 3, 2], "maximize", 3],
    [[1, 3, 2], "minimize", 1],
    [[Number.NaN, 3], "minimize", 3],
    [[Number.NaN], "maximize", Number.NaN],
  ] as const)("of %o to %s is %d", (values, goal, best) => {
    expect(bestOf(values, goal)).toBe(best);
  });
});

describe("the small curves of a list", () => {
  const runOf = (id: string, metric: string) => ({
    id,
    pipeline_id: "p",
    name: id,
    tags: {},
    notes: "",
    parameters: {},
    datasets: [],
    created_at: null,
    updated_at: "",
    archived_at: null,
    jobs: [
      {
        job: { ...declared, overrides: [], primary_metric: metric },
        state: "running" as const,
        last_sequence: 0,
        position: 0,
        artifact: null,
        detail: "",
      },
    ],
  });

  it("are read ten at a time, those of one metric together, and not where there is no metric", () => {
    const runs = [
      ...Array.from({ length: 12 }, (_, index) => runOf(`a${index}`, "loss")),
      runOf("b", "f1"),
      runOf("c", ""),
    ];
    const batches = sparklineBatches(runs);
    expect(batches.map(({ metric, runIds }) => [metric, runIds.length])).toEqual([
      ["loss", 10],
      ["loss", 2],
      ["f1", 1],
    ]);
  });
});

describe("the address of the list of runs", () => {
  it("leaves out what is empty or no text", () => {
    expect(readRunsSearch({ filter: "tags:team", order: "", copy: 7, other: "x" })).toEqual({ filter: "tags:team" });
  });
});
