import type { IdentityDependencies } from "../dependencies.ts";
import { memberChanged, memberDeactivated } from "../events.ts";
import { type Member, MemberNotFoundError } from "./member.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "outbox" | "transaction" | "clock">;

/** Takes a member's access away; one who has none stays as they are. Throws MemberNotFoundError. */
export function deactivateMember(
  { members, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  id: string,
): Promise<Member> {
  return transaction(async (session) => {
    const member = await members.find(organisationId, id, session);
    if (!member) throw new MemberNotFoundError(id);
    if (!member.active) return member;
    await members.deactivate(organisationId, id, session);
    const now = clock();
    await outbox.stage(session, memberChanged(member, now), memberDeactivated(member, now));
    return { ...member, active: false };
  });
}
