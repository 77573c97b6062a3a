import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { events } from "@aiplatform/contract/events";
import { decodeEvent, type ReceivedEvent } from "@aiplatform/event-stream";
import { type DescMessage, getOption, toJson } from "@bufbuild/protobuf";

/** How what was asked ended. */
export type AuditOutcome = "done" | "refused";

/** One thing that a caller did, or was refused. Made once, never changed. */
export interface AuditRecord {
  /** The event's id. */
  id: string;
  /** Empty when none is known. */
  organisationId: string;
  /** Whether it concerns the installation: the operator acted, or a call of no known organisation was refused. */
  installation: boolean;
  at: Date;
  /** What: `domain.entity.happened`. */
  action: string;
  outcome: AuditOutcome;
  memberId?: string | undefined;
  credentialId?: string | undefined;
  requestId?: string | undefined;
  /** Who chose the request id: `platform` or `caller`; absent where it is not known. */
  requestIdSource?: string | undefined;
  /** What it was about; absent of refusals. */
  entityId?: string | undefined;
  /** Of a refusal: why, what was called, and from where. */
  reason?: string | undefined;
  rpc?: string | undefined;
  sourceAddress?: string | undefined;
  /** Of a refusal: how many calls the record stands for. */
  count?: number | undefined;
  /** What else the contract keeps of the event: JSON of an object. */
  details?: string | undefined;
}

/** Events of which fields are kept, by their names. */
const detailed: ReadonlyMap<string, DescMessage> = new Map(
  events.filter((schema) => getOption(schema, event).recordedFields.length > 0).map((each) => [each.typeName, each]),
);

/** Id of the credential that the operator of the installation shows. */
const operatorCredential = "operator";

/** The record of an audited event. @throws InvalidEventError for a refusal that cannot be read. */
export function auditRecordOf(event: ReceivedEvent): AuditRecord {
  return event.dataSchema === CallRefusedSchema.typeName ? recordOfRefusal(event) : recordOfEffect(event);
}

function recordOfEffect(received: ReceivedEvent): AuditRecord {
  const { id, type, organisationId, entityId, time, cause = {} } = received;
  const installation = cause.credentialId === operatorCredential;
  const what = { action: actionOf(type), outcome: "done", entityId, details: detailsOf(received) } as const;
  return { id, organisationId, installation, at: time, ...what, ...cause };
}

/** The fields that the contract keeps, as JSON of an object. @throws InvalidEventError */
function detailsOf({ dataSchema, data }: ReceivedEvent): string | undefined {
  const schema = detailed.get(dataSchema);
  if (!schema) return undefined;
  const said = Object(toJson(schema, decodeEvent(schema, data), { useProtoFieldName: true, alwaysEmitImplicit: true }));
  const kept = getOption(schema, event).recordedFields.map((name) => [name, said[name]]);
  return JSON.stringify(Object.fromEntries(kept));
}

function recordOfRefusal({ id, type, time, data }: ReceivedEvent): AuditRecord {
  const refused = decodeEvent(CallRefusedSchema, data);
  const { organisationId, credentialId } = refused;
  return {
    id,
    organisationId,
    installation: organisationId === "" || credentialId === operatorCredential,
    at: time,
    action: actionOf(type),
    outcome: "refused",
    memberId: refused.memberId || undefined,
    credentialId: credentialId || undefined,
    requestId: refused.requestId || undefined,
    requestIdSource: refused.requestIdSource || undefined,
    reason: refused.reason || undefined,
    rpc: refused.rpc || undefined,
    sourceAddress: refused.sourceAddress || undefined,
    // Earlier versions announced each refusal on its own, without a count.
    count: refused.count || 1,
  };
}

/** `aiplatform.identity.role.created.v1` → `identity.role.created` */
function actionOf(type: string): string {
  return type.split(".").slice(1, -1).join(".");
}
