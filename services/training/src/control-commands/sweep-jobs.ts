import { v5 as namedId } from "uuid";
import type { JobFacts, JobReference } from "../job-log/job-entry.ts";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { commandFacts } from "./command-facts.ts";
import { commandFingerprint } from "./command-fingerprint.ts";
import { judgeCommand } from "./judge-command.ts";
import { withReadmission } from "./readmit-commands.ts";
import { resumeNow } from "./scheduled-resume.ts";

export interface SweepDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  metricBuckets: Pick<MetricBucketStore, "tailOf">;
  clock: () => Date;
  newId: () => string;
}

export interface SweepOptions {
  /** Milliseconds without a report from a trainer after which a pending command expires. */
  commandExpiryMs: number;
}

const jobsPerSweep = 200;

/**
 * Expires leases, and commands that no trainer has acknowledged, and ends pauses, in the jobs that are due. Any number of replicas may do
 * it at once, as each expiry is a decision in the job's log.
 */
async function sweepJobs(dependencies: SweepDependencies, options: SweepOptions): Promise<void> {
  const due = await dependencies.logStore.due(dependencies.clock(), jobsPerSweep);
  const failures: unknown[] = [];
  // One job that cannot be settled must not keep the others from expiring.
  for (const job of due) await sweepJob(dependencies, job, options).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${due.length} jobs were not settled`);
}

export interface SweepOutcome {
  readonly hasSwept: boolean;
  /** Milliseconds until the next job is due; undefined: none will be. */
  readonly dueInMs: number | undefined;
}

/** Sweeps where a job is due, which one small query tells. */
export async function sweepDueJobs(dependencies: SweepDependencies, options: SweepOptions): Promise<SweepOutcome> {
  const { logStore, clock } = dependencies;
  let next = await logStore.nextDue();
  const now = clock();
  const hasSwept = next !== undefined && next <= now;
  if (hasSwept) {
    await sweepJobs(dependencies, options);
    // More may be due than one sweep takes: the next round finds it.
    next = await logStore.nextDue(now);
  }
  return { hasSwept, dueInMs: next && Math.max(0, next.getTime() - clock().getTime()) };
}

interface SweepResult {
  position: number;
  next?: Date;
}

async function sweepJob(dependencies: SweepDependencies, job: JobReference, options: SweepOptions): Promise<void> {
  const { directory, logStore, clock } = dependencies;
  const declaration = (await directory.find(job.organisationId, job))?.job;
  if (!declaration) return;
  for (;;) {
    const result = await expireNext(dependencies, job, declaration, options);
    if (!result) continue;
    return logStore.reschedule(job.organisationId, job, result.position, clock(), result.next);
  }
}

/** Writes one expiry and returns undefined: call it again. Otherwise says when the job is due next. */
async function expireNext(
  { logs, metricBuckets, newId }: SweepDependencies,
  reference: JobReference,
  declaration: JobDeclaration,
  { commandExpiryMs }: SweepOptions,
): Promise<SweepResult | undefined> {
  const lastReport = await metricBuckets.tailOf(reference.organisationId, reference.runId, reference.jobName);
  const commandId = newId();
  return logs.decide<SweepResult | undefined>(reference, (job, at) => {
    const lease = expireLease(job, declaration, at, commandId);
    if (lease) return { draft: { kind: "lease_expired", facts: lease }, answer: () => undefined };
    const resume = resumeNow(job, declaration, at, commandId);
    if (resume) return { draft: { kind: "pause_ended", facts: resume }, answer: () => undefined };
    const seenAt = Math.max(lastReport?.acceptedAt.getTime() ?? 0, job.trainerSeenAt?.getTime() ?? 0);
    const expiresAt = (createdAt: Date) => Math.max(createdAt.getTime(), seenAt) + commandExpiryMs;
    const expired = [...job.pending].filter(({ createdAt }) => expiresAt(createdAt) <= at.getTime());
    if (expired.length === 0) return { answer: nextDue(job, expiresAt) };
    const sequences = expired.map(({ sequence }) => sequence);
    const resolution = { sequences, status: "rejected", detail: "expired" } as const;
    const facts = withReadmission(job, declaration, { resolutions: [resolution] }, at);
    return { draft: { kind: "commands_expired", facts }, answer: () => undefined };
  });
}

function nextDue(job: JobSnapshot, expiresAt: (createdAt: Date) => number): SweepResult {
  const times = [
    ...(job.pending.first ? [expiresAt(job.pending.first.createdAt)] : []),
    ...(job.lease && !job.lease.ended ? [job.lease.expiresAt.getTime()] : []),
    ...(job.scheduledResume ? [job.scheduledResume.at.getTime()] : []),
  ];
  const { position } = job;
  return times.length === 0 ? { position } : { position, next: new Date(Math.min(...times)) };
}

/** The end of an expired lease, with the pause that the job's policy may ask for. */
function expireLease(job: JobSnapshot, declaration: JobDeclaration, at: Date, id: string): JobFacts | undefined {
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
