import type { IdentityDependencies } from "../dependencies.ts";
import { type Member, MemberTakenError } from "./member.ts";
import { memberCredentialChanged, memberJoined } from "./member-events.ts";

/** A subject of an issuer, with an address that the issuer has verified. */
export type Newcomer = Pick<Member, "organisationId" | "issuer" | "subject" | "email">;

type Dependencies = Pick<IdentityDependencies, "members" | "organisations" | "outbox" | "transaction" | "clock">;

/**
 * Takes up an invitation to the organisation: the subject stands for the member who was invited with the address, for
 * good. Undefined when there is no such member: an address that another subject has, or a member who was deactivated,
 * cannot be taken.
 * @throws OrganisationSuspendedError
 */
export async function joinMember(
  { members, organisations, outbox, transaction, clock }: Dependencies,
  { organisationId, ...newcomer }: Newcomer,
): Promise<Member | undefined> {
  try {
    return await transaction(async (session) => {
      const member = await members.join(organisationId, newcomer, session);
      if (!member) return undefined;
      await organisations.assertActive(organisationId);
      await outbox.stage(session, memberJoined(member, clock()), memberCredentialChanged(member, clock()));
      return member;
    });
  } catch (error) {
    if (error instanceof MemberTakenError) return undefined;
    throw error;
  }
}
