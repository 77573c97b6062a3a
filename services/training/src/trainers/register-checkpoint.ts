import type { JobDirectory } from "../jobs/job-directory.ts";
import type { Checkpoint } from "../jobs/job-entry.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { checkpointOf } from "../jobs/job-snapshot.ts";
import { assertAttached, jobOfTrainer, type TrainerAddress } from "./attachment.ts";

/**
 * Records a checkpoint that is durable where the trainer keeps it; an id that is known changes nothing.
 * Throws NotFoundError, AttachmentLostError.
 */
export async function registerCheckpoint(
  { directory, logs }: { directory: JobDirectory; logs: JobLogs },
  organisationId: string,
  trainer: TrainerAddress,
  checkpoint: Checkpoint,
): Promise<Checkpoint> {
  const { reference } = await jobOfTrainer(directory, organisationId, trainer);
  return logs.decide<Checkpoint>(reference, (job) => {
    assertAttached(job, trainer.attachmentId);
    const known = checkpointOf(job, checkpoint.id);
    if (known) return { answer: known };
    return { draft: { kind: "checkpoint_registered", facts: { checkpoint } }, answer: () => checkpoint };
  });
}
