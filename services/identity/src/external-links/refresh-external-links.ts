import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import { type ExternalLink, LinkChangedError } from "./external-link.ts";
import { externalLinkExpired } from "./external-link-events.ts";
import { openTokens, sealTokens } from "./link-secrets.ts";
import {
  ProviderRefusedError,
  ProviderTimeoutError,
  type ProviderTokens,
  ProviderUnavailableError,
} from "./oauth-provider.ts";
import {
  type RefreshFailure,
  refreshClaimed,
  refreshed,
  refreshLeadMs,
  refreshPostponed,
  tokensExpired,
} from "./token-refresh.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "externalLinks" | "oauthProviders" | "secrets" | "outbox" | "transaction" | "clock"
> & { logger: WorkerPlatform["logger"] };

/** Pause between two rounds, ms. */
const pauseMs = 1_000;
/** Links of a round. */
const batch = 10;

/**
 * Refreshes the tokens of linked accounts before they end. Every replica looks; one refreshes a link, since a provider may
 * take a refresh token once only.
 */
export function refreshExternalLinks(platform: WorkerPlatform, dependencies: Dependencies): Worker {
  const round = () => refreshDue(dependencies);
  return startWorker(platform, { name: "external-link-refresh", pauseMs, round });
}

async function refreshDue(dependencies: Dependencies): Promise<boolean> {
  const { externalLinks, clock, logger } = dependencies;
  const now = clock();
  const due = await externalLinks.findRefreshable({ now, endingBy: new Date(now.getTime() + refreshLeadMs) }, batch);
  // Beside each other: a provider that does not answer holds up no other.
  const outcomes = await Promise.allSettled(due.map((link) => refreshOne(dependencies, link)));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === "fulfilled") continue;
    logger.warn({ err: outcome.reason, id: due[index]?.id }, "tokens were not refreshed, retrying");
  }
  return due.length === batch;
}

async function refreshOne(dependencies: Dependencies, found: ExternalLink): Promise<void> {
  const claimed = await claim(dependencies, found);
  if (claimed?.tokens === undefined) return;
  const given = await ask(dependencies, claimed, claimed.tokens);
  try {
    await keep(dependencies, claimed, given);
  } catch (error) {
    if (!(error instanceof LinkChangedError)) throw error;
    // Revoked or linked anew meanwhile: no link takes the tokens that were just given.
    if (typeof given !== "string")
      await dependencies.oauthProviders
        .get(claimed.provider)
        ?.revoke(given)
        .catch(() => undefined);
  }
}

async function claim({ externalLinks, clock }: Dependencies, found: ExternalLink): Promise<ExternalLink | undefined> {
  const wanted = refreshClaimed(found, clock());
  if (!wanted) return undefined;
  try {
    return await externalLinks.replace(found.organisationId, wanted);
  } catch (error) {
    if (error instanceof LinkChangedError) return undefined;
    throw error;
  }
}

async function ask(
  { oauthProviders, secrets }: Dependencies,
  link: ExternalLink,
  sealed: string,
): Promise<ProviderTokens | RefreshFailure> {
  const provider = oauthProviders.get(link.provider);
  if (!provider) return "provider_unavailable";
  const tokens = await openTokens(secrets, link, sealed);
  if (tokens.refreshToken === undefined) return "token_expired";
  try {
    return await provider.refresh({ refreshToken: tokens.refreshToken, scopes: link.scopes });
  } catch (error) {
    if (error instanceof ProviderRefusedError) return "refresh_refused";
    if (error instanceof ProviderTimeoutError) return "provider_timeout";
    if (error instanceof ProviderUnavailableError) return "provider_unavailable";
    throw error;
  }
}

/** Applies the outcome to the link as it is now. @throws LinkChangedError when its tokens are others */
async function keep(
  { externalLinks, secrets, outbox, transaction, clock }: Dependencies,
  claimed: ExternalLink,
  given: ProviderTokens | RefreshFailure,
): Promise<void> {
  const { organisationId, id } = claimed;
  const fresh = typeof given === "string" ? undefined : await freshTokens(secrets, claimed, given);
  await transaction(async (session) => {
    const now = clock();
    const link = await externalLinks.get(organisationId, id, session);
    if (link.tokens !== claimed.tokens) throw new LinkChangedError();
    const next = typeof given === "string" ? after(link, given, now) : fresh && refreshed(link, fresh, now);
    if (!next) return;
    await externalLinks.replace(organisationId, next, session);
    if (next.status === "expired") await outbox.stage(session, externalLinkExpired(next, now));
  });
}

async function freshTokens(secrets: Dependencies["secrets"], link: ExternalLink, given: ProviderTokens) {
  const { scopes, expiresAtMs } = given;
  const tokenExpiresAt = expiresAtMs === undefined ? undefined : new Date(expiresAtMs);
  return { tokens: await sealTokens(secrets, link, given), scopes, tokenExpiresAt };
}

/** Without a refresh token the access token is used to its end. Undefined: it is not there yet. */
function after(link: ExternalLink, failure: RefreshFailure, now: Date): ExternalLink | undefined {
  if (failure === "refresh_refused") return tokensExpired(link, failure);
  if (failure !== "token_expired") return refreshPostponed(link, failure, now);
  const end = link.tokenExpiresAt ?? now;
  return end <= now ? tokensExpired(link, failure) : { ...link, refresh: { notBefore: end, failures: 0 } };
}
