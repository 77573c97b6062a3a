import { callerOf, permissionMissing } from "@aiplatform/caller-identity";
import {
  type SupervisionLease as SupervisionLeaseMessage,
  SupervisionLeaseSchema,
  SupervisionLeaseService,
} from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { SupervisionLease } from "../job-log/job-entry.ts";
import { addressOf } from "../runs/job-directory.ts";
import { acquireLease, getLease, type LeaseDependencies, releaseLease, renewLease } from "./lease-operations.ts";
import { mayOverride, overridePermission } from "./supervision-lease.ts";

const defaultTtlSeconds = 300;

export function supervisionLeaseRoutes(router: ConnectRouter, dependencies: LeaseDependencies): void {
  router.service(SupervisionLeaseService, {
    async acquireSupervisionLease(request, context) {
      const caller = callerOf(context);
      const { organisationId, memberId } = caller;
      const { ttlSeconds = defaultTtlSeconds, takeOver } = request;
      if (takeOver && !mayOverride(caller)) throw permissionMissing(overridePermission);
      const wanted = { ttlSeconds, takeOver, ...(memberId === undefined ? {} : { holderMemberId: memberId }) };
      const { lease, token } = await acquireLease(dependencies, organisationId, addressOf(request), wanted);
      return { lease: leaseMessage(lease), supervisionLeaseToken: token };
    },
    async getSupervisionLease(request, context) {
      const { organisationId } = callerOf(context);
      return { lease: leaseMessage(await getLease(dependencies, organisationId, addressOf(request))) };
    },
    async renewSupervisionLease(request, context) {
      const { organisationId } = callerOf(context);
      const wanted = { proof: proofOf(request), ttlSeconds: request.ttlSeconds ?? defaultTtlSeconds };
      return { lease: leaseMessage(await renewLease(dependencies, organisationId, addressOf(request), wanted)) };
    },
    async releaseSupervisionLease(request, context) {
      const { organisationId } = callerOf(context);
      const lease = await releaseLease(dependencies, organisationId, addressOf(request), proofOf(request));
      return { lease: leaseMessage(lease) };
    },
  });
}

function proofOf(request: { supervisionId: string; supervisionLeaseToken: string }) {
  return { supervisionId: request.supervisionId, token: request.supervisionLeaseToken };
}

function leaseMessage({ id, epoch, holderMemberId, acquiredAt, expiresAt }: SupervisionLease): SupervisionLeaseMessage {
  return create(SupervisionLeaseSchema, {
    supervisionId: id,
    epoch,
    ...(holderMemberId === undefined ? {} : { holderMemberId }),
    acquiredAt: timestampFromDate(acquiredAt),
    expiresAt: timestampFromDate(expiresAt),
  });
}
