import type { IdentityDependencies } from "../dependencies.ts";
import { type Member, MemberNotFoundError } from "./member.ts";

/** One member. Throws MemberNotFoundError. */
export async function getMember(
  { members }: Pick<IdentityDependencies, "members">,
  organisationId: string,
  id: string,
): Promise<Member> {
  const member = await members.find(organisationId, id);
  if (!member) throw new MemberNotFoundError(id);
  return member;
}
