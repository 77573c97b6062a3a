import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "./member.ts";

/** The members behind the ids, each once and in no particular order; ids of nobody in the organisation are left out. */
export function resolveMembers(
  { members }: Pick<IdentityDependencies, "members">,
  organisationId: string,
  ids: readonly string[],
): Promise<Member[]> {
  return members.findAll(organisationId, ids);
}
