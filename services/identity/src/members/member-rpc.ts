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
import { optionalTimestamp } from "../timestamps.ts";
import { createMember } from "./create-member.ts";
import { deactivateMember } from "./deactivate-member.ts";
import { type MemberStatus as KnownStatus, type Member, memberIdOf, type NewMember } from "./member.ts";
import { reactivateMember } from "./reactivate-member.ts";
import { setMemberRoles } from "./set-member-roles.ts";
import { setOwnEmailPreference } from "./set-own-email-preference.ts";

const statuses: Record<KnownStatus, MemberStatus> = {
  invited: MemberStatus.INVITED,
  active: MemberStatus.ACTIVE,
  inactive: MemberStatus.INACTIVE,
};

export function memberRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  const { members } = dependencies;
  router.service(MemberService, {
    async createMember({ member, roleIds }, context) {
      const wanted = { ...newMemberFrom(member), roleIds };
      return { member: memberMessage(await createMember(dependencies, callerOf(context), wanted)) };
    },
    async listMembers(page, context) {
      const { items, nextCursor } = await members.list(callerOf(context).organisationId, page);
      return { members: items.map(memberMessage), nextCursor };
    },
    async getMember({ memberId }, context) {
      const { organisationId } = callerOf(context);
      return { member: memberMessage(await members.get(organisationId, memberId)) };
    },
    async setMemberRoles({ memberId, roleIds }, context) {
      const wanted = { memberId, roleIds };
      return { member: memberMessage(await setMemberRoles(dependencies, callerOf(context), wanted)) };
    },
    async deactivateMember({ memberId, keepApiKeys: keepsApiKeys }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, memberId, keepsApiKeys };
      return { member: memberMessage(await deactivateMember(dependencies, wanted)) };
    },
    async reactivateMember({ memberId }, context) {
      return { member: memberMessage(await reactivateMember(dependencies, callerOf(context), memberId)) };
    },
    async getOwnMember(_request, context) {
      const caller = callerOf(context);
      return { member: memberMessage(await members.get(caller.organisationId, memberIdOf(caller))) };
    },
    async setOwnEmailPreference({ emailOptedOut = false }, context) {
      const member = await setOwnEmailPreference(dependencies, callerOf(context), emailOptedOut);
      return { member: memberMessage(member) };
    },
    async checkMembers({ memberIds }, context) {
      const { organisationId } = callerOf(context);
      const found = await members.findAll(organisationId, memberIds);
      return { memberIds: found.map(({ id }) => id) };
    },
    async resolveMembers({ memberIds }, context) {
      const { organisationId } = callerOf(context);
      const found = await members.findAll(organisationId, memberIds);
      return { members: found.map(resolvedMember) };
    },
  });
}

function resolvedMember({ id, displayName, email, status, emailOptedOut }: Member) {
  return { id, displayName, email, isActive: status === "active", emailOptedOut };
}

/** The member of a request; the contract's rules have seen to it that there is one. */
export function newMemberFrom(message: NewMemberMessage | undefined): NewMember {
  const { displayName = "", email = "", issuer = "", subject = "" } = message ?? {};
  return { displayName, email, issuer, subject };
}

/** A member as callers see it. */
export function memberMessage({ createdAt, lastSeenAt, status, ...member }: Member): MemberMessage {
  return create(MemberSchema, {
    ...member,
    status: statuses[status],
    createdAt: timestampFromDate(createdAt),
    ...optionalTimestamp("lastSeenAt", lastSeenAt),
  });
}
