import type { IdentityDependencies } from "../dependencies.ts";
import { joinMember } from "../members/join-member.ts";
import type { Member } from "../members/member.ts";
import type { AccessToken } from "./access-token.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";

type Dependencies = Pick<IdentityDependencies, "organisations" | "members" | "outbox" | "transaction" | "clock">;

/**
 * The member for whom the token stands. One who was invited with the token's verified address becomes the token's
 * subject first.
 * @throws CredentialRefusedError, OrganisationSuspendedError
 */
export async function findTokenMember(dependencies: Dependencies, token: AccessToken): Promise<Member> {
  const member =
    token.organisation === undefined
      ? await findAnywhere(dependencies, token)
      : await findInOrganisation(dependencies, token, await findOrganisationId(dependencies, token.organisation));
  if (!member) throw new CredentialRefusedError(token.organisation ? "MEMBER_UNKNOWN" : "ORGANISATION_UNDECIDED");
  if (member.status !== "active") throw new CredentialRefusedError("MEMBER_INACTIVE");
  return member;
}

async function findOrganisationId({ organisations }: Dependencies, name: string): Promise<string | undefined> {
  return (await organisations.findByName(name))?.id;
}

async function findInOrganisation(
  dependencies: Dependencies,
  { issuer, subject, verifiedEmail }: AccessToken,
  organisationId: string | undefined,
): Promise<Member | undefined> {
  if (organisationId === undefined) return undefined;
  const bySubject = () => dependencies.members.findBySubject(organisationId, issuer, subject);
  const known = await bySubject();
  if (known || verifiedEmail === undefined) return known;
  const joined = await joinMember(dependencies, { organisationId, issuer, subject, email: verifiedEmail });
  // Another first request of the same person may have been faster.
  return joined ?? (await bySubject());
}

/** Members that the subject is bound to come first: an invitation elsewhere must not lock a member out. */
async function findAnywhere(dependencies: Dependencies, token: AccessToken): Promise<Member | undefined> {
  const known = await dependencies.members.findEverywhereBySubject(token.issuer, token.subject);
  const active = known.filter(({ status }) => status === "active");
  if (active.length > 0) return only(active);
  const { verifiedEmail } = token;
  const places = verifiedEmail === undefined ? [] : await dependencies.members.organisationsWithEmail(verifiedEmail);
  return (await findInOrganisation(dependencies, token, only(places))) ?? only(known);
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
