import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller } from "@aiplatform/caller-identity";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { SupervisionLease } from "../job-log/job-entry.ts";
import { activeLease, type JobSnapshot } from "../job-log/job-snapshot.ts";

/** What a caller shows to act under a lease. */
export interface LeaseProof {
  supervisionId: string;
  token: string;
}

/** To take control over from the holder of a lease. */
export const overridePermission = "training:override";

/** Whether a caller may take control over: members alone, since a program would do it without a person who looks. */
export function mayOverride({ memberId, permissions }: Pick<Caller, "memberId" | "permissions">): boolean {
  return memberId !== undefined && permissions.has(overridePermission);
}

/** The job has no active lease. */
export class LeaseNotFoundError extends NotFoundError {
  override name = "LeaseNotFoundError";
}

/** Another supervision lease is active. */
export class LeaseHeldError extends Error {
  override name = "LeaseHeldError";
  constructor() {
    super("another supervision lease is active");
  }
}

/** The lease is not the active one, or the token is not its own. */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
  constructor() {
    super("the supervision lease is no longer live");
  }
}

/** SHA-256 of a token, hexadecimal: tokens themselves are never stored. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}

export function tokenMatches(lease: SupervisionLease, token: string): boolean {
  return timingSafeEqual(Buffer.from(lease.tokenHash, "hex"), Buffer.from(hashToken(token), "hex"));
}

/** Why the proof is not that of the active lease; undefined when it is. */
export function proofRefusal(
  job: JobSnapshot,
  proof: LeaseProof,
  at: Date,
): "lease expired" | "lease lost" | undefined {
  const { lease } = job;
  if (lease?.id !== proof.supervisionId || !tokenMatches(lease, proof.token)) return "lease lost";
  if (activeLease(job, at)) return undefined;
  return lease.ended === "released" || lease.ended === "revoked" ? "lease lost" : "lease expired";
}
