import {
  type AcknowledgeCommandRequest,
  type Artifact as ArtifactMessage,
  type AttachResponse,
  AttachResponseSchema,
  type Checkpoint as CheckpointMessage,
  CheckpointSchema,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { commandMessage } from "../control-commands/control-command-message.ts";
import type { Artifact, Checkpoint } from "../job-log/job-entry.ts";
import { verificationNumbers } from "../job-log/job-numbers.ts";
import { overridesInForce } from "../job-log/overrides-in-force.ts";
import { datasetMessage, jobMessage } from "../runs/run-message.ts";
import type { CommandOutcome } from "./acknowledgement.ts";
import type { TrainerEvent } from "./attach-trainer.ts";

/** The checkpoint of a message; without a time of its own it was saved `now`. */
export function checkpointOfMessage(message: CheckpointMessage, now: Date): Checkpoint {
  const { id, step, segmentIndex, metrics, uri, sha256, sizeBytes, createdAt } = message;
  return {
    id,
    step,
    segmentIndex,
    metrics: metricPairs(metrics),
    uri,
    sha256,
    sizeBytes: Number(sizeBytes),
    createdAt: createdAt ? timestampDate(createdAt) : now,
  };
}

export function checkpointMessage(checkpoint: Checkpoint): CheckpointMessage {
  const { metrics, sizeBytes, createdAt, prunedAt, verified, ...rest } = checkpoint;
  return create(CheckpointSchema, {
    ...rest,
    metrics: Object.fromEntries(metrics.map(({ name, value }) => [name, value])),
    sizeBytes: BigInt(sizeBytes),
    createdAt: timestampFromDate(createdAt),
    ...(prunedAt && { prunedAt: timestampFromDate(prunedAt) }),
    ...(verified && {
      verifiedAt: timestampFromDate(verified.at),
      verification: verificationNumbers[verified.outcome],
    }),
  });
}

export function artifactOfMessage({ uri, sha256, sizeBytes, format, metrics }: ArtifactMessage): Artifact {
  return { uri, sha256, sizeBytes: Number(sizeBytes), format, metrics: metricPairs(metrics) };
}

/** @throws InvalidFieldsError when the acknowledgement tells of no outcome */
export function outcomeOfMessage({ outcome }: AcknowledgeCommandRequest, now: Date): CommandOutcome {
  if (outcome.case === "refused") return { status: "rejected", detail: outcome.value.detail };
  if (outcome.case === undefined) {
    throw new InvalidFieldsError([{ field: "outcome", reason: "REQUIRED", description: "is required" }]);
  }
  const { checkpointId, checkpoint, startStep, artifact, detail } = outcome.value;
  return {
    status: "applied",
    ...(checkpointId === undefined ? {} : { checkpointId }),
    ...(checkpoint ? { checkpoint: checkpointOfMessage(checkpoint, now) } : {}),
    ...(startStep === undefined ? {} : { startStep }),
    ...(artifact ? { artifact: artifactOfMessage(artifact) } : {}),
    ...(detail ? { detail } : {}),
  };
}

export function eventMessage(event: TrainerEvent): AttachResponse {
  return create(AttachResponseSchema, { event: eventCase(event) });
}

function eventCase(event: TrainerEvent): NonNullable<MessageInitShape<typeof AttachResponseSchema>["event"]> {
  switch (event.case) {
    case "attached":
      return { case: event.case, value: attachedValue(event) };
    case "command": {
      const { command, epoch, resolvedCheckpointId, traceparent } = event;
      const resolved = resolvedCheckpointId === undefined ? {} : { resolvedCheckpointId };
      const traced = traceparent === undefined ? {} : { traceparent };
      return { case: event.case, value: { command: commandMessage(command), epoch, ...resolved, ...traced } };
    }
    case "withdrawal": {
      const { commandId, sequence, detail } = event;
      return { case: event.case, value: { commandId, sequence, detail } };
    }
    case "detached":
      return { case: event.case, value: { attachmentId: event.attachmentId } };
    case "pruned":
      return { case: event.case, value: { checkpointIds: event.checkpointIds } };
    case "heartbeat":
    case "reconnect":
      return { case: event.case, value: {} };
  }
}

function attachedValue({
  found,
  job,
  durableCounter,
  activeSegment,
  setBack,
}: Extract<TrainerEvent, { case: "attached" }>) {
  return {
    job: jobMessage(found.job, job),
    durableCounter,
    activeSegment,
    checkpoints: job.checkpoints.map(checkpointMessage),
    epoch: job.epoch,
    setBack,
    overrides: { text: overridesInForce(job) },
    datasets: found.run.datasets.map(datasetMessage),
    datasetsTold: true,
  };
}

function metricPairs(metrics: { [name: string]: number }): { name: string; value: number }[] {
  return Object.entries(metrics).map(([name, value]) => ({ name, value }));
}
