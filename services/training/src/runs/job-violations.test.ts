import { MetricGoal, TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { jobViolations } from "./job-violations.ts";

type Jobs = Omit<MessageInitShape<typeof TrainingJobSchema>, "$typeName">[];

describe("the jobs of a new run", () => {
  it.each<[string, Jobs, string[]]>([
    ["of different names", [{ name: "a" }, { name: "b" }], []],
    ["with a metric and its goal", [{ name: "a", primaryMetric: "loss", primaryMetricGoal: MetricGoal.MINIMIZE }], []],
    [
      "with one name three times, and another twice",
      ["a", "a", "b", "a", "b"].map((name) => ({ name })),
      ["jobs DUPLICATE_NAME: a is there twice", "jobs DUPLICATE_NAME: b is there twice"],
    ],
    [
      "with several faults",
      [
        { name: "a", primaryMetric: "loss", overrides: [{ key: "k" }, { key: "k" }] },
        { name: "a", primaryMetric: "loss" },
      ],
      [
        "jobs DUPLICATE_NAME: a is there twice",
        "jobs[0].primary_metric_goal REQUIRED: is required with primary_metric",
        "jobs[0].overrides DUPLICATE_NAME: k is there twice",
        "jobs[1].primary_metric_goal REQUIRED: is required with primary_metric",
      ],
    ],
  ])("%s break these rules", (_what, jobs, expected) => {
    const found = jobViolations(jobs.map((job) => create(TrainingJobSchema, job)));
    expect(found.map(({ field, reason, description }) => `${field} ${reason}: ${description}`)).toEqual(expected);
  });
});
