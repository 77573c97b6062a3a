import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { memberEmailPreferenceSet } from "../events.ts";
import { CallerIsNoMemberError, type Member, MemberNotFoundError } from "./member.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "outbox" | "transaction" | "clock">;

/**
 * Says whether the calling member wants the e-mails that are sent to members; what is so already changes nothing. Throws
 * CallerIsNoMemberError.
 */
export async function setOwnEmailPreference(
  { members, outbox, transaction, clock }: Dependencies,
  { organisationId, memberId: id }: Pick<Granter, "organisationId" | "memberId">,
  emailOptedOut: boolean,
): Promise<Member> {
  if (id === undefined) throw new CallerIsNoMemberError();
  return await transaction(async (session) => {
    const member = await members.find(organisationId, id, session);
    if (!member) throw new MemberNotFoundError(id);
    if (member.emailOptedOut === emailOptedOut) return member;
    const changed = { ...member, emailOptedOut };
    await members.setEmailPreference(organisationId, changed, session);
    await outbox.stage(session, memberEmailPreferenceSet(changed, clock()));
    return changed;
  });
}
