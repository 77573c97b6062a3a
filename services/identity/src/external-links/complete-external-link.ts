import { setTimeout as delay } from "node:timers/promises";
import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { providerFailureOf } from "../oauth-client/provider-errors.ts";
import {
  claimed,
  type ExternalLink,
  failed,
  type LinkAttempt,
  LinkChangedError,
  type LinkFailure,
  linked,
} from "./external-link.ts";
import { externalLinkCompleted, externalLinkFailed } from "./external-link-events.ts";
import { LinkBrowser } from "./link-browser.ts";
import type { LinkOutcome } from "./link-page.ts";
import { codeHashOf, openVerifier, sealTokens, stateHashOf } from "./link-secrets.ts";
import type { ProviderTokens } from "./oauth-provider.ts";

export type CompleteExternalLinkDependencies = Pick<
  IdentityDependencies,
  "externalLinks" | "oauthProviders" | "redirectUri" | "secrets" | "hasher" | "outbox" | "transaction" | "clock"
>;

/** What the provider put into the URL of its redirect, and the browser's cookies. */
export interface AuthorizationResponse {
  code: string;
  state: string;
  iss: string;
  error: string;
  cookie: string;
}

/** How long a repeated redirect waits for the one that exchanges, and how often it looks. */
const waitMs = 9_000;
const lookEveryMs = 100;

/**
 * Ends an attempt: exchanges the code and keeps the tokens, or says why not. Of several at once one exchanges, and the others
 * answer what became of it.
 */
export async function completeExternalLink(
  dependencies: CompleteExternalLinkDependencies,
  response: AuthorizationResponse,
): Promise<LinkOutcome> {
  const { externalLinks, clock } = dependencies;
  const until = clock().getTime() + waitMs;
  let hasWaited = false;
  for (;;) {
    const found = await findAttempt(dependencies, response);
    if (typeof found === "string") return found;
    // If another call's exchange has failed, the attempt is gone, and the answer above is `state_unknown`.
    const taken = await take(externalLinks, found, clock());
    if (taken) return await exchange(dependencies, taken, response);
    if (hasWaited && clock().getTime() > until) return "provider_timeout";
    hasWaited = true;
    await delay(lookEveryMs);
  }
}

/** The link whose attempt is under way, or how it ended. */
async function findAttempt(
  { externalLinks, hasher, clock }: CompleteExternalLinkDependencies,
  { state, code, cookie }: AuthorizationResponse,
): Promise<ExternalLink | LinkOutcome> {
  if (state === "") return "state_unknown";
  const stateHash = stateHashOf(hasher, state);
  const link = await externalLinks.findByState(stateHash);
  if (!link) return "state_unknown";
  if (link.attempt?.stateHash === stateHash) {
    if (link.attempt.expiresAt <= clock()) return "attempt_expired";
    // Another browser has gone on from the page: the attempt stays as it is.
    return new LinkBrowser(hasher, state).hasAgreed(cookie) ? link : "browser_unknown";
  }
  // A browser that comes again, with what it came with before.
  const isRepeat = code !== "" && link.finished?.codeHash === codeHashOf(hasher, code);
  return isRepeat ? "linked" : "state_unknown";
}

/** Claims the exchange; undefined when another call has it. */
async function take(
  externalLinks: CompleteExternalLinkDependencies["externalLinks"],
  link: ExternalLink,
  now: Date,
): Promise<ExternalLink | undefined> {
  const claim = claimed(link, now);
  if (!claim) return undefined;
  try {
    return await externalLinks.replace(link.organisationId, claim);
  } catch (error) {
    if (error instanceof LinkChangedError) return undefined;
    throw error;
  }
}

async function exchange(
  dependencies: CompleteExternalLinkDependencies,
  link: ExternalLink,
  response: AuthorizationResponse,
): Promise<LinkOutcome> {
  const { attempt } = link;
  if (!attempt) return "state_unknown";
  const given = await ask(dependencies, { link, attempt, response });
  try {
    return await (typeof given === "string"
      ? fail(dependencies, { link, attempt, error: given })
      : keep(dependencies, { link, attempt, code: response.code, tokens: given }));
  } catch (error) {
    if (!(error instanceof LinkChangedError)) throw error;
    // A newer attempt or a revocation came between: no link takes the tokens that were just given.
    const provider = dependencies.oauthProviders.get(link.provider);
    if (typeof given !== "string") await provider?.revoke(given).catch(() => undefined);
    return "state_unknown";
  }
}

async function ask(
  { oauthProviders, redirectUri, secrets }: CompleteExternalLinkDependencies,
  { link, attempt, response }: { link: ExternalLink; attempt: LinkAttempt; response: AuthorizationResponse },
): Promise<ProviderTokens | LinkFailure> {
  const provider = oauthProviders.get(link.provider);
  if (!provider || redirectUri === undefined) return "provider_unavailable";
  const { state, cookie: _cookie, ...parameters } = response;
  try {
    const codeVerifier = await openVerifier(secrets, link, attempt.verifier);
    return await provider.exchange({ parameters, state, codeVerifier, redirectUri });
  } catch (error) {
    const failure = providerFailureOf(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

async function keep(
  { externalLinks, secrets, hasher, outbox, transaction, clock }: CompleteExternalLinkDependencies,
  o: { link: ExternalLink; attempt: LinkAttempt; code: string; tokens: ProviderTokens },
): Promise<LinkOutcome> {
  const { link, attempt, tokens } = o;
  const { scopes, expiresAtMs } = tokens;
  const given = {
    tokens: await sealTokens(secrets, link, tokens),
    scopes,
    tokenExpiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs),
    codeHash: codeHashOf(hasher, o.code),
  };
  await transaction(async (session) => {
    const now = clock();
    const next = linked(await stillAttempted(externalLinks, { link, attempt }, session), attempt, given, now);
    await externalLinks.replace(link.organisationId, next, session);
    await outbox.stage(session, externalLinkCompleted(next, attempt, now));
  });
  return "linked";
}

async function fail(
  { externalLinks, outbox, transaction, clock }: CompleteExternalLinkDependencies,
  { link, attempt, error }: { link: ExternalLink; attempt: LinkAttempt; error: LinkFailure },
): Promise<LinkOutcome> {
  await transaction(async (session) => {
    const next = failed(await stillAttempted(externalLinks, { link, attempt }, session), error);
    await externalLinks.replace(link.organisationId, next, session);
    await outbox.stage(session, externalLinkFailed(next, attempt, { error, time: clock() }));
  });
  return error;
}

/** The link as it is now: a refresh of its tokens may have come between. @throws LinkChangedError when the attempt is over */
async function stillAttempted(
  externalLinks: CompleteExternalLinkDependencies["externalLinks"],
  { link, attempt }: { link: ExternalLink; attempt: LinkAttempt },
  session: ClientSession,
): Promise<ExternalLink> {
  const now = await externalLinks.get(link.organisationId, link.id, session);
  const isSame =
    now.attempt?.stateHash === attempt.stateHash &&
    now.attempt.claimedUntil?.getTime() === attempt.claimedUntil?.getTime();
  if (!isSame) throw new LinkChangedError();
  return now;
}
