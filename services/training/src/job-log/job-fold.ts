import type { Checkpoint, JobEntry, JobFacts, NewSegment, Resolution } from "./job-entry.ts";
import type { JobSnapshot, ScheduledResume, Segment } from "./job-snapshot.ts";
import { isEnded, isTransitional } from "./job-state.ts";
import { foldOverrides } from "./overrides-in-force.ts";
import type { PendingCommands } from "./pending-commands.ts";

const maxReplacedAttachments = 32;

/** The job after one more entry. Entries follow one another without gaps; a gap is a defect and throws. */
export function foldEntry(job: JobSnapshot, entry: JobEntry): JobSnapshot {
  if (entry.position !== job.position + 1) {
    throw new RangeError(`entry ${entry.position} cannot follow position ${job.position}`);
  }
  const { facts } = entry;
  const checkpoints = foldCheckpoints(job.checkpoints, entry);
  return {
    ...job,
    position: entry.position,
    lastSequence: facts.command?.sequence ?? job.lastSequence,
    pending: foldPending(job.pending, entry),
    checkpoints,
    ...foldState(job, entry),
    scheduledResume: foldScheduledResume(job.scheduledResume, facts),
    ...(facts.segment || facts.overrides ? { overrides: foldOverrides(job, facts) } : {}),
    ...(facts.segment || facts.state ? { segments: foldSegments(job, entry) } : {}),
    ...(facts.artifact ? { artifact: facts.artifact } : {}),
    ...(facts.lease ? { lease: facts.lease } : {}),
    ...(facts.epoch === undefined ? {} : { epoch: facts.epoch }),
    ...foldAttachment(job, entry),
  };
}

function foldCheckpoints(checkpoints: readonly Checkpoint[], { at, facts }: JobEntry): readonly Checkpoint[] {
  const { checkpoint: added, pruned, verified } = facts;
  const isNew = added && !checkpoints.some(({ id }) => id === added.id);
  const all = isNew ? [...checkpoints, added] : checkpoints;
  if (!pruned && !verified) return all;
  const ids = new Set(pruned);
  return all.map((each) => ({
    ...each,
    ...(ids.has(each.id) && !each.prunedAt && { prunedAt: at }),
    ...(each.id === verified?.checkpointId && { verified: { outcome: verified.outcome, at } }),
  }));
}

function foldPending(pending: PendingCommands, { position, facts }: JobEntry): PendingCommands {
  const remaining = (facts.resolutions ?? []).reduce((left, { sequences }) => left.without(sequences), pending);
  const { command } = facts;
  if (command?.status !== "pending") return remaining;
  const { id, sequence, action, checkpointId, epoch, createdAt } = command;
  return remaining.append({
    id,
    sequence,
    position,
    action,
    ...(checkpointId ? { checkpointId } : {}),
    epoch,
    createdAt,
  });
}

/** Any command that is taken ends it, a pause that asks for another one included; so do the end of the pause and of the job. */
function foldScheduledResume(known: ScheduledResume | undefined, facts: JobFacts): ScheduledResume | undefined {
  const { command, resolutions = [], state, pauseEnded } = facts;
  if (pauseEnded || (state && isEnded(state.to))) return undefined;
  if (command && command.status !== "rejected") {
    const { id: commandId, sequence, epoch, resumeAt } = command;
    return resumeAt && { at: resumeAt, commandId, sequence, epoch };
  }
  const refused = resolutions.filter(({ status }) => status === "rejected").flatMap(({ sequences }) => sequences);
  return known && refused.includes(known.sequence) ? undefined : known;
}

function foldState(job: JobSnapshot, { at, facts }: JobEntry): Partial<JobSnapshot> {
  if (!facts.state) return {};
  const { to, detail } = facts.state;
  return {
    state: to,
    stateSince: at,
    settledState: isTransitional(to) ? job.settledState : to,
    stateDetail: detail,
    pauseCheckpointId: to === "paused" ? appliedCheckpoint(facts.resolutions) : job.pauseCheckpointId,
  };
}

function appliedCheckpoint(resolutions: readonly Resolution[] = []): string | undefined {
  return resolutions.find((resolution) => resolution.status === "applied")?.checkpointId;
}

function foldSegments(job: JobSnapshot, { at, facts }: JobEntry): readonly Segment[] {
  const { segment, state } = facts;
  if (segment) {
    const closed = closeActive(job.segments, at, undefined);
    return [...archive(closed, segment, job.checkpoints), { ...segment, startedAt: at }];
  }
  if (!state || !(isEnded(state.to) || state.to === "paused")) return job.segments;
  const saved = facts.checkpoint ?? job.checkpoints.find(({ id }) => id === appliedCheckpoint(facts.resolutions));
  return closeActive(job.segments, at, state.to === "paused" ? saved?.step : undefined);
}

function closeActive(segments: readonly Segment[], at: Date, endStep: number | undefined): readonly Segment[] {
  const active = segments.at(-1);
  if (!active || active.endedAt) return segments;
  return [...segments.slice(0, -1), { ...active, endedAt: at, ...(endStep === undefined ? {} : { endStep }) }];
}

/** A resume goes on where the job stood and archives nothing. */
function archive(segments: readonly Segment[], opened: NewSegment, checkpoints: readonly Checkpoint[]) {
  if (opened.kind === "resume" || opened.kind === "initial") return segments;
  const checkpoint = checkpoints.find(({ id }) => id === opened.checkpointId);
  if (!checkpoint) return segments;
  const cuts = cutsOfGoingBack(segments, checkpoint);
  return segments.map((segment) => {
    const archivedFromStep = cuts.get(segment.index);
    return archivedFromStep === undefined ? segment : { ...segment, archivedFromStep };
  });
}

/**
 * Going back to a checkpoint archives what was learnt after it: the later points of its own segment, and all points of
 * the segments between it and the active one. By segment index: the step after which points are archived.
 */
export function cutsOfGoingBack(
  segments: readonly Segment[],
  checkpoint: Pick<Checkpoint, "segmentIndex" | "step">,
): ReadonlyMap<number, number> {
  const lineage = new Set(lineageOf(segments, segments.at(-1)?.index));
  const archived = segments.filter(({ index }) => lineage.has(index) && index >= checkpoint.segmentIndex);
  return new Map(
    archived.map(({ index, startStep, archivedFromStep }) => {
      const from = index === checkpoint.segmentIndex ? checkpoint.step : startStep;
      return [index, Math.min(from, archivedFromStep ?? from)];
    }),
  );
}

/** The segment of that index and those it continues, newest first. */
export function lineageOf(segments: readonly Segment[], index: number | undefined): number[] {
  const lineage: number[] = [];
  for (let at = index; at !== undefined && !lineage.includes(at); at = segments[at]?.parentIndex) lineage.push(at);
  return lineage;
}

function foldAttachment(job: JobSnapshot, { kind, at, facts }: JobEntry): Partial<JobSnapshot> {
  const { attachment } = facts;
  if (attachment) {
    const replaced = job.attachment && job.attachment.id !== attachment.id ? [job.attachment.id] : [];
    return {
      attachment: { id: attachment.id, at },
      replacedAttachments: [...job.replacedAttachments, ...replaced].slice(-maxReplacedAttachments),
      trainerSeenAt: at,
    };
  }
  return kind === "command_acknowledged" || kind === "state_reported" || kind === "checkpoint_registered"
    ? { trainerSeenAt: at }
    : {};
}
