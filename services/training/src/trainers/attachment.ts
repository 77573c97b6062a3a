import { AttachmentLostError, NotFoundError } from "../errors.ts";
import type { DirectoryEntry, JobDirectory } from "../jobs/job-directory.ts";
import type { JobSnapshot } from "../jobs/job-snapshot.ts";

/** How a trainer names the job it works on and itself. */
export interface TrainerAddress {
  runId: string;
  jobName: string;
  attachmentId: string;
}

/** Throws AttachmentLostError unless this attachment is the job's trainer. */
export function assertAttached(job: JobSnapshot, attachmentId: string): void {
  if (job.attachment?.id !== attachmentId) throw new AttachmentLostError();
}

/** The job a trainer speaks of. Throws NotFoundError. */
export async function jobOfTrainer(
  directory: JobDirectory,
  organisationId: string,
  { runId, jobName }: TrainerAddress,
): Promise<DirectoryEntry> {
  const found = await directory.find(organisationId, { runId, jobName });
  if (!found) throw new NotFoundError();
  return found;
}
