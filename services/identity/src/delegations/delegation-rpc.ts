import { callerOf } from "@aiplatform/caller-identity";
import {
  type Delegation as DelegationMessage,
  DelegationSchema,
  DelegationService,
} from "@aiplatform/contract/aiplatform/identity/v1/delegations";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { optionalTimestamp } from "../timestamps.ts";
import { createDelegation } from "./create-delegation.ts";
import type { Delegation } from "./delegation.ts";
import { revokeDelegation } from "./revoke-delegation.ts";

export function delegationRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  router.service(DelegationService, {
    async createDelegation({ delegationId, purpose, permissionIds, digest }, context) {
      const wanted = { id: delegationId, purpose, permissionIds, digest: digest || undefined };
      return { delegation: delegationMessage(await createDelegation(dependencies, callerOf(context), wanted)) };
    },
    async revokeDelegation({ delegationId }, context) {
      const { organisationId } = callerOf(context);
      const revoked = await revokeDelegation(dependencies, organisationId, delegationId);
      return { delegation: delegationMessage(revoked) };
    },
  });
}

function delegationMessage({ giver, createdAt, revokedAt, digest = "", ...fields }: Delegation): DelegationMessage {
  return create(DelegationSchema, {
    ...fields,
    digest,
    ...("memberId" in giver ? { memberId: giver.memberId } : {}),
    createdAt: timestampFromDate(createdAt),
    ...optionalTimestamp("revokedAt", revokedAt),
  });
}
