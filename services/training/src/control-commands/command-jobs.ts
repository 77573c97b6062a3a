import { type JobAddress, JobNotFoundError } from "../runs/job-directory.ts";
import { CommandKeyReusedError, type ControlCommand } from "./control-command.ts";
import {
  type CreateControlCommandDependencies,
  createControlCommand,
  type NewCommandRequest,
} from "./create-control-command.ts";
import { type CommandPreview, type PreviewDependencies, previewControlCommand } from "./preview-control-command.ts";

export type CommandJobsDependencies = CreateControlCommandDependencies & PreviewDependencies;

export interface JobsCommand extends Omit<NewCommandRequest, "address" | "proof"> {
  jobs: readonly JobAddress[];
  dryRun: boolean;
}

/** What became of the command in one job. */
export type JobOutcome = { runId: string; jobName: string } & (
  | { command: ControlCommand }
  | { preview: CommandPreview }
  | { code: "not_found" | "idempotency_key_reused"; detail: string }
);

/** Jobs that are decided on at once. */
const concurrency = 8;

/**
 * Sends a command to many jobs, or says what it would lead to. What hinders one job does not hinder the others; a failure of the
 * store ends all of it, and the request can be repeated.
 */
export async function commandJobs(
  dependencies: CommandJobsDependencies,
  organisationId: string,
  wanted: JobsCommand,
): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (let from = 0; from < wanted.jobs.length; from += concurrency) {
    const some = wanted.jobs.slice(from, from + concurrency);
    outcomes.push(...(await Promise.all(some.map((job) => commandJob(dependencies, organisationId, job, wanted)))));
  }
  return outcomes;
}

async function commandJob(
  dependencies: CommandJobsDependencies,
  organisationId: string,
  address: JobAddress,
  { jobs: _jobs, dryRun, ...request }: JobsCommand,
): Promise<JobOutcome> {
  const { runId, jobName: named = "" } = address;
  const found = await dependencies.directory.find(organisationId, address);
  if (!found) return { runId, jobName: named, code: "not_found", detail: "Not found" };
  const jobName = found.job.name;
  const job = { ...address, jobName };
  try {
    if (dryRun)
      return { runId, jobName, preview: await previewControlCommand(dependencies, organisationId, job, request) };
    return {
      runId,
      jobName,
      command: await createControlCommand(dependencies, organisationId, { ...request, address: job }),
    };
  } catch (error) {
    if (error instanceof CommandKeyReusedError) {
      return {
        runId,
        jobName,
        code: "idempotency_key_reused",
        detail: "the key was already used for a different command",
      };
    }
    if (error instanceof JobNotFoundError) return { runId, jobName, code: "not_found", detail: "Not found" };
    throw error;
  }
}
