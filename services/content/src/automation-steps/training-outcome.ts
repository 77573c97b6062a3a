import { TrainingControlCommandStatus } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { type JobRead, JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type JsonRecord, parseJsonObject } from "../json-object.ts";
import { delegatedCall, type StepContext, type StepServices } from "./step-handler.ts";
import { StepFailedError } from "./step-outcome.ts";
import type { EndedOutcome } from "./waiting-step.ts";

/** What a step has begun in training. */
export interface BegunTraining {
  runId: string;
  pipelineId: string;
  jobName: string;
  /** Of a job that was commanded. */
  commandId: string | undefined;
}

/** Actions after which a job goes on as it did, or stands still: the command's own outcome is all there is to wait for. */
const endedByCommand: ReadonlySet<unknown> = new Set(["continue", "pause"]);

/** What a step that waits has kept; undefined for anything else. */
export function begunTrainingOf(state: JsonRecord): BegunTraining | undefined {
  const { runId, pipelineId, jobName, commandId } = state;
  if (typeof runId !== "string" || typeof pipelineId !== "string" || typeof jobName !== "string") return undefined;
  return { runId, pipelineId, jobName, commandId: typeof commandId === "string" ? commandId : undefined };
}

/** What later steps are told of what was begun. */
export function namesOf({ runId, pipelineId, jobName, commandId }: BegunTraining): JsonRecord {
  const named = { run_id: runId, pipeline_id: pipelineId, job_name: jobName };
  return commandId === undefined ? named : { ...named, command_id: commandId };
}

/**
 * How it ended; undefined while it has not.
 * @throws StepFailedError when the command was rejected or the job ended without a result
 */
export async function observeTraining(
  services: StepServices,
  context: StepContext,
  begun: BegunTraining,
): Promise<EndedOutcome | undefined> {
  const { runId, jobName } = begun;
  const isDecided = await assertNotRejected(services, context, begun);
  const { run } = await services.clients.training.runs.getRun({ runId }, delegatedCall(services, context));
  const job = run?.jobs.find((each) => each.job?.name === jobName);
  if (!job) throw new StepFailedError(`The run ${runId} has no job ${jobName}`);
  const isOver = hasEnded(job) || (isDecided && endedByCommand.has(context.fields["action"]));
  if (!isDecided || !isOver) return undefined;
  const wasToEndSo = job.state === JobState.ABORTED && context.fields["action"] === "abort";
  if ((job.state === JobState.FAILED || job.state === JobState.ABORTED) && !wasToEndSo) {
    const why = job.detail === "" ? "" : `: ${job.detail}`;
    throw new StepFailedError(`The job ${jobName} of the run ${runId} ended ${stateName(job)}${why}`);
  }
  return { output: await outputOf(services, context, { begun, job }), label: "completed" };
}

/** Whether there is no command that is still pending. */
async function assertNotRejected(
  services: StepServices,
  context: StepContext,
  { commandId, ...place }: BegunTraining,
): Promise<boolean> {
  if (commandId === undefined) return true;
  const { commands } = services.clients.training;
  const asked = { ...place, commandId };
  const { command } = await commands.getControlCommand(asked, delegatedCall(services, context));
  if (command?.status === TrainingControlCommandStatus.REJECTED) {
    throw new StepFailedError(`The command was rejected: ${command.detail ?? "without a reason"}`);
  }
  return command?.status === TrainingControlCommandStatus.APPLIED;
}

function hasEnded({ state }: JobRead): boolean {
  return state === JobState.COMPLETED || state === JobState.FAILED || state === JobState.ABORTED;
}

async function outputOf(
  services: StepServices,
  context: StepContext,
  { begun, job }: { begun: BegunTraining; job: JobRead },
): Promise<JsonRecord> {
  const { runId, pipelineId, jobName } = begun;
  const { metrics: service } = services.clients.training;
  const asked = { pipelineId, runId, jobName, maxPoints: 0 };
  const { metrics } = await service.getRunMetrics(asked, delegatedCall(services, context));
  const { artifact } = job;
  return {
    ...namesOf(begun),
    job_state: stateName(job),
    metrics: latestOf(metrics?.metrics?.utf8),
    primary_metric: job.job?.primaryMetric ?? "",
    artifact: artifact
      ? {
          uri: artifact.uri,
          sha256: artifact.sha256,
          size_bytes: Number(artifact.sizeBytes),
          format: artifact.format,
          checkpoint_id: artifact.checkpointId ?? null,
        }
      : null,
  };
}

/** `completed` */
function stateName({ state }: JobRead): string {
  return JobState[state].toLowerCase();
}

/** name → {value, …} as name → value. */
function latestOf(json: Uint8Array = new Uint8Array()): JsonRecord {
  const members = parseJsonObject(Buffer.from(json).toString("utf8")) ?? {};
  const pairs = Object.entries(members).map(([name, newest]) => [name, newestValue(newest)]);
  return Object.fromEntries(pairs);
}

function newestValue(newest: unknown): unknown {
  return typeof newest === "object" && newest !== null && "value" in newest ? newest.value : null;
}
