import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunDatasetReferenceSchema, type TrainingJob } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { FieldViolation } from "@aiplatform/service-host";
import type { JsonRecord } from "../../json-object.ts";
import { idField, idIn, idsIn, missingFields, notExactlyOne, textIn } from "../step-fields.ts";
import { delegatedCall, type StepContext, type StepHandler, type StepServices } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";
import { withConfiguration, writtenDatasets, writtenJobs } from "../training-jobs.ts";
import { type BegunTraining, begunTrainingOf, namesOf, observeTraining } from "../training-outcome.ts";
import { beginsOnce } from "../waiting-step.ts";
import { unknownMembers } from "../written-messages.ts";

/** What a step can do to a job besides starting a run of its own. */
const actions = {
  continue: TrainingControlAction.CONTINUE,
  pause: TrainingControlAction.PAUSE,
  resume: TrainingControlAction.RESUME,
  rollback: TrainingControlAction.ROLLBACK,
  warm_restart: TrainingControlAction.WARM_RESTART,
  finish_from_checkpoint: TrainingControlAction.FINISH_FROM_CHECKPOINT,
  abort: TrainingControlAction.ABORT,
} as const;

/** Starts a run of a pipeline, or commands a job; once. Waits for how that ends unless it is not to. */
export const train: StepHandler = {
  fields: {
    action: { kind: "word", required: true, oneOf: ["start_run", ...Object.keys(actions)] },
    pipeline_id: idField,
    run_id: idField,
    from_run_id: idField,
    job_name: idField,
    name: { kind: "text", maxLength: 1_000 },
    jobs: { kind: "json" },
    configuration: { kind: "json" },
    datasets: { kind: "json" },
    checkpoint_id: idField,
    runtime_overrides: { kind: "json" },
    wait: { kind: "flag" },
  },
  check: (fields, place) =>
    fields["action"] === "start_run" ? startProblems(fields, place) : missingFields(fields, place, ["run_id"]),
  permissions: ({ action, datasets }) => {
    if (action !== "start_run") return ["metrics:read", "training:command"];
    return ["metrics:read", "training:write", ...(datasets === undefined ? [] : ["data:read"])];
  },
  datasetIds: ({ datasets }) => idsIn([datasets], "dataset_id"),
  execute: beginsOnce({
    kept: begunTrainingOf,
    begin,
    observe: observeTraining,
    waitsFor: ({ runId }) => runId,
    named: namesOf,
  }),
};

function startProblems(fields: JsonRecord, place: string): FieldViolation[] {
  const problems = [
    ...notExactlyOne(fields, place, ["from_run_id", "jobs"]),
    ...unknownMembers(RunDatasetReferenceSchema, fields["datasets"], `${place}.datasets`),
  ];
  const isPlaced = fields["from_run_id"] !== undefined || fields["pipeline_id"] !== undefined;
  return isPlaced ? problems : [...problems, ...missingFields(fields, place, ["pipeline_id"])];
}

function begin(services: StepServices, context: StepContext): Promise<BegunTraining> {
  return context.fields["action"] === "start_run" ? startRun(services, context) : command(services, context);
}

async function startRun(services: StepServices, context: StepContext): Promise<BegunTraining> {
  const { fields, effectId, automationName } = context;
  const { runs } = services.clients.training;
  const call = delegatedCall(services, context);
  const fromRunId = idIn(fields, "from_run_id");
  const { run: earlier } = fromRunId ? await runs.getRun({ runId: fromRunId }, call) : {};
  const declared = earlier ? declarationsOf(earlier) : writtenJobs(fields["jobs"]);
  const jobs = withConfiguration(declared, fields["configuration"]);
  const pipelineId = idIn(fields, "pipeline_id") ?? earlier?.pipelineId ?? "";
  const name = (textIn(fields, "name") ?? automationName).slice(0, 255);
  const datasets = writtenDatasets(fields["datasets"]);
  const { run } = await runs.createRun({ pipelineId, name, jobs, datasets, idempotencyKey: effectId }, call);
  const jobName = textIn(fields, "job_name") ?? jobs[0]?.name ?? "";
  if (!jobs.some((job) => job.name === jobName)) throw new StepFailedError(`The run has no job ${jobName}`);
  return { runId: run?.id ?? "", pipelineId, jobName, commandId: undefined };
}

function declarationsOf({ jobs }: { jobs: readonly { job?: TrainingJob | undefined }[] }): TrainingJob[] {
  return jobs.flatMap(({ job }) => (job ? [job] : []));
}

async function command(services: StepServices, context: StepContext): Promise<BegunTraining> {
  const { fields, effectId } = context;
  const { runs, commands } = services.clients.training;
  const call = delegatedCall(services, context);
  const runId = idIn(fields, "run_id") ?? "";
  const { run } = await runs.getRun({ runId }, call);
  const pipelineId = idIn(fields, "pipeline_id") ?? run?.pipelineId ?? "";
  const jobName = textIn(fields, "job_name") ?? run?.jobs[0]?.job?.name ?? "";
  const checkpointId = idIn(fields, "checkpoint_id");
  const overrides = fields["runtime_overrides"];
  const { command } = await commands.createTrainingControlCommand(
    {
      pipelineId,
      runId,
      jobName,
      action: actionOf(fields["action"]),
      idempotencyKey: effectId,
      ...(checkpointId === undefined ? {} : { checkpointId }),
      ...(overrides === undefined ? {} : { runtimeOverrides: { text: JSON.stringify(overrides) } }),
    },
    call,
  );
  return { runId, pipelineId, jobName, commandId: command?.id ?? "" };
}

function actionOf(word: unknown): TrainingControlAction {
  const found = Object.entries(actions).find(([name]) => name === word);
  if (!found) throw new StepFailedError(`action: ${String(word)} is not an action`);
  return found[1];
}
