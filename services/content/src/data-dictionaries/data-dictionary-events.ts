import {
  DataDictionaryEntryDeletedSchema,
  DataDictionaryPatchedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Dictionary } from "./data-dictionary.ts";

export function dictionaryPatched(
  { organisationId, datasetId, version }: Dictionary,
  changedEntries: number,
  time: Date,
): OutboxRecord {
  const fields = { organisationId, datasetId, version: BigInt(version), changedEntries };
  const message = create(DataDictionaryPatchedSchema, fields);
  return eventRecord(DataDictionaryPatchedSchema, message, { organisationId, entityId: datasetId, time });
}

export function dictionaryEntryDeleted(
  { organisationId, datasetId }: Dictionary,
  name: string,
  time: Date,
): OutboxRecord {
  const message = create(DataDictionaryEntryDeletedSchema, { organisationId, datasetId, name });
  return eventRecord(DataDictionaryEntryDeletedSchema, message, { organisationId, entityId: datasetId, time });
}
