import { InvalidFieldsError } from "@aiplatform/service-host";
import type { Checkpoint } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { checkpointOf, type JobSnapshot, keptCheckpoints } from "../job-log/job-snapshot.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { readCheckpointFilter } from "./list-checkpoints.ts";
import { type KeepRule, type PrunePlan, planPruning } from "./prune-plan.ts";

export interface PruneCheckpointsDependencies {
  directory: JobDirectory;
  logs: JobLogs;
}

/** Checkpoints by their ids, or those that a rule leaves over of the ones that a filter finds. */
export interface PruneRequest extends KeepRule {
  /** Empty: the rule and the filter choose. */
  checkpointIds: readonly string[];
  filter: string;
  dryRun: boolean;
}

/** What was pruned, or would be. */
export interface Pruning extends PrunePlan {
  /** Further ones that the rule leaves over. */
  remaining: number;
}

/** One entry of the log holds the ids. */
const maxPruned = 1_000;

/**
 * Prunes checkpoints of a job, and answers which and why the others stay. Those of `checkpointIds` that were pruned before are among
 * them.
 * @throws JobNotFoundError, InvalidFieldsError, InvalidListRequestError
 */
export async function pruneCheckpoints(
  { directory, logs }: PruneCheckpointsDependencies,
  organisationId: string,
  address: JobAddress,
  request: PruneRequest,
): Promise<Pruning> {
  const { reference, job: declaration } = await directory.get(organisationId, address);
  const choose = chooserOf(request, declaration);
  return logs.decide<Pruning>(reference, (job) => {
    const chosen = choose(job);
    const { pruned, kept } = planPruning({ job, declaration, chosen: chosen.kept, rule: request });
    const due = pruned.slice(0, maxPruned);
    const answer = { pruned: [...chosen.pruned, ...due], kept, remaining: pruned.length - due.length };
    if (request.dryRun || due.length === 0) return { answer };
    const facts = { pruned: due.map(({ id }) => id) };
    return { draft: { kind: "checkpoints_pruned", facts }, answer: () => answer };
  });
}

interface Chosen {
  kept: Checkpoint[];
  /** Before. */
  pruned: Checkpoint[];
}

/** @throws InvalidFieldsError, InvalidListRequestError */
function chooserOf(request: PruneRequest, { primaryMetric }: JobDeclaration): (job: JobSnapshot) => Chosen {
  const { checkpointIds, keepNewest, keepBest, filter } = request;
  const hasRule = keepNewest !== undefined || keepBest !== undefined || filter !== "";
  if (hasRule === checkpointIds.length > 0) {
    const problem = hasRule
      ? "cannot be given with keep_newest, keep_best or filter"
      : "is required, or a rule of keep_newest, keep_best and filter";
    throw refused("checkpoint_ids", "EXACTLY_ONE", problem);
  }
  if (keepBest !== undefined && !primaryMetric) {
    throw refused("keep_best", "PRIMARY_METRIC_MISSING", "needs a job with a primary metric; use keep_newest");
  }
  if (!hasRule) return (job) => named(job, checkpointIds);
  const find = readCheckpointFilter(filter);
  return (job) => ({ kept: find(keptCheckpoints(job)), pruned: [] });
}

function named(job: JobSnapshot, ids: readonly string[]): Chosen {
  const unknown = ids.findIndex((id) => !checkpointOf(job, id));
  if (unknown >= 0) {
    throw refused(`checkpoint_ids[${unknown}]`, "UNKNOWN_CHECKPOINT", "is no checkpoint of this job");
  }
  const wanted = new Set(ids);
  const chosen = job.checkpoints.filter(({ id }) => wanted.has(id));
  const [pruned, kept] = [chosen.filter(({ prunedAt }) => prunedAt), chosen.filter(({ prunedAt }) => !prunedAt)];
  return { kept, pruned };
}

function refused(field: string, reason: string, description: string): InvalidFieldsError {
  return new InvalidFieldsError([{ field, reason, description }]);
}
