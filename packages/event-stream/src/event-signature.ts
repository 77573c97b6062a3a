import type { ServiceKeys } from "@aiplatform/service-keys";
import type { MsgHdrs } from "nats";

/** What a signature on NATS may be for; one that was made for one of these is none for another. */
export type SignatureType = "event" | "dead-letter" | "redrive";

const signedAtHeader = "ce-signedat";
/** All that a consumer reads, in this order. */
const signedHeaders = [
  "ce-id",
  "ce-type",
  "ce-source",
  "ce-subject",
  "ce-organisation",
  "ce-time",
  "ce-dataschema",
  "ce-memberid",
  "ce-credentialid",
  "ce-requestid",
  "ce-requestidsource",
  "traceparent",
] as const;

/** Where the signature of an event is. */
export const eventSignature = "ce-signature";

/** Signs an event's attributes and data as the service that the keys are of. */
export function signEvent(keys: ServiceKeys, fields: MsgHdrs, data: Uint8Array, now: Date): void {
  fields.set(signedAtHeader, now.toISOString());
  fields.set(eventSignature, keys.sign("event" satisfies SignatureType, signedBytes(fields, data)));
}

/** Which service has signed the event, and when. @throws SignatureError when none has */
export function signerOfEvent(
  keys: ServiceKeys,
  fields: MsgHdrs,
  data: Uint8Array,
): { service: string; signedAt: Date } {
  const bytes = signedBytes(fields, data);
  const service = keys.verify("event" satisfies SignatureType, bytes, fields.get(eventSignature));
  return { service, signedAt: new Date(fields.get(signedAtHeader)) };
}

/** The headers as a list of JSON, so that nothing of one can pass for a part of another, and then the data. */
export function signedBytes(fields: MsgHdrs, data: Uint8Array, more: readonly string[] = []): Uint8Array {
  const values = [...signedHeaders, signedAtHeader, ...more].map((name) => fields.get(name));
  return Buffer.concat([Buffer.from(`${JSON.stringify(values)}\n`), data]);
}
