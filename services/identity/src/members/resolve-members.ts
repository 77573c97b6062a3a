import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "./member.ts";

/** The organisation's members behind the ids, each once and in no particular order; other ids are left out. */
export function resolveMembers(
  { members }: Pick<IdentityDependencies, "members">,
  organisationId: string,
  ids: readonly string[],
): Promise<Member[]> {
  return members.findAll(organisationId, ids);
}
