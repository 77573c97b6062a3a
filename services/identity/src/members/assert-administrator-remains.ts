import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { isActiveAdministrator, LastAdministratorError, type Member } from "./member.ts";

/**
 * Stands before a change after which the member does not administer the organisation.
 * @throws LastAdministratorError when no other member would, also when two administrators remove each other at the same
 * time.
 */
export async function assertAdministratorRemains(
  { members, organisations }: Pick<IdentityDependencies, "members" | "organisations">,
  member: Member,
  session: ClientSession,
): Promise<void> {
  if (!isActiveAdministrator(member)) return;
  // Each of two such transactions would find the other's administrator still there.
  await organisations.lock(member.organisationId, session);
  if (!(await members.hasOtherAdministrator(member.organisationId, member.id, session))) {
    throw new LastAdministratorError();
  }
}
