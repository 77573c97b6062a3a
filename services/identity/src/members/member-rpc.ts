import { callerOf } from "@aiplatform/caller-identity";
import {
  type Member as MemberMessage,
  MemberSchema,
  MemberService,
  MemberStatus,
  type NewMember as NewMemberMessage,
} from "@aiplatform/contract/aiplatform/identity/v1/members";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { createMember } from "./create-member.ts";
import { deactivateMember } from "./deactivate-member.ts";
import type { Member, NewMember } from "./member.ts";
import { setMemberRoles } from "./set-member-roles.ts";

/** Serves MemberService. */
export function memberRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  router.service(MemberService, {
    async createMember({ member, roleIds }, context) {
      const wanted = { ...newMemberFrom(member), roleIds: roleIds.map(toId) };
      return { member: memberMessage(await createMember(dependencies, callerOf(context), wanted)) };
    },
    async listMembers(_, context) {
      const members = await dependencies.members.list(callerOf(context).organisationId);
      return { members: members.map(memberMessage) };
    },
    async setMemberRoles({ memberId, roleIds }, context) {
      const wanted = { memberId: toId(memberId), roleIds: roleIds.map(toId) };
      return { member: memberMessage(await setMemberRoles(dependencies, callerOf(context), wanted)) };
    },
    async deactivateMember({ memberId }, context) {
      const { organisationId } = callerOf(context);
      return { member: memberMessage(await deactivateMember(dependencies, organisationId, toId(memberId))) };
    },
  });
}

/** An id as it is stored: callers may write theirs in capitals. */
function toId(id: string): string {
  return id.toLowerCase();
}

/** The member of a request; the contract's rules have seen to it that there is one. */
export function newMemberFrom(message: NewMemberMessage | undefined): NewMember {
  const { displayName = "", email = "", issuer = "", subject = "" } = message ?? {};
  return { displayName, email, issuer, subject };
}

/** A member as callers see it. */
export function memberMessage({ createdAt, active, ...member }: Member): MemberMessage {
  const status = active ? MemberStatus.ACTIVE : MemberStatus.INACTIVE;
  return create(MemberSchema, { ...member, status, createdAt: timestampFromDate(createdAt) });
}
