import { type NewApiKey, newApiKey } from "../api-keys/new-api-key.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { type Member, type NewMember, newMember } from "../members/member.ts";
import { administratorPermissions, administratorRoleId } from "../roles/system-roles.ts";
import { assertUsableSlug, type Organisation } from "./organisation.ts";
import { organisationCreated } from "./organisation-events.ts";

export interface CreatedOrganisation {
  organisation: Organisation;
  administrator: Member;
  key: NewApiKey;
}

/**
 * Creates an organisation with its administrator and a key, all or nothing.
 * @throws SlugLikeIdError, IncompleteSubjectError, OrganisationSlugTakenError
 */
export async function createOrganisation(
  dependencies: IdentityDependencies,
  wanted: Pick<Organisation, "slug" | "name"> & { administrator: NewMember },
): Promise<CreatedOrganisation> {
  const { organisations, members, apiKeys, outbox, transaction, catalogue, clock, newId } = dependencies;
  assertUsableSlug(wanted.slug);
  const createdAt = clock();
  const begun = { state: "active", stateRevision: 0 } as const;
  const organisation = { id: newId(), slug: wanted.slug, name: wanted.name, createdAt, ...begun };
  const made = { id: newId(), organisationId: organisation.id, roleIds: [administratorRoleId], createdAt };
  const administrator = newMember(wanted.administrator, made);
  const key = newApiKey(dependencies, {
    organisationId: organisation.id,
    name: "First key",
    permissionIds: administratorPermissions(catalogue),
    expiresAt: undefined,
    createdByMemberId: undefined,
  });
  await transaction(async (session) => {
    await organisations.insert(organisation, session);
    await members.insert(organisation.id, administrator, session);
    await apiKeys.insert(organisation.id, key, session);
    await outbox.stage(session, organisationCreated(organisation, createdAt));
  });
  return { organisation, administrator, key };
}
