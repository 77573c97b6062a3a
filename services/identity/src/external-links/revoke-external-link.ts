import type { IdentityDependencies } from "../dependencies.ts";
import { type ExternalLink, LinkChangedError, revoked } from "./external-link.ts";
import { externalLinkRevoked } from "./external-link-events.ts";
import { openTokens } from "./link-secrets.ts";

export type RevokeExternalLinkDependencies = Pick<
  IdentityDependencies,
  "externalLinks" | "oauthProviders" | "secrets" | "outbox" | "transaction" | "clock"
> & {
  /** Called when the provider did not revoke its tokens; they are erased here all the same. */
  onProviderFailure: (failure: { linkId: string; error: unknown }) => void;
};

/**
 * Takes the tokens back at the provider, then erases them; what waits for a member ends. What has neither stays as it
 * is.
 * @throws ExternalLinkNotFoundError, LinkChangedError
 */
export async function revokeExternalLink(
  dependencies: RevokeExternalLinkDependencies,
  organisationId: string,
  linkId: string,
): Promise<ExternalLink> {
  const { externalLinks, outbox, transaction, clock } = dependencies;
  const link = await externalLinks.get(organisationId, linkId);
  const now = clock();
  const next = revoked(link, now);
  if (!next) return link;
  await revokeAtProvider(dependencies, link);
  try {
    return await transaction(async (session) => {
      const kept = await externalLinks.replace(organisationId, next, session);
      await outbox.stage(session, externalLinkRevoked(kept, now));
      return kept;
    });
  } catch (error) {
    if (!(error instanceof LinkChangedError)) throw error;
    // If another call revoked the link, this call has what it asked for; any other change is for the caller to look at.
    const kept = await externalLinks.find(organisationId, linkId);
    if (kept?.status !== "revoked") throw error;
    return kept;
  }
}

async function revokeAtProvider(
  { oauthProviders, secrets, onProviderFailure }: RevokeExternalLinkDependencies,
  link: ExternalLink,
): Promise<void> {
  if (link.tokens === undefined) return;
  try {
    await oauthProviders.get(link.provider)?.revoke(await openTokens(secrets, link, link.tokens));
  } catch (error) {
    onProviderFailure({ linkId: link.id, error });
  }
}
