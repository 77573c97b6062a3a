import { createHash, timingSafeEqual } from "node:crypto";
import type { SupervisionLease } from "../jobs/job-entry.ts";
import { type JobSnapshot, liveLease } from "../jobs/job-snapshot.ts";

/** What a caller shows to act under a lease. */
export interface LeaseProof {
  supervisionId: string;
  token: string;
}

/** SHA-256 of a token, hexadecimal: tokens themselves are never stored. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}

/** Whether the token is the lease's own. */
export function tokenFits(lease: SupervisionLease, token: string): boolean {
  return timingSafeEqual(Buffer.from(lease.tokenHash, "hex"), Buffer.from(hashToken(token), "hex"));
}

/** Whether the proof is that of the live lease; what to tell the caller when it is not. */
export function proofRefusal(
  job: JobSnapshot,
  proof: LeaseProof,
  at: Date,
): "lease expired" | "lease lost" | undefined {
  const { lease } = job;
  if (lease?.id !== proof.supervisionId || !tokenFits(lease, proof.token)) return "lease lost";
  if (liveLease(job, at)) return undefined;
  return lease.ended === "released" || lease.ended === "revoked" ? "lease lost" : "lease expired";
}
