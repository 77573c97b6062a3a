import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import type { TrainingJob } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type StepContext, type StepDependencies, StepFailedError, type StepWork } from "../step.ts";
import { delegatedCall } from "./delegated-call.ts";
import { type BegunTraining, begunTrainingOf, lookAtTraining } from "./training-end.ts";
import { withConfiguration, writtenJobs } from "./training-jobs.ts";

/** Starts a run of a pipeline, or commands a job; once. Waits for how that ends unless it is not to. */
export const train: StepWork = async (dependencies, context) => {
  const { members, state } = context;
  const known = state && begunTrainingOf(state);
  if (known) return await lookAtTraining(dependencies, context, known);
  const begun = await begin(dependencies, context);
  const { runId, pipelineId, jobName, commandId } = begun;
  const named = { run_id: runId, pipeline_id: pipelineId, job_name: jobName };
  const output = commandId === undefined ? named : { ...named, command_id: commandId };
  if (members["wait"] === false) return { output };
  // What was begun is kept before anything is asked of it.
  return { waitsFor: runId, state: { ...begun }, lookAgainMs: 0 };
};

function begin(dependencies: StepDependencies, context: StepContext): Promise<BegunTraining> {
  return context.members["action"] === "start_run" ? startRun(dependencies, context) : command(dependencies, context);
}

async function startRun(dependencies: StepDependencies, context: StepContext): Promise<BegunTraining> {
  const { members, effectId, automationName } = context;
  const { runs } = dependencies.peers.training;
  const call = delegatedCall(dependencies, context);
  const fromRunId = idOf(members, "from_run_id");
  const { run: earlier } = fromRunId ? await runs.getRun({ runId: fromRunId }, call) : {};
  const declared = earlier ? declarationsOf(earlier) : writtenJobs(members["jobs"]);
  const jobs = withConfiguration(declared, members["configuration"]);
  const pipelineId = idOf(members, "pipeline_id") ?? earlier?.pipelineId ?? "";
  const name = (textOf(members, "name") ?? automationName).slice(0, 255);
  const { run } = await runs.createRun({ pipelineId, name, jobs, idempotencyKey: effectId }, call);
  const jobName = textOf(members, "job_name") ?? jobs[0]?.name ?? "";
  if (!jobs.some((job) => job.name === jobName)) throw new StepFailedError(`The run has no job ${jobName}`);
  return { runId: run?.id ?? "", pipelineId, jobName, commandId: undefined };
}

function declarationsOf({ jobs }: { jobs: readonly { job?: TrainingJob | undefined }[] }): TrainingJob[] {
  return jobs.flatMap(({ job }) => (job ? [job] : []));
}

const actions = {
  continue: TrainingControlAction.CONTINUE,
  pause: TrainingControlAction.PAUSE,
  resume: TrainingControlAction.RESUME,
  rollback: TrainingControlAction.ROLLBACK,
  warm_restart: TrainingControlAction.WARM_RESTART,
  finish_from_checkpoint: TrainingControlAction.FINISH_FROM_CHECKPOINT,
  abort: TrainingControlAction.ABORT,
} as const;

async function command(dependencies: StepDependencies, context: StepContext): Promise<BegunTraining> {
  const { members, effectId } = context;
  const { runs, commands } = dependencies.peers.training;
  const call = delegatedCall(dependencies, context);
  const runId = idOf(members, "run_id") ?? "";
  const { run } = await runs.getRun({ runId }, call);
  const pipelineId = idOf(members, "pipeline_id") ?? run?.pipelineId ?? "";
  const jobName = textOf(members, "job_name") ?? run?.jobs[0]?.job?.name ?? "";
  const checkpointId = idOf(members, "checkpoint_id");
  const overrides = members["runtime_overrides"];
  const { command } = await commands.createTrainingControlCommand(
    {
      pipelineId,
      runId,
      jobName,
      action: actionOf(members["action"]),
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
  if (!found) throw new StepFailedError(`action: ${String(word)} is none`);
  return found[1];
}

function textOf(members: StepContext["members"], name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function idOf(members: StepContext["members"], name: string): string | undefined {
  return textOf(members, name)?.toLowerCase();
}
