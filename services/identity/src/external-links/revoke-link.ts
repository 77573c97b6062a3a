import type { IdentityDependencies } from "../dependencies.ts";
import { type ExternalLink, LinkChangedError, LinkNotFoundError, revoked } from "./external-link.ts";
import { externalLinkRevoked } from "./external-link-events.ts";
import { openTokens } from "./link-secrets.ts";

export type RevokeLinkDependencies = Pick<
  IdentityDependencies,
  "externalLinks" | "oauthProviders" | "secrets" | "outbox" | "transaction" | "clock"
> & {
  /** Told when the provider did not take its tokens back; they are erased here all the same. */
  onProviderFailure: (failure: { linkId: string; error: unknown }) => void;
};

/**
 * Takes the tokens back at the provider, then erases them; what waits for a member ends. What has neither stays as it is.
 * Throws LinkNotFoundError, LinkChangedError.
 */
export async function revokeLink(
  dependencies: RevokeLinkDependencies,
  organisationId: string,
  linkId: string,
): Promise<ExternalLink> {
  const { externalLinks, outbox, transaction, clock } = dependencies;
  const link = await externalLinks.find(organisationId, linkId);
  if (!link) throw new LinkNotFoundError(linkId);
  const now = clock();
  const next = revoked(link, now);
  if (!next) return link;
  await takeBack(dependencies, link);
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

async function takeBack(
  { oauthProviders, secrets, onProviderFailure }: RevokeLinkDependencies,
  link: ExternalLink,
): Promise<void> {
  if (link.tokens === undefined) return;
  try {
    await oauthProviders.get(link.provider)?.revoke(await openTokens(secrets, link, link.tokens));
  } catch (error) {
    onProviderFailure({ linkId: link.id, error });
  }
}
