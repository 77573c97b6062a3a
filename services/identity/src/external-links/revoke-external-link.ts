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
  if (!revoked(link, now)) return link;
  await revokeAtProvider(dependencies, link);
  // Read again within the transaction: outside of it the database may still answer with the link as it was before another call revoked it.
  return await transaction(async (session) => {
    const current = await externalLinks.get(organisationId, linkId, session);
    const next = revoked(current, now);
    if (!next) return current;
    if (current.tokens !== link.tokens) throw new LinkChangedError();
    const kept = await externalLinks.replace(organisationId, next, session);
    await outbox.stage(session, externalLinkRevoked(kept, now));
    return kept;
  });
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
