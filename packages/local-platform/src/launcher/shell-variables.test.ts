import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { shellVariables } from "./shell-variables.ts";

const description = {
  gateway: "http://127.0.0.1:8080",
  grpc: {
    identity: "127.0.0.1:50051",
    training: "127.0.0.1:50052",
    content: "127.0.0.1:50054",
    deployments: "127.0.0.1:50055",
    data: "127.0.0.1:50056",
  },
  organisation_id: "organisation",
  pipeline_id: "pipeline",
  run_id: "run",
  job_name: 'it\'s a $(job) "name" `here` \\',
  dataset_id: "dataset",
  automation_id: "automation",
  draft_id: "draft",
  feature_key: "feature's key",
  model_id: "model",
  api_key: "key",
  bearer: "token",
  mail: "http://127.0.0.1:8025",
  foreign: { api_key: "other key", bearer: "other token", pipeline_id: "", run_id: "" },
};

describe("the variables for a shell", () => {
  it.each([
    ["GATEWAY", description.gateway],
    ["PLATFORM_URL", description.gateway],
    ["TRAINING", "127.0.0.1:50052"],
    ["KEY", "key"],
    ["PLATFORM_API_KEY", "key"],
    ["TOKEN", "token"],
    ["PIPELINE", "pipeline"],
    ["RUN", "run"],
    ["JOB", description.job_name],
    ["DATASET", "dataset"],
    ["AUTOMATION", "automation"],
    ["DRAFT", "draft"],
    ["FEATURE", "feature's key"],
    ["MODEL", "model"],
    ["MAIL", "http://127.0.0.1:8025"],
    ["OTHER_KEY", "other key"],
  ])("make %s what it is, whatever is in it, also for the programs that the shell starts", (name, value) => {
    const script = `${shellVariables(description)}printenv ${name} | head -c -1`;
    expect(execFileSync("bash", ["-euc", script], { encoding: "utf8" })).toBe(value);
  });
});
