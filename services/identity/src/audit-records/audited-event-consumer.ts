import { auditedEvents } from "@aiplatform/caller-identity";
import { DeletedOrganisations, type DocumentStore } from "@aiplatform/document-store";
import { type Consumer, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { type AuditRecord, auditRecordOf } from "./audit-record.ts";
import type { AuditRecordStore } from "./audit-record-store.ts";

/**
 * Keeps a record of every audited event of every service: which those are, the contract says. The record's id is the
 * event's, so that an event that comes again adds nothing and needs no inbox.
 */
export function consumeAuditedEvents(o: {
  stream: Pick<EventStream, "consumeBatches">;
  store: DocumentStore;
  auditRecords: AuditRecordStore;
  retentionDays: number;
}): Consumer {
  const deletedOrganisations = new DeletedOrganisations(o.store);
  /** Of a deleted organisation, what concerns the installation. */
  const kept = async (records: readonly AuditRecord[]) => {
    const deleted = await deletedOrganisations.among(records.map(({ organisationId }) => organisationId));
    return records.filter(({ installation, organisationId }) => installation || !deleted.has(organisationId));
  };
  return o.stream.consumeBatches({
    durable: "identity-audit",
    // What a killed process had fetched comes again after this time; a repeat costs nothing, so it may be short.
    ackWaitMs: 10_000,
    subjects: auditedEvents().map((schema) => eventSubject(schema)),
    handler: async (events) => o.auditRecords.append(await kept(events.map(auditRecordOf)), o.retentionDays),
  });
}
