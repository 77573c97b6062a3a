import { v5 as namedId } from "uuid";
import { commandFacts } from "../control-commands/command-facts.ts";
import { commandFingerprint } from "../control-commands/command-fingerprint.ts";
import { judgeCommand } from "../control-commands/judge-command.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { withReadmission } from "../trainers/readmit-commands.ts";
import type { TrainerReports } from "../trainers/trainer-reports.ts";
import type { JobDirectory } from "./job-directory.ts";
import type { JobFacts } from "./job-entry.ts";
import type { DueJob, JobLogStore } from "./job-log-store.ts";
import type { JobLogs } from "./job-logs.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

/** What looking after due jobs needs. */
export interface SweepDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  reports: TrainerReports;
  clock: () => Date;
  newId: () => string;
  /** Milliseconds without a sign of life after which a pending command expires. */
  commandExpiryMs: number;
}

const JOBS_PER_SWEEP = 200;

/**
 * Ends what has run out in the jobs that are due: leases, and commands that no trainer has acknowledged. Any number of
 * replicas may do it at once, as each ending is a decision in the job's log. Answers how many jobs were looked at.
 */
export async function sweepJobs(dependencies: SweepDependencies): Promise<number> {
  const due = await dependencies.logStore.due(dependencies.clock(), JOBS_PER_SWEEP);
  const failures: unknown[] = [];
  // One job that cannot be settled must not keep the others from it.
  for (const job of due) await settle(dependencies, job).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${due.length} jobs were not settled`);
  return due.length;
}

interface Settled {
  position: number;
  next?: Date;
}

async function settle(dependencies: SweepDependencies, job: DueJob): Promise<void> {
  const { directory, logStore, clock } = dependencies;
  const declaration = (await directory.find(job.organisationId, job))?.job;
  if (!declaration) return;
  for (;;) {
    const settled = await endNext(dependencies, job, declaration);
    if (!settled) continue;
    return logStore.reschedule(job.organisationId, job, settled.position, clock(), settled.next);
  }
}

/** Writes one ending; undefined asks to be called again. With nothing left to end, says when to look again. */
async function endNext(
  { logs, reports, commandExpiryMs, newId }: SweepDependencies,
  reference: DueJob,
  declaration: JobDeclaration,
): Promise<Settled | undefined> {
  const heartbeatAt = await reports.heartbeatAt(reference.organisationId, reference.runId, reference.jobName);
  const commandId = newId();
  return logs.decide<Settled | undefined>(reference, (job, at) => {
    const lease = endedLease(job, declaration, at, commandId);
    if (lease) return { draft: { kind: "lease_expired", facts: lease }, answer: () => undefined };
    const heard = Math.max(heartbeatAt?.getTime() ?? 0, job.trainerSeenAt?.getTime() ?? 0);
    const expiresAt = (createdAt: Date) => Math.max(createdAt.getTime(), heard) + commandExpiryMs;
    const sequences = [...job.pending].filter(({ createdAt }) => expiresAt(createdAt) <= at.getTime());
    if (sequences.length === 0) return { answer: nextLook(job, expiresAt) };
    const expired = {
      sequences: sequences.map(({ sequence }) => sequence),
      status: "rejected",
      detail: "expired",
    } as const;
    const facts = withReadmission(job, declaration, { resolutions: [expired] }, at);
    return { draft: { kind: "commands_expired", facts }, answer: () => undefined };
  });
}

function nextLook(job: JobSnapshot, expiresAt: (createdAt: Date) => number): Settled {
  const times = [
    ...(job.pending.first ? [expiresAt(job.pending.first.createdAt)] : []),
    ...(job.lease && !job.lease.ended ? [job.lease.expiresAt.getTime()] : []),
  ];
  const { position } = job;
  return times.length === 0 ? { position } : { position, next: new Date(Math.min(...times)) };
}

/** The end of a lease that ran out, with the pause that the job's policy wants of it. */
function endedLease(job: JobSnapshot, declaration: JobDeclaration, at: Date, id: string): JobFacts | undefined {
  const { lease } = job;
  if (!lease || lease.ended || at < lease.expiresAt) return undefined;
  const facts: JobFacts = { lease: { ...lease, ended: "expired" } };
  if (declaration.leaseExpiryPolicy === "keep") return facts;
  const action = "pause";
  const judgement = judgeCommand(job, declaration, { action, overrides: "{}", mayOverride: false }, at);
  if (judgement.status !== "pending") return facts;
  // The key follows from the lease, so that the policy can never pause twice for one lease.
  const idempotencyKey = namedId("lease-expiry-policy", lease.id);
  const fingerprint = commandFingerprint({ action, overrides: "{}" });
  return {
    ...commandFacts(job, { id, action, overrides: "{}", idempotencyKey, fingerprint }, judgement, at),
    ...facts,
  };
}
