import { setTimeout as delay } from "node:timers/promises";
import type { ForwardedCaller } from "@aiplatform/caller-identity";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { Checkpoint, Verification } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { checkpointOf } from "../job-log/job-snapshot.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import type { StoredCheckpoints } from "./stored-checkpoints.ts";

export interface VerifyCheckpointDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  storedCheckpoints: Pick<StoredCheckpoints, "verify">;
  /** Aborted when this replica drains. */
  draining: AbortSignal;
}

/** Who wants to know of which checkpoint, and how long the answer may take. */
export interface WantedVerification {
  caller: ForwardedCaller & { organisationId: string };
  address: JobAddress;
  checkpointId: string;
  waitMs: number;
}

/** The job has no such checkpoint. */
export class CheckpointNotFoundError extends NotFoundError {
  override name = "CheckpointNotFoundError";
}

/** Only the checkpoint's trainer knows where it lies. */
export class CheckpointElsewhereError extends Error {
  override name = "CheckpointElsewhereError";
  constructor() {
    super("The checkpoint is not in the platform's artifact store: only its trainer can read it");
  }
}

/** Its bytes may be gone. */
export class CheckpointPrunedError extends Error {
  override name = "CheckpointPrunedError";
  constructor() {
    super("The checkpoint was pruned");
  }
}

const uriPattern = /^artifact:sha256:([0-9a-f]{64})$/;

/** The digest by which the artifact store knows a checkpoint; undefined: it lies elsewhere. */
export function artifactOfCheckpoint({ uri }: Pick<Checkpoint, "uri">): string | undefined {
  return uriPattern.exec(uri)?.[1];
}

/**
 * Has a checkpoint read, and records what that has shown. Reading goes on when the time is over: the checkpoint is answered as it is, with
 * `isRunning`.
 * @throws JobNotFoundError, CheckpointNotFoundError, CheckpointElsewhereError, CheckpointPrunedError, DeploymentsUnavailableError
 */
export async function verifyCheckpoint(
  dependencies: VerifyCheckpointDependencies,
  { caller, address, checkpointId, waitMs }: WantedVerification,
): Promise<{ checkpoint: Checkpoint; isRunning: boolean }> {
  const { directory, logs, storedCheckpoints, draining } = dependencies;
  const { reference } = await directory.get(caller.organisationId, address);
  const checkpoint = checkpointOf(await logs.currentState(reference), checkpointId);
  if (!checkpoint) throw new CheckpointNotFoundError();
  if (checkpoint.prunedAt) throw new CheckpointPrunedError();
  const sha256 = artifactOfCheckpoint(checkpoint);
  if (sha256 === undefined) throw new CheckpointElsewhereError();
  const isOther = checkpoint.sha256 !== "" && checkpoint.sha256.toLowerCase() !== sha256;
  const reading = isOther ? Promise.resolve("damaged" as const) : storedCheckpoints.verify(caller, sha256, draining);
  const recorded = reading.then(async (outcome) => ({
    checkpoint: await record(dependencies, { address, checkpointId, outcome, ...caller }),
    isRunning: false,
  }));
  return await Promise.race([recorded, delay(waitMs, { checkpoint, isRunning: true }, { ref: false })]);
}

/** The run may have been deleted while the checkpoint was read. */
async function record(
  { directory, logs }: VerifyCheckpointDependencies,
  found: { organisationId: string; address: JobAddress; checkpointId: string; outcome: Verification },
): Promise<Checkpoint> {
  const { organisationId, address, checkpointId, outcome } = found;
  const { reference } = await directory.get(organisationId, address);
  const job = await logs.decide(reference, () => ({
    draft: { kind: "checkpoint_verified", facts: { verified: { checkpointId, outcome } } },
    answer: (after) => after,
  }));
  const checkpoint = checkpointOf(job, checkpointId);
  if (!checkpoint) throw new CheckpointNotFoundError();
  return checkpoint;
}
