import type { FieldViolation } from "@aiplatform/service-host";

/** What holds for all keys of an organisation. */
export interface ApiKeyPolicy {
  /** Longest time from the creation of a key to its end, s. Absent: keys may live without an end. */
  maxLifetimeSeconds: number | undefined;
}

/** For as long a key that lived too long goes on when the policy is set, s: its holder needs time for another one. */
export const graceSeconds = 86_400;

const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1_000);

/** When a key ends that is made now: as wanted, or as late as the policy allows. */
export function endUnder(
  { maxLifetimeSeconds }: ApiKeyPolicy,
  { expiresAt, now }: { expiresAt: Date | undefined; now: Date },
): Date | undefined {
  if (maxLifetimeSeconds === undefined) return expiresAt;
  const latest = later(now, maxLifetimeSeconds);
  return expiresAt && expiresAt < latest ? expiresAt : latest;
}

/** What the policy has against the end that a new key is to have. */
export function lifetimeProblems(
  { maxLifetimeSeconds }: ApiKeyPolicy,
  { expiresAt, now }: { expiresAt: Date | undefined; now: Date },
): FieldViolation[] {
  if (!expiresAt || maxLifetimeSeconds === undefined || expiresAt <= later(now, maxLifetimeSeconds)) return [];
  const description = `must lie within ${maxLifetimeSeconds} seconds: the organisation's keys live no longer`;
  return [{ field: "expires_at", reason: "EXPIRY_TOO_LATE", description }];
}
