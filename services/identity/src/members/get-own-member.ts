import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { getMember } from "./get-member.ts";
import { CallerIsNoMemberError, type Member } from "./member.ts";

/** The calling member. Throws CallerIsNoMemberError. */
export async function getOwnMember(
  dependencies: Pick<IdentityDependencies, "members">,
  { organisationId, memberId }: Pick<Granter, "organisationId" | "memberId">,
): Promise<Member> {
  if (memberId === undefined) throw new CallerIsNoMemberError();
  return await getMember(dependencies, organisationId, memberId);
}
