import type { Checkpoint } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { assertAttached, checkpointOf } from "../job-log/job-snapshot.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import type { TrainerAddress } from "./attach-trainer.ts";

/**
 * Records a checkpoint that is durable where the trainer keeps it; an id that is known changes nothing.
 * @throws JobNotFoundError
 * @throws AttachmentLostError
 */
export async function registerCheckpoint(
  { directory, logs }: { directory: JobDirectory; logs: JobLogs },
  organisationId: string,
  trainer: TrainerAddress,
  checkpoint: Checkpoint,
): Promise<Checkpoint> {
  const { reference } = await directory.get(organisationId, trainer);
  return logs.decide<Checkpoint>(reference, (job) => {
    assertAttached(job, trainer.attachmentId);
    const known = checkpointOf(job, checkpoint.id);
    if (known) return { answer: known };
    return { draft: { kind: "checkpoint_registered", facts: { checkpoint } }, answer: () => checkpoint };
  });
}
