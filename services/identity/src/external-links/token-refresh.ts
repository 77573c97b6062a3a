import { type Backoff, backoffMs } from "@aiplatform/backoff";
import type { ExternalLink } from "./external-link.ts";

/** Why tokens were not refreshed: the provider takes the refresh token no longer, there is none, or nothing was answered. */
export type RefreshFailure = "refresh_refused" | "token_expired" | "provider_timeout" | "provider_unavailable";

/** When a link's tokens are next refreshed. */
export interface TokenRefresh {
  /** Not before this time: half of a short token's life, the end of a claim, or of a pause after a failure. */
  notBefore: Date;
  /** Refreshes in a row that the provider did not answer. */
  failures: number;
}

/** A token is refreshed so long before its end, ms; one that lives less than twice as long, after half of its life. */
export const refreshLeadMs: number = 5 * 60_000;
/** Longer than a refresh takes, so that only the claim of a process that is gone runs out. */
const claimMs = 15_000;
/** Pause after a provider did not answer. */
const retrying: Backoff = { minMs: 1_000, maxMs: 5 * 60_000 };
/** How long after its end a token's refresh is tried while the provider does not answer. */
const giveUpMs = 24 * 3_600_000;

/** The refresh of tokens that were given now; undefined when they do not end. */
export function refreshAfter(tokenExpiresAt: Date | undefined, now: Date): TokenRefresh | undefined {
  if (!tokenExpiresAt) return undefined;
  const halfLifeMs = Math.max((tokenExpiresAt.getTime() - now.getTime()) / 2, 0);
  return { notBefore: new Date(now.getTime() + halfLifeMs), failures: 0 };
}

/** The link with its refresh claimed; undefined when it is not due, or another replica has it. */
export function refreshClaimed(link: ExternalLink, now: Date): ExternalLink | undefined {
  const { status, tokens, tokenExpiresAt, refresh } = link;
  if (status !== "linked" || tokens === undefined || !tokenExpiresAt) return undefined;
  if (tokenExpiresAt.getTime() - refreshLeadMs > now.getTime()) return undefined;
  if (refresh && refresh.notBefore > now) return undefined;
  const notBefore = new Date(now.getTime() + claimMs);
  return { ...link, refresh: { notBefore, failures: refresh?.failures ?? 0 } };
}

/** What the provider gave in place of the tokens. */
export interface RefreshedTokens {
  /** Sealed. */
  tokens: string;
  scopes: string[];
  tokenExpiresAt: Date | undefined;
}

/** The link with fresh tokens. */
export function refreshed(link: ExternalLink, given: RefreshedTokens, now: Date): ExternalLink {
  return { ...link, ...given, refresh: refreshAfter(given.tokenExpiresAt, now), error: undefined };
}

/** The link once its tokens cannot be refreshed: they are erased, and its name is free. */
export function tokensExpired(link: ExternalLink, error: RefreshFailure): ExternalLink {
  const gone = { attempt: undefined, tokens: undefined, finished: undefined, refresh: undefined };
  return { ...link, ...gone, status: "expired", error };
}

/** The link once the provider did not answer: tried again after a pause, and given up a day after the token's end. */
export function refreshPostponed(link: ExternalLink, error: RefreshFailure, now: Date): ExternalLink {
  const endedMs = now.getTime() - (link.tokenExpiresAt?.getTime() ?? now.getTime());
  if (endedMs > giveUpMs) return tokensExpired(link, error);
  const failures = (link.refresh?.failures ?? 0) + 1;
  const notBefore = new Date(now.getTime() + backoffMs(retrying, failures));
  return { ...link, refresh: { notBefore, failures }, error };
}
