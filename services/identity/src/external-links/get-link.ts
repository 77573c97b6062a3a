import type { IdentityDependencies } from "../dependencies.ts";
import { type ExternalLink, LinkNotFoundError } from "./external-link.ts";

/** Throws LinkNotFoundError. */
export async function getLink(
  { externalLinks }: Pick<IdentityDependencies, "externalLinks">,
  organisationId: string,
  linkId: string,
): Promise<ExternalLink> {
  const link = await externalLinks.find(organisationId, linkId);
  if (!link) throw new LinkNotFoundError(linkId);
  return link;
}
