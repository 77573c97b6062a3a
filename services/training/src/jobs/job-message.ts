import { type JobDetail, JobDetailSchema } from "@aiplatform/contract/aiplatform/training/v1/jobs";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { segmentMessage } from "../run-metrics/run-metrics-message.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import { jobMessage as jobReadMessage } from "../runs/run-message.ts";

const maxSegments = 1_000;

export function jobMessage({ job: declaration, reference }: DirectoryEntry, snapshot: JobSnapshot): JobDetail {
  const { $typeName: _type, ...read } = jobReadMessage(declaration, snapshot);
  const { stateSince, trainerSeenAt, scheduledResume, segments, checkpoints, pending } = snapshot;
  const newest = checkpoints.at(-1)?.id;
  return create(JobDetailSchema, {
    ...{ pipelineId: reference.pipelineId, runId: reference.runId },
    ...read,
    ...(stateSince ? { stateSince: timestampFromDate(stateSince) } : {}),
    segments: segments.slice(-maxSegments).map((segment) => segmentMessage(segment, undefined)),
    checkpointCount: checkpoints.length,
    ...(newest === undefined ? {} : { newestCheckpointId: newest }),
    pendingCommandCount: pending.size,
    ...(scheduledResume ? { resumeAt: timestampFromDate(scheduledResume.at) } : {}),
    ...(trainerSeenAt ? { trainerSeenAt: timestampFromDate(trainerSeenAt) } : {}),
  });
}
