import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { type Member, memberIdOf } from "./member.ts";
import { memberEmailPreferenceSet } from "./member-events.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "outbox" | "transaction" | "clock">;

/**
 * Says whether the calling member wants the e-mails that are sent to members; what is so already changes nothing.
 * @throws CallerNotMemberError
 */
export async function setOwnEmailPreference(
  { members, outbox, transaction, clock }: Dependencies,
  caller: Pick<GrantingCaller, "organisationId" | "memberId">,
  emailOptedOut: boolean,
): Promise<Member> {
  const { organisationId } = caller;
  const id = memberIdOf(caller);
  return await transaction(async (session) => {
    const member = await members.get(organisationId, id, session);
    if (member.emailOptedOut === emailOptedOut) return member;
    const changed = { ...member, emailOptedOut };
    await members.setEmailPreference(organisationId, changed, session);
    await outbox.stage(session, memberEmailPreferenceSet(changed, clock()));
    return changed;
  });
}
