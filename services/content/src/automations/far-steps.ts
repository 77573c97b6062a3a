import type { FieldViolation } from "@aiplatform/service-host";
import type { Members } from "../json-object.ts";
import type { StepKind } from "./step-kinds.ts";

/** Characters of an id, or of a template that makes one. */
const longestId = 255;
const id = { kind: "text", longest: longestId } as const;

/** What a training step can do: start a run, or one of operation 1's actions. */
const trainingActions = [
  "start_run",
  "continue",
  "pause",
  "resume",
  "rollback",
  "warm_restart",
  "finish_from_checkpoint",
  "abort",
] as const;

/** Starts a run of a pipeline, or commands a job, and waits for how that ends. */
export const trainKind = {
  members: {
    action: { kind: "word", required: true, oneOf: trainingActions },
    pipeline_id: id,
    run_id: id,
    from_run_id: id,
    job_name: id,
    name: { kind: "text", longest: 1_000 },
    jobs: { kind: "json" },
    configuration: { kind: "json" },
    checkpoint_id: id,
    runtime_overrides: { kind: "json" },
    wait: { kind: "flag" },
  },
  check: (members, field) =>
    members["action"] === "start_run" ? startProblems(members, field) : lacking(members, field, ["run_id"]),
  permissions: ({ action }) =>
    action === "start_run" ? ["metrics:read", "training:write"] : ["metrics:read", "training:command"],
} as const satisfies StepKind;

/** Deploys a model, or begins a rollout of a deployment, and waits for how that ends. */
export const deployKind = {
  members: { model_id: id, deployment_id: id, model_version_id: id, wait: { kind: "flag" } },
  check: (members, field) => oneOf(members, field, ["model_id", "deployment_id"]),
  permissions: () => ["deployments:read", "deployments:write"],
} as const satisfies StepKind;

function startProblems(members: Members, field: string): FieldViolation[] {
  const problems = oneOf(members, field, ["from_run_id", "jobs"]);
  const isPlaced = members["from_run_id"] !== undefined || members["pipeline_id"] !== undefined;
  return isPlaced ? problems : [...problems, ...lacking(members, field, ["pipeline_id"])];
}

function lacking(members: Members, field: string, names: readonly string[]): FieldViolation[] {
  return names
    .filter((name) => members[name] === undefined)
    .map((name) => ({ field: `${field}.${name}`, reason: "MISSING", description: "Field required" }));
}

/** Exactly one of the two says what to do. */
function oneOf(members: Members, field: string, [one, other]: readonly [string, string]): FieldViolation[] {
  const given = [one, other].filter((name) => members[name] !== undefined);
  if (given.length === 1) return [];
  const description = `Value error, give ${one} or ${other}, and not both`;
  return [{ field: `${field}.${given.length === 0 ? one : other}`, reason: "VALUE_ERROR", description }];
}
