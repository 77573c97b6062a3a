import { OrganisationCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Organisation } from "./organisation.ts";

export function organisationCreated({ id, name }: Organisation, time: Date): OutboxRecord {
  const message = create(OrganisationCreatedSchema, { organisationId: id, name });
  return eventRecord(OrganisationCreatedSchema, message, { organisationId: id, entityId: id, time });
}
