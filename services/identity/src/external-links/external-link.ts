import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { ProviderFailure } from "../oauth-client/provider-errors.ts";
import { type RefreshFailure, refreshAfter, type TokenRefresh } from "./token-refresh.ts";

/** Where a link stands. */
export type LinkStatus = "pending" | "linked" | "failed" | "expired" | "revoked";

/** Why an attempt did not end in a link. Never the provider's own words. */
export type LinkFailure = ProviderFailure;

/** A member's way to the provider and back. */
export interface LinkAttempt {
  /** Keyed hash of the state; the state itself is kept nowhere. */
  stateHash: string;
  /** The PKCE verifier, sealed. */
  verifier: string;
  expiresAt: Date;
  /** Who began it. */
  memberId: string | undefined;
  credentialId: string;
  /** Until when one request has the exchange to itself. */
  claimedUntil: Date | undefined;
}

/** An account at another platform, under the name by which its tokens are kept. */
export interface ExternalLink {
  id: string;
  organisationId: string;
  provider: string;
  secretName: string;
  secretDescription: string;
  status: LinkStatus;
  /** Of the last attempt or refresh; a linked one can have it from a relink or a refresh that failed. */
  error: LinkFailure | RefreshFailure | undefined;
  memberId: string | undefined;
  scopes: string[];
  createdAt: Date;
  linkedAt: Date | undefined;
  tokenExpiresAt: Date | undefined;
  /** There while linked, where the token ends. */
  refresh: TokenRefresh | undefined;
  revokedAt: Date | undefined;
  /** Under way. A linked one has it while it is linked again. */
  attempt: LinkAttempt | undefined;
  /** Sealed. There while linked. */
  tokens: string | undefined;
  /** Hashes of the state and code of the last success: who comes with both again sees it again. */
  finished: { stateHash: string; codeHash: string } | undefined;
  /** Grows with every change: what decides between two. */
  revision: number;
  /** The worker that refreshed its tokens when it was read: decides between two as the revision does. */
  refreshedBy?: string | undefined;
}

/** What the provider gave. */
export interface LinkedTokens {
  /** Sealed. */
  tokens: string;
  scopes: string[];
  tokenExpiresAt: Date | undefined;
  codeHash: string;
}

/** Minutes for a member to come back. */
const attemptMs = 15 * 60_000;
/** Longer than an exchange may take, so that only the claim of a process that is gone runs out. */
const claimMs = 15_000;

export class ExternalLinkNotFoundError extends NotFoundError {
  override name = "ExternalLinkNotFoundError";
}

/** The name's tokens would be replaced, and the caller did not ask for that. */
export class SecretNameLinkedError extends Error {
  override name = "SecretNameLinkedError";
  constructor(provider: string | undefined) {
    super(
      provider === undefined
        ? "This name is linked; set relink to replace its tokens"
        : `This name is linked to ${provider}; revoke that link first`,
    );
  }
}

export class ProviderNotConfiguredError extends NotFoundError {
  override name = "ProviderNotConfiguredError";
}

/** Another call changed the link first. */
export class LinkChangedError extends Error {
  override name = "LinkChangedError";
  constructor() {
    super("The link has changed meanwhile; ask again");
  }
}

/** When an attempt that begins now ends. */
export function attemptEnd(now: Date): Date {
  return new Date(now.getTime() + attemptMs);
}

/**
 * Where the link stands at a time: an attempt that no browser came back from ends by itself, and so does a token. A link whose
 * provider does not answer is linked again once it was refreshed.
 */
export function statusAt(
  { status, attempt, tokenExpiresAt }: Pick<ExternalLink, "status" | "attempt" | "tokenExpiresAt">,
  now: Date,
): LinkStatus {
  if (status === "pending") return attempt && attempt.expiresAt > now ? "pending" : "expired";
  return status === "linked" && tokenExpiresAt && tokenExpiresAt <= now ? "expired" : status;
}

/** Whether no other link of the organisation can have the name. */
export function holdsName({ status }: Pick<ExternalLink, "status">): boolean {
  return status === "pending" || status === "linked";
}

/** The link with a new attempt; its tokens, if it has some, go on until that succeeds. */
export function begun(link: ExternalLink, attempt: LinkAttempt, secretDescription: string): ExternalLink {
  return { ...link, attempt, secretDescription, error: undefined };
}

/** A pending link whose name a newer one takes. */
export function overtaken(link: ExternalLink): ExternalLink {
  return { ...link, status: "expired", attempt: undefined };
}

/** The link with its exchange claimed; undefined when another call has it, or the attempt is over. */
export function claimed(link: ExternalLink, now: Date): ExternalLink | undefined {
  const { attempt } = link;
  if (!attempt || attempt.expiresAt <= now) return undefined;
  if (attempt.claimedUntil && attempt.claimedUntil > now) return undefined;
  return { ...link, attempt: { ...attempt, claimedUntil: new Date(now.getTime() + claimMs) } };
}

/** The link once the provider gave its tokens. */
export function linked(link: ExternalLink, attempt: LinkAttempt, given: LinkedTokens, now: Date): ExternalLink {
  const { tokens, scopes, tokenExpiresAt, codeHash } = given;
  const finished = { stateHash: attempt.stateHash, codeHash };
  const refresh = refreshAfter(tokenExpiresAt, now);
  const facts = { tokens, scopes, tokenExpiresAt, refresh, finished, linkedAt: now, memberId: attempt.memberId };
  return { ...link, ...facts, status: "linked", attempt: undefined, error: undefined };
}

/** The link once an attempt failed: what was linked stays so, and the name of what was not is free. */
export function failed(link: ExternalLink, error: LinkFailure): ExternalLink {
  return { ...link, status: link.status === "linked" ? "linked" : "failed", attempt: undefined, error };
}

/** The link without its tokens; undefined when it has none and waits for none. */
export function revoked(link: ExternalLink, now: Date): ExternalLink | undefined {
  const isOver = link.status === "pending" && statusAt(link, now) === "expired";
  if (!holdsName(link) || isOver) return undefined;
  const gone = { attempt: undefined, tokens: undefined, finished: undefined, refresh: undefined };
  return { ...link, ...gone, status: "revoked", revokedAt: now };
}
