import { callerOf } from "@aiplatform/caller-identity";
import {
  AuditRecordSchema,
  AuditService,
  type ListAuditRecordsRequest,
  AuditOutcome as OutcomeMessage,
  type AuditRecord as RecordMessage,
  RequestIdSource,
} from "@aiplatform/contract/aiplatform/identity/v1/audit";
import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { AuditOutcome, AuditRecord } from "./audit-record.ts";
import type { AuditFilter, AuditRecordStore } from "./audit-record-store.ts";

const defaultLimit = 100;

const outcomes = {
  done: OutcomeMessage.DONE,
  refused: OutcomeMessage.REFUSED,
} satisfies Record<AuditOutcome, OutcomeMessage>;

const requestIdSources = new Map<string | undefined, RequestIdSource>([
  ["platform", RequestIdSource.PLATFORM],
  ["caller", RequestIdSource.CALLER],
]);

const outcomeFilters = new Map<OutcomeMessage, AuditOutcome>([
  [OutcomeMessage.DONE, "done"],
  [OutcomeMessage.REFUSED, "refused"],
]);

export function auditRecordRoutes(router: ConnectRouter, { auditRecords }: { auditRecords: AuditRecordStore }): void {
  router.service(AuditService, {
    async listAuditRecords(request, context) {
      const { memberId, credentialId, action, entityId, requestId } = request;
      const which = { memberId, credentialId, action, entityId, requestId, ...restrictions(request) };
      return answer(await auditRecords.list(callerOf(context).organisationId, which, pageIn(request)));
    },
    async listInstallationAuditRecords(request) {
      return answer(await auditRecords.listOfInstallation(restrictions(request), pageIn(request)));
    },
  });
}

type PageFields = Pick<ListAuditRecordsRequest, "limit" | "cursor" | "filter" | "orderBy">;

function pageIn({ limit = defaultLimit, cursor, filter, orderBy }: PageFields): ListPageRequest {
  return { limit, cursor, filter, orderBy };
}

/** What both lists can be restricted to. */
function restrictions(o: {
  outcome: OutcomeMessage;
  since?: Timestamp | undefined;
  until?: Timestamp | undefined;
}): Pick<AuditFilter, "outcome" | "since" | "until"> {
  return {
    outcome: outcomeFilters.get(o.outcome),
    since: o.since && timestampDate(o.since),
    until: o.until && timestampDate(o.until),
  };
}

function answer({ items, nextCursor }: Page<AuditRecord>): { records: RecordMessage[]; nextCursor: string } {
  return { records: items.map(recordMessage), nextCursor };
}

function recordMessage(record: AuditRecord): RecordMessage {
  const { organisationId, memberId, credentialId, reason, rpc, entityId, requestId, sourceAddress } = record;
  const { id, action } = record;
  return create(AuditRecordSchema, {
    ...{ id, action, at: timestampFromDate(record.at), outcome: outcomes[record.outcome] },
    actor: present({ memberId, credentialId }),
    requestIdSource: requestIdSources.get(record.requestIdSource) ?? RequestIdSource.UNSPECIFIED,
    ...present({ organisationId: organisationId || undefined, reason, rpc, entityId, requestId, sourceAddress }),
    ...(record.count === undefined ? {} : { count: record.count }),
    ...(record.details === undefined ? {} : { details: { text: record.details } }),
  });
}

/** Without the fields that have no value. */
function present<T extends Record<string, string | undefined>>(fields: T): { [Key in keyof T]?: string } {
  const known: { [Key in keyof T]?: string } = {};
  for (const key in fields) if (fields[key] !== undefined) known[key] = fields[key];
  return known;
}
