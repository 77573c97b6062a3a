import { v5 as namedId } from "uuid";
import type { JobLogs } from "../job-log/job-logs.ts";
import { AttachmentLostError, type JobSnapshot } from "../job-log/job-snapshot.ts";
import { type ArchiveDependencies, assertNotArchived } from "../runs/archived-run.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import { moveFacts } from "../trainers/report-job-state.ts";

export interface HoldJobDependencies extends ArchiveDependencies {
  directory: Pick<JobDirectory, "get">;
  logs: Pick<JobLogs, "state" | "currentState" | "decide">;
}

/** The attachment of all callers that name none: the same for every one of the job. */
export function unnamedAttachment({ runId, jobName }: { runId: string; jobName: string }): string {
  return namedId(`metrics/${jobName}`, runId);
}

/**
 * Holds a job for callers that have no attachment of their own, unless another process has taken it. A queued job is running from
 * then on: that it is held and that it runs is one entry.
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 * @throws AttachmentLostError when another process is the job's trainer
 */
export async function holdJob(
  dependencies: HoldJobDependencies,
  organisationId: string,
  address: JobAddress,
): Promise<{ attachmentId: string; job: JobSnapshot }> {
  const { directory, logs } = dependencies;
  const { reference, run } = await directory.get(organisationId, address);
  const attachmentId = unnamedAttachment(reference);
  const known = await logs.state(organisationId, reference.runId, reference.jobName);
  if (known.attachment?.id === attachmentId) return { attachmentId, job: known };
  await assertNotArchived(dependencies, run);
  const job = await logs.decide<JobSnapshot>(reference, (job) => {
    if (job.attachment?.id === attachmentId) return { answer: job };
    if (job.attachment) throw new AttachmentLostError();
    const begun = job.state === "queued" ? moveFacts(job, { state: "running" }) : {};
    const facts = { attachment: { id: attachmentId }, ...begun };
    return { draft: { kind: "trainer_attached", facts }, answer: (after) => after };
  });
  return { attachmentId, job };
}
