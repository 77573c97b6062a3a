import { ClaimingWorker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import {
  ProviderRefusedError,
  ProviderTimeoutError,
  ProviderUnavailableError,
} from "../oauth-client/provider-errors.ts";
import { type ExternalLink, LinkChangedError } from "./external-link.ts";
import { externalLinkExpired } from "./external-link-events.ts";
import { openTokens, sealTokens } from "./link-secrets.ts";
import type { ProviderTokens } from "./oauth-provider.ts";
import { type RefreshFailure, refreshed, refreshFailed, tokensExpired } from "./token-refresh.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "externalLinks" | "oauthProviders" | "secrets" | "outbox" | "transaction" | "clock"
> &
  WorkerPlatform;

/** Longer than a provider may take to answer. */
const leaseMs = 15_000;
/** Links whose tokens this process refreshes at once. */
const concurrency = 10;

/** The provider did not answer: the refresh is due again after a pause. */
class ProviderSilentError extends Error {
  override name = "ProviderSilentError";
}

/**
 * Refreshes the tokens of linked accounts before they end. One replica refreshes a link, since a provider may take a refresh
 * token once only.
 */
export function startExternalLinkRefresh(dependencies: Dependencies): ClaimingWorker<ExternalLink> {
  const { externalLinks, clock } = dependencies;
  const worker = new ClaimingWorker<ExternalLink>(dependencies, {
    name: "external-link-refresh",
    ...{ leases: externalLinks.leases, leaseMs, concurrency },
    run: ({ work }) => refresh(dependencies, work),
  });
  // A token of a few seconds is refreshed before it ends.
  externalLinks.onKept((notBefore) => worker.wakeWithin(notBefore.getTime() - clock().getTime()));
  return worker;
}

/** @throws ProviderSilentError */
async function refresh(dependencies: Dependencies, claimed: ExternalLink): Promise<void> {
  if (claimed.tokens === undefined) return;
  const given = await ask(dependencies, claimed, claimed.tokens);
  try {
    await keep(dependencies, claimed, given);
  } catch (error) {
    if (!(error instanceof LinkChangedError)) throw error;
    // Revoked or linked again meanwhile: no link takes the tokens that were just given.
    if (typeof given !== "string")
      await dependencies.oauthProviders
        .get(claimed.provider)
        ?.revoke(given)
        .catch(() => undefined);
    return;
  }
  if (given === "provider_timeout" || given === "provider_unavailable") throw new ProviderSilentError(given);
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
  const next = typeof given === "string" ? given : await freshTokens(secrets, claimed, given);
  await transaction(async (session) => {
    const now = clock();
    const link = await externalLinks.get(organisationId, id, session);
    if (link.tokens !== claimed.tokens) throw new LinkChangedError();
    const changed = typeof next === "string" ? after(link, next, now) : refreshed(link, next, now);
    await externalLinks.replace(organisationId, changed, session);
    if (changed.status === "expired") await outbox.stage(session, externalLinkExpired(changed, now));
  });
}

async function freshTokens(secrets: Dependencies["secrets"], link: ExternalLink, given: ProviderTokens) {
  const { scopes, expiresAtMs } = given;
  const tokenExpiresAt = expiresAtMs === undefined ? undefined : new Date(expiresAtMs);
  return { tokens: await sealTokens(secrets, link, given), scopes, tokenExpiresAt };
}

/** Without a refresh token the access token is used to its end. */
function after(link: ExternalLink, failure: RefreshFailure, now: Date): ExternalLink {
  if (failure === "refresh_refused") return tokensExpired(link, failure);
  if (failure !== "token_expired") return refreshFailed(link, failure, now);
  const end = link.tokenExpiresAt ?? now;
  return end <= now ? tokensExpired(link, failure) : { ...link, refresh: { notBefore: end, failures: 0 } };
}
