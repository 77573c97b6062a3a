import { isDelegated, isOfNotebook, signInCodeIdOf } from "@aiplatform/caller-identity";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { type HolderRef, holderOf } from "../credentials/holder-ref.ts";

/** How a session was opened. */
export type SessionMethod = "api_key" | "access_token" | "sign_in_code" | "switch" | "identity_provider";

/** A browser's session, without its token. */
export interface Session {
  id: string;
  organisationId: string;
  /** Who acts in it. */
  holder: HolderRef;
  method: SessionMethod;
  /** What the browser said it is; empty: nothing. */
  userAgent: string;
  createdAt: Date;
  /** To the minute; written lazily. */
  lastUsedAt: Date;
  /** When it ends in any case. */
  expiresAt: Date;
}

/** How long sessions last. */
export interface SessionLimits {
  /** Without a request, ms. */
  idleMs: number;
  /** In any case, ms. */
  maxMs: number;
}

/** Most sessions that a member or a key has at once. Opening one more ends the oldest. */
export const maxSessionsOfHolder = 100;
/** Most characters that are kept of what a browser says it is. */
const maxUserAgentLength = 256;
/** Uses are stored to the minute: a session must not end before its idle time is over. */
const useGranularityMs = 60_000;

/** When the session ends unless it is used before; never later than its end. */
export function idleEnd({ lastUsedAt, expiresAt }: Session, { idleMs }: SessionLimits): Date {
  return new Date(Math.min(lastUsedAt.getTime() + useGranularityMs + idleMs, expiresAt.getTime()));
}

/** The earliest last use with which a session has not ended by being idle. */
export function oldestUse(now: Date, { idleMs }: SessionLimits): Date {
  return new Date(now.getTime() - useGranularityMs - idleMs);
}

/** Whether the session has ended by time. */
export function isOver(session: Session, limits: SessionLimits, now: Date): boolean {
  return idleEnd(session, limits) <= now;
}

/** What is kept of a browser's name for itself. */
export function shortUserAgent(text: string): string {
  return text.slice(0, maxUserAgentLength).toWellFormed();
}

/** Whether both are the same member, or the same key. */
export function isSameHolder(one: HolderRef, other: HolderRef): boolean {
  return "memberId" in one
    ? "memberId" in other && one.memberId === other.memberId
    : "apiKeyId" in other && one.apiKeyId === other.apiKeyId;
}

/** What a session can be opened from. */
export interface OpeningCaller {
  organisationId: string;
  memberId?: string;
  credentialId: string;
  sessionId?: string;
}

/** How a caller opens a session. */
export type SessionOpening =
  | { method: "sign_in_code"; codeId: string }
  | { method: "switch"; sessionId: string; memberId: string; toOrganisationId: string }
  | { method: "access_token" | "api_key"; holder: HolderRef };

/**
 * What the caller's credential opens. Neither the operator, a delegation nor a notebook opens one: a session would outlive them. A session opens
 * another only in another organisation: otherwise it would have no end.
 * @throws CredentialOpensNoSessionError
 */
export function openingOf(caller: OpeningCaller, toOrganisationId: string | undefined): SessionOpening {
  const { organisationId, memberId, credentialId, sessionId } = caller;
  const codeId = signInCodeIdOf(credentialId);
  const isAbroad = toOrganisationId !== undefined && toOrganisationId !== organisationId;
  if (sessionId !== undefined && memberId !== undefined && isAbroad) {
    return { method: "switch", sessionId, memberId, toOrganisationId };
  }
  if (organisationId === "" || sessionId !== undefined || isAbroad) throw new CredentialOpensNoSessionError();
  if (isDelegated(credentialId) || isOfNotebook(credentialId)) throw new CredentialOpensNoSessionError();
  if (codeId !== undefined) return { method: "sign_in_code", codeId };
  return { method: memberId === undefined ? "api_key" : "access_token", holder: holderOf(caller) };
}

/** Not found, or another holder's. */
export class SessionNotFoundError extends NotFoundError {
  override name = "SessionNotFoundError";
}

/** The caller's credential opens no session. */
export class CredentialOpensNoSessionError extends Error {
  override name = "CredentialOpensNoSessionError";
  constructor() {
    super("This credential opens no session: show an API key, an access token or a sign-in code");
  }
}

/** Browsers have no safe way to keep a session here. */
export class SessionsOffError extends Error {
  override name = "SessionsOffError";
  constructor() {
    super("Sessions are not set up here: PUBLIC_URL is not set, or is neither https nor http on this machine");
  }
}

/** One-time codes are for installations that only this machine reaches. */
export class SignInCodesOffError extends Error {
  override name = "SignInCodesOffError";
  constructor() {
    super("Sign-in codes are made only where PUBLIC_URL is http on this machine");
  }
}
