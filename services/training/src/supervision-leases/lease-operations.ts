import type { JobReference, SupervisionLease } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { activeLease } from "../job-log/job-snapshot.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import {
  hashToken,
  LeaseHeldError,
  LeaseLostError,
  LeaseNotFoundError,
  type LeaseProof,
  proofRefusal,
  tokenMatches,
} from "./supervision-lease.ts";

export interface LeaseDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  clock: () => Date;
  newId: () => string;
  /** A secret that cannot be guessed. */
  newToken: () => string;
}

/** What is asked for with a lease. */
interface WantedLease {
  ttlSeconds: number;
  holderMemberId?: string;
  /** Whether a lease that is active ends with this. */
  takeOver: boolean;
}

/**
 * Acquires the job's lease; the token is returned only here.
 * @throws JobNotFoundError
 * @throws LeaseHeldError
 */
export async function acquireLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  { ttlSeconds, holderMemberId, takeOver }: WantedLease,
): Promise<{ lease: SupervisionLease; token: string }> {
  const { reference } = await dependencies.directory.get(organisationId, address);
  const id = dependencies.newId();
  const token = dependencies.newToken();
  const tokenHash = hashToken(token);
  const lease = await dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    if (activeLease(job, at) && !takeOver) throw new LeaseHeldError();
    const epoch = job.epoch + 1;
    const holder = holderMemberId ? { holderMemberId } : {};
    const acquired = { id, tokenHash, epoch, ...holder, acquiredAt: at, expiresAt: after(at, ttlSeconds) };
    return { draft: { kind: "lease_acquired", facts: { lease: acquired, epoch } }, answer: () => acquired };
  });
  return { lease, token };
}

/**
 * @throws JobNotFoundError
 * @throws LeaseNotFoundError
 */
export async function getLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
): Promise<SupervisionLease> {
  const { reference } = await dependencies.directory.get(organisationId, address);
  const lease = activeLease(await dependencies.logs.currentState(reference), dependencies.clock());
  if (!lease) throw new LeaseNotFoundError();
  return lease;
}

/**
 * Extends the active lease from now on.
 * @throws JobNotFoundError
 * @throws LeaseLostError
 */
export async function renewLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  { proof, ttlSeconds }: { proof: LeaseProof; ttlSeconds: number },
): Promise<SupervisionLease> {
  const { reference } = await dependencies.directory.get(organisationId, address);
  return dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    if (!job.lease || proofRefusal(job, proof, at)) throw new LeaseLostError();
    const renewed = { ...job.lease, expiresAt: after(at, ttlSeconds) };
    return { draft: { kind: "lease_renewed", facts: { lease: renewed } }, answer: () => renewed };
  });
}

/**
 * Releases the active lease; repeating it returns the same.
 * @throws JobNotFoundError
 * @throws LeaseLostError
 */
export async function releaseLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  proof: LeaseProof,
): Promise<SupervisionLease> {
  const { reference } = await dependencies.directory.get(organisationId, address);
  return dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    const { lease } = job;
    const own = lease?.id === proof.supervisionId && tokenMatches(lease, proof.token) ? lease : undefined;
    if (own?.ended === "released") return { answer: own };
    if (!own || proofRefusal(job, proof, at)) throw new LeaseLostError();
    const released = { ...own, expiresAt: at, ended: "released" as const };
    return { draft: { kind: "lease_released", facts: { lease: released } }, answer: () => released };
  });
}

/** Ends the active lease of a member who can no longer act; nothing happens when the member holds none. */
export async function releaseLeaseOf(
  { logs }: Pick<LeaseDependencies, "logs">,
  reference: JobReference,
  memberId: string,
): Promise<void> {
  await logs.decide<undefined>(reference, (job, at) => {
    const lease = activeLease(job, at);
    if (lease?.holderMemberId !== memberId) return { answer: undefined };
    const released = { ...lease, expiresAt: at, ended: "released" as const };
    return { draft: { kind: "lease_released", facts: { lease: released } }, answer: () => undefined };
  });
}

function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
