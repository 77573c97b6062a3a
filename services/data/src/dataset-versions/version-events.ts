import {
  DatasetVersionCreatedSchema,
  DatasetVersionFailedSchema,
  DatasetVersionPurgedSchema,
  DatasetVersionReadySchema,
} from "@aiplatform/contract/aiplatform/events/v1/data";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { DatasetVersion, MadeFor, VersionData } from "./dataset-version.ts";

export function versionCreated(version: DatasetVersion, time: Date): OutboxRecord {
  const { files, predecessor, query } = version;
  const sourceVersionIds = (query?.sources ?? []).map(({ versionId }) => versionId);
  const source = { fileCount: files.length, predecessorVersionId: predecessor?.versionId ?? "", sourceVersionIds };
  const message = create(DatasetVersionCreatedSchema, { ...named(version), ...source });
  return eventRecord(DatasetVersionCreatedSchema, message, factsOf(version, time));
}

export function versionReady(version: DatasetVersion, data: VersionData, time: Date): OutboxRecord {
  const { rowCount, sizeBytes, sha256: contentSha256 } = data;
  const sizes = { rowCount: BigInt(rowCount), sizeBytes: BigInt(sizeBytes), contentSha256 };
  const message = create(DatasetVersionReadySchema, { ...named(version), ...sizes });
  return eventRecord(DatasetVersionReadySchema, message, { ...factsOf(version, time), cause: causeOf(version) });
}

export function versionFailed(version: DatasetVersion, time: Date): OutboxRecord {
  const message = create(DatasetVersionFailedSchema, named(version));
  return eventRecord(DatasetVersionFailedSchema, message, { ...factsOf(version, time), cause: causeOf(version) });
}

export function versionPurged(version: DatasetVersion, time: Date): OutboxRecord {
  const message = create(DatasetVersionPurgedSchema, named(version));
  return eventRecord(DatasetVersionPurgedSchema, message, factsOf(version, time));
}

/** What becomes of something later is caused by who has had it made: automations would otherwise start themselves with their own data. */
export function causeOf({ madeFor }: { madeFor?: MadeFor | undefined }): EventCause | undefined {
  if (!madeFor) return undefined;
  const { memberId, credentialId } = madeFor;
  return { ...(memberId !== undefined && { memberId }), ...(credentialId !== undefined && { credentialId }) };
}

function named({ id: datasetVersionId, organisationId, datasetId, number }: DatasetVersion) {
  return { organisationId, datasetId, datasetVersionId, number };
}

function factsOf({ id: entityId, organisationId }: DatasetVersion, time: Date) {
  return { organisationId, entityId, time };
}
