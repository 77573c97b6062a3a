import { randomUUIDv7 } from "node:crypto";
import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { currentTraceparent } from "@aiplatform/telemetry";
import { type DescMessage, fromBinary, getOption, hasOption, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { EventDeclarationError, InvalidEventError } from "./errors.ts";
import { subjectToken } from "./subjects.ts";

export interface EventFacts {
  /** UUID v7 by default. Give one where the same fact may be recorded twice and must stay one event. */
  id?: string;
  organisationId: string;
  entityId: string;
  time: Date;
  /** Default: the trace under way. */
  traceparent?: string | undefined;
  /** Default: what the outbox finds out by itself when the record is staged. */
  cause?: EventCause | undefined;
  /** Whether the record stays when its organisation is deleted, because it tells of that. Default false. */
  tellsOfDeletion?: true;
}

/** The record to stage in the outbox for this message. Throws {@link EventDeclarationError} for a message that is no event. */
export function eventRecord<S extends DescMessage>(
  schema: S,
  message: MessageShape<S>,
  facts: EventFacts,
): OutboxRecord {
  if (facts.organisationId === "" || facts.entityId === "") {
    throw new EventDeclarationError(`an event ${schema.typeName} needs an organisation and an entity`);
  }
  const traceparent = facts.traceparent ?? currentTraceparent();
  return {
    id: facts.id ?? randomUUIDv7(),
    type: eventType(schema),
    organisationId: facts.organisationId,
    entityId: facts.entityId,
    data: toBinary(schema, message),
    dataSchema: schema.typeName,
    time: facts.time,
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(facts.cause === undefined ? {} : { cause: facts.cause }),
    ...(facts.tellsOfDeletion === undefined ? {} : { tellsOfDeletion: facts.tellsOfDeletion }),
  };
}

const knownTypes = new WeakMap<DescMessage, string>();

/** `aiplatform.<domain>.<entity>.<happened>.<version>`, from the contract. */
export function eventType(schema: DescMessage): string {
  const known = knownTypes.get(schema);
  if (known !== undefined) return known;
  const type = declaredType(schema);
  knownTypes.set(schema, type);
  return type;
}

function declaredType(schema: DescMessage): string {
  if (!hasOption(schema, event)) throw new EventDeclarationError(`${schema.typeName} is not declared as an event`);
  const { domain, entity, happened } = getOption(schema, event);
  const version = /\.(v\d+)$/.exec(schema.file.proto.package)?.[1];
  if (!domain || !entity || !happened || !version) {
    throw new EventDeclarationError(`${schema.typeName} needs domain, entity, happened and a versioned package`);
  }
  return ["aiplatform", domain, entity, happened, version].join(".");
}

/** The subject to listen on or to consume; `*` stands for any organisation or entity. */
export function eventSubject(schema: DescMessage, organisationId = "*", entityId = "*"): string {
  const token = (text: string) => (text === "*" ? text : subjectToken(text));
  return `${eventType(schema)}.${token(organisationId)}.${token(entityId)}`;
}

/** Reads an event's message. Throws {@link InvalidEventError}. */
export function decodeEvent<S extends DescMessage>(schema: S, data: Uint8Array): MessageShape<S> {
  try {
    return fromBinary(schema, data);
  } catch (error) {
    throw new InvalidEventError(`the data is not a ${schema.typeName}`, { cause: error });
  }
}
