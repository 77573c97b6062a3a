import type { IdentityDependencies } from "../dependencies.ts";
import { type Organisation, OrganisationNotFoundError } from "./organisation.ts";

/** The caller's own organisation. Throws OrganisationNotFoundError for the operator, who has none. */
export async function getOrganisation(
  { organisations }: Pick<IdentityDependencies, "organisations">,
  organisationId: string,
): Promise<Organisation> {
  const organisation = organisationId === "" ? undefined : await organisations.findByName(organisationId);
  if (!organisation) throw new OrganisationNotFoundError();
  return organisation;
}
