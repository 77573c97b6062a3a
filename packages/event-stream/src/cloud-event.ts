import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { headers, type MsgHdrs } from "nats";
import { InvalidEventError } from "./errors.ts";
import { subjectToken } from "./subjects.ts";

/** An event as a consumer gets it. */
export interface ReceivedEvent extends Omit<OutboxRecord, "losses" | "tellsOfDeletion"> {
  /** 1 the first time. */
  attempt: number;
}

const causeFields = [
  ["memberId", "ce-memberid"],
  ["credentialId", "ce-credentialid"],
  ["requestId", "ce-requestid"],
  ["requestIdSource", "ce-requestidsource"],
] as const;

/** Where an event is published, in the contract's spelling. */
export function subjectOf({
  type,
  organisationId,
  entityId,
}: Pick<OutboxRecord, "type" | "organisationId" | "entityId">): string {
  return `${type}.${subjectToken(organisationId)}.${subjectToken(entityId)}`;
}

/** Binary CloudEvents 1.0: attributes in headers, the message alone in the body. */
export function toHeaders(record: OutboxRecord): MsgHdrs {
  const fields = headers();
  const attributes = {
    "ce-specversion": "1.0",
    "ce-id": record.id,
    "ce-type": record.type,
    "ce-source": `/aiplatform/${record.type.split(".")[1] ?? ""}`,
    "ce-subject": encodeURIComponent(record.entityId),
    "ce-organisation": encodeURIComponent(record.organisationId),
    "ce-time": record.time.toISOString(),
    "ce-dataschema": record.dataSchema,
    "content-type": "application/protobuf",
    ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
    ...causeHeaders(record.cause),
  };
  for (const [name, value] of Object.entries(attributes)) fields.set(name, value);
  return fields;
}

/** Throws {@link InvalidEventError} for a message that no service of ours has published. */
export function toEvent(fields: MsgHdrs | undefined, data: Uint8Array, attempt: number): ReceivedEvent {
  const attribute = (name: string) => {
    const value = fields?.get(name);
    if (!value) throw new InvalidEventError(`the message has no header ${name}`);
    return value;
  };
  const time = new Date(attribute("ce-time"));
  if (Number.isNaN(time.getTime())) throw new InvalidEventError("the header ce-time is not a time");
  const traceparent = fields?.get("traceparent");
  return {
    id: attribute("ce-id"),
    type: attribute("ce-type"),
    organisationId: decodeURIComponent(attribute("ce-organisation")),
    entityId: decodeURIComponent(attribute("ce-subject")),
    data,
    dataSchema: attribute("ce-dataschema"),
    time,
    ...(traceparent ? { traceparent } : {}),
    ...causeOf(fields),
    attempt,
  };
}

/** Percent-encoded: what an identity provider calls its subjects may hold anything. */
function causeHeaders(cause: EventCause | undefined): Record<string, string> {
  const named = causeFields.flatMap(([field, header]) => {
    const text = cause?.[field];
    return text ? [[header, encodeURIComponent(text.toWellFormed())] as const] : [];
  });
  return Object.fromEntries(named);
}

function causeOf(fields: MsgHdrs | undefined): { cause?: EventCause } {
  const named = causeFields.flatMap(([field, header]) => {
    const text = fields?.get(header);
    return text ? [[field, decodeURIComponent(text)] as const] : [];
  });
  return named.length === 0 ? {} : { cause: Object.fromEntries(named) };
}
