import type { AccessToken } from "../credentials/access-token.ts";
import { findTokenMember } from "../credentials/find-token-member.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "../members/member.ts";
import { organisationsOf } from "../sessions/switch-target.ts";

export type FindSignInMemberDependencies = Pick<
  IdentityDependencies,
  "sessions" | "organisations" | "members" | "issuers" | "outbox" | "transaction" | "clock"
>;

/**
 * The member that a person signs in as: by the rules of access tokens, except that a person of several organisations comes into the one
 * that they were seen in last. They can switch from there.
 * @throws CredentialRefusedError, OrganisationSuspendedError
 */
export async function findSignInMember(
  dependencies: FindSignInMemberDependencies,
  identity: AccessToken,
): Promise<Member> {
  const { organisations, members } = dependencies;
  const several = identity.organisation === undefined ? await openMemberships(dependencies, identity) : [];
  const member = lastSeen(several) ?? (await findTokenMember(dependencies, identity));
  await organisations.assertActive(member.organisationId);
  await members.setLastSeen(member.organisationId, member.id, dependencies.clock());
  return member;
}

/** Where the person is an active member, of organisations that are active. */
async function openMemberships(
  dependencies: FindSignInMemberDependencies,
  { issuer, subject }: AccessToken,
): Promise<Member[]> {
  const known = await dependencies.members.findEverywhereBySubject(issuer, subject);
  const open = await organisationsOf(dependencies, { issuer, subject, organisationId: "" });
  const ids = new Set(open.map(({ id }) => id));
  return known.filter(({ status, organisationId }) => status === "active" && ids.has(organisationId));
}

function lastSeen(members: readonly Member[]): Member | undefined {
  const seenAt = ({ lastSeenAt }: Member) => lastSeenAt?.getTime() ?? 0;
  return members.toSorted((one, other) => seenAt(other) - seenAt(one))[0];
}
