import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { isAdministrator, LastAdministratorError, type Member } from "./member.ts";

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
  const { organisationId, status } = member;
  if (!isAdministrator(member)) return;
  // Each of two such transactions would find the other's administrator still there.
  await organisations.lock(organisationId, session);
  // An invitation may never be taken up: it stands in for another invitation only.
  const standIns = status === "active" ? (["active"] as const) : (["active", "invited"] as const);
  if (!(await members.hasOtherAdministrator(member, standIns, session))) throw new LastAdministratorError();
}
