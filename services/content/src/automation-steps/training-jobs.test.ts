import {
  LeaseExpiryPolicy,
  MetricGoal,
  OverrideClass,
  OverrideType,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { describe, expect, it } from "vitest";
import { StepFailedError } from "./step-outcome.ts";
import { withConfiguration, writtenDatasets, writtenJobs } from "./training-jobs.ts";

describe("jobs as a step writes them", () => {
  it("are the contract's, with words in lower case and the configuration as JSON", () => {
    const [job] = writtenJobs([
      {
        name: "mnist",
        primary_metric: "accuracy",
        primary_metric_goal: "maximize",
        lease_expiry_policy: "pause",
        stall_timeout_seconds: 5,
        overrides: [{ key: "learning_rate", type: "number", class: "hot", minimum: 0 }],
        configuration: { planned_steps: 40 },
      },
    ]);
    expect(job).toMatchObject({
      name: "mnist",
      primaryMetric: "accuracy",
      primaryMetricGoal: MetricGoal.MAXIMIZE,
      leaseExpiryPolicy: LeaseExpiryPolicy.PAUSE,
      stallTimeoutSeconds: 5,
      overrides: [{ key: "learning_rate", type: OverrideType.NUMBER, class: OverrideClass.HOT, minimum: 0 }],
    });
    expect(job?.configuration?.text).toBe('{"planned_steps":40}');
  });

  it.each([
    ["no list", "mnist", "jobs: must be a list"],
    ["a list of something else", ["mnist"], "jobs[0]: must be an object"],
    ["a job with a member that there is none of", [{ name: "a" }, { nome: "b" }], "jobs[1]: "],
    ["a job with a goal that there is none of", [{ name: "a", primary_metric_goal: "best" }], "jobs[0]: "],
  ])("are refused when they are %s", (_, written, message) => {
    expect(() => writtenJobs(written)).toThrow(StepFailedError);
    expect(() => writtenJobs(written)).toThrow(message);
  });
});

describe("jobs of an earlier run", () => {
  const earlier = writtenJobs([{ name: "mnist", configuration: { seed: 1, planned_steps: 1_000 } }]);

  it("are run again as they were", () => {
    expect(withConfiguration(earlier, undefined)).toEqual(earlier);
  });

  it("are run with what is to be otherwise, and stay what they were themselves", () => {
    const [again] = withConfiguration(earlier, { planned_steps: 40 });
    expect(again?.configuration?.text).toBe('{"seed":1,"planned_steps":40}');
    expect(earlier[0]?.configuration?.text).toBe('{"seed":1,"planned_steps":1000}');
  });
});

describe("the versions of datasets of a step", () => {
  const reference = { name: "train", dataset_id: "d", version_id: "v" };

  it("are read as the contract has them, and are none where the step names none", () => {
    expect(writtenDatasets([reference])).toMatchObject([{ name: "train", datasetId: "d", versionId: "v" }]);
    expect(writtenDatasets(undefined)).toEqual([]);
  });

  it.each([
    ["no list", reference, "datasets: must be a list"],
    ["an unknown member", [reference, { ...reference, number: 2 }], "datasets[1]: "],
    ["a text that is none", [{ ...reference, name: 7 }], "datasets[0]: "],
  ])("fail the step with their place for %s", (_, written, place) => {
    expect(() => writtenDatasets(written)).toThrow(place);
  });
});
