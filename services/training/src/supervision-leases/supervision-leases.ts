import { LeaseHeldError, LeaseLostError, NotFoundError } from "../errors.ts";
import type { DirectoryEntry, JobAddress, JobDirectory } from "../jobs/job-directory.ts";
import type { SupervisionLease } from "../jobs/job-entry.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { liveLease } from "../jobs/job-snapshot.ts";
import { hashToken, type LeaseProof, proofRefusal, tokenFits } from "./lease-standing.ts";

/** What the operations on leases need. */
export interface LeaseDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  clock: () => Date;
  newId: () => string;
  /** A secret that cannot be guessed. */
  newToken: () => string;
}

/** Acquires the job's lease; the token is told this once. Throws NotFoundError, LeaseHeldError. */
export async function acquireLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  { ttlSeconds, holderMemberId }: { ttlSeconds: number; holderMemberId?: string },
): Promise<{ lease: SupervisionLease; token: string }> {
  const { reference } = await found(dependencies, organisationId, address);
  const id = dependencies.newId();
  const token = dependencies.newToken();
  const tokenHash = hashToken(token);
  const lease = await dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    if (liveLease(job, at)) throw new LeaseHeldError();
    const epoch = job.epoch + 1;
    const holder = holderMemberId ? { holderMemberId } : {};
    const acquired = { id, tokenHash, epoch, ...holder, acquiredAt: at, expiresAt: after(at, ttlSeconds) };
    return { draft: { kind: "lease_acquired", facts: { lease: acquired, epoch } }, answer: () => acquired };
  });
  return { lease, token };
}

/** The live lease. Throws NotFoundError when none lives. */
export async function getLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
): Promise<SupervisionLease> {
  const { reference } = await found(dependencies, organisationId, address);
  const lease = liveLease(await dependencies.logs.currentState(reference), dependencies.clock());
  if (!lease) throw new NotFoundError();
  return lease;
}

/** Prolongs the live lease from now on. Throws NotFoundError, LeaseLostError. */
export async function renewLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  { proof, ttlSeconds }: { proof: LeaseProof; ttlSeconds: number },
): Promise<SupervisionLease> {
  const { reference } = await found(dependencies, organisationId, address);
  return dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    if (!job.lease || proofRefusal(job, proof, at)) throw new LeaseLostError();
    const renewed = { ...job.lease, expiresAt: after(at, ttlSeconds) };
    return { draft: { kind: "lease_renewed", facts: { lease: renewed } }, answer: () => renewed };
  });
}

/** Gives the live lease back; doing it again answers the same. Throws NotFoundError, LeaseLostError. */
export async function releaseLease(
  dependencies: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
  proof: LeaseProof,
): Promise<SupervisionLease> {
  const { reference } = await found(dependencies, organisationId, address);
  return dependencies.logs.decide<SupervisionLease>(reference, (job, at) => {
    const { lease } = job;
    const own = lease?.id === proof.supervisionId && tokenFits(lease, proof.token) ? lease : undefined;
    if (own?.ended === "released") return { answer: own };
    if (!own || proofRefusal(job, proof, at)) throw new LeaseLostError();
    const released = { ...own, expiresAt: at, ended: "released" as const };
    return { draft: { kind: "lease_released", facts: { lease: released } }, answer: () => released };
  });
}

/** Ends the live lease of a member who can no longer act; nothing happens when the member holds none. */
export async function releaseLeaseOf(
  { logs }: Pick<LeaseDependencies, "logs">,
  reference: DirectoryEntry["reference"],
  memberId: string,
): Promise<void> {
  await logs.decide<undefined>(reference, (job, at) => {
    const lease = liveLease(job, at);
    if (lease?.holderMemberId !== memberId) return { answer: undefined };
    const released = { ...lease, expiresAt: at, ended: "released" as const };
    return { draft: { kind: "lease_released", facts: { lease: released } }, answer: () => undefined };
  });
}

async function found(
  { directory }: LeaseDependencies,
  organisationId: string,
  address: JobAddress,
): Promise<DirectoryEntry> {
  const entry = await directory.find(organisationId, address);
  if (!entry) throw new NotFoundError();
  return entry;
}

function after(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
