import type { JobFacts, NewSegment } from "./job-entry.ts";
import type { JobSnapshot } from "./job-snapshot.ts";
import { canonicalJson, isJsonObject, type JsonValue, parseJsonText } from "./json-text.ts";

/** Overrides that came into force at some time. */
export interface OverridesInForce {
  /** JSON text of an object: the newest value of each key. */
  text: string;
  /** How many checkpoints the job had by then: the later ones were saved under these overrides. */
  checkpoints: number;
}

const none = "{}";

type OverriddenJob = Pick<JobSnapshot, "overrides" | "checkpoints">;

/** JSON text of what applied commands have changed of the configuration. */
export function overridesInForce({ overrides }: Pick<JobSnapshot, "overrides">): string {
  return overrides.at(-1)?.text ?? none;
}

/** The changes after an entry that opens a segment, or that changes overrides without one. */
export function foldOverrides(job: OverriddenJob, { segment, overrides }: JobFacts): readonly OverridesInForce[] {
  const base = segment ? baseOf(job, segment) : overridesInForce(job);
  const text = merged(base, segment?.overrides ?? overrides ?? none);
  if (text === overridesInForce(job)) return job.overrides;
  const { length } = job.checkpoints;
  // No checkpoint was saved under those that are replaced: there are at most as many changes as checkpoints, and one.
  return [...job.overrides.filter(({ checkpoints }) => checkpoints < length), { text, checkpoints: length }];
}

/** Going back to a checkpoint goes back to what was in force when it was saved: it holds the trainer's parameters. */
function baseOf(job: OverriddenJob, { kind, checkpointId }: NewSegment): string {
  if (kind === "initial") return none;
  const index = kind === "resume" ? -1 : job.checkpoints.findIndex(({ id }) => id === checkpointId);
  if (index < 0) return overridesInForce(job);
  return job.overrides.findLast(({ checkpoints }) => checkpoints <= index)?.text ?? none;
}

function merged(base: string, changes: string): string {
  return canonicalJson({ ...membersOf(base), ...membersOf(changes) });
}

function membersOf(text: string): { [key: string]: JsonValue } {
  const value = parseJsonText(text || none);
  return isJsonObject(value) ? value : {};
}
