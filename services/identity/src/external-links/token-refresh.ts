import type { ExternalLink } from "./external-link.ts";

/** Why tokens were not refreshed: the provider takes the refresh token no longer, there is none, or nothing was answered. */
export type RefreshFailure = "refresh_refused" | "token_expired" | "provider_timeout" | "provider_unavailable";

/** When a link's tokens are next refreshed. */
export interface TokenRefresh {
  /** When it is due; while it has a holder, the end of the lease. */
  notBefore: Date;
  /** The worker that refreshes them now. */
  holder?: string | undefined;
  /** Refreshes in a row that the provider did not answer. */
  failures: number;
}

/** A token is refreshed so long before its end, ms; one that lives less than twice as long, after half of its life. */
const leadMs = 5 * 60_000;
/** How long after its end a token's refresh is tried while the provider does not answer. */
const giveUpMs = 24 * 3_600_000;

/** The refresh of tokens that were given now; undefined when they do not end. */
export function refreshAfter(tokenExpiresAt: Date | undefined, now: Date): TokenRefresh | undefined {
  if (!tokenExpiresAt) return undefined;
  const lifeMs = Math.max(tokenExpiresAt.getTime() - now.getTime(), 0);
  return { notBefore: new Date(now.getTime() + Math.max(lifeMs / 2, lifeMs - leadMs)), failures: 0 };
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

/** The link once the provider did not answer: given up a day after the token's end. */
export function refreshFailed(link: ExternalLink, error: RefreshFailure, now: Date): ExternalLink {
  const endedMs = now.getTime() - (link.tokenExpiresAt?.getTime() ?? now.getTime());
  return endedMs > giveUpMs ? tokensExpired(link, error) : { ...link, error };
}
