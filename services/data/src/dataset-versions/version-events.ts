import {
  DatasetVersionCreatedSchema,
  DatasetVersionFailedSchema,
  DatasetVersionPurgedSchema,
  DatasetVersionReadySchema,
} from "@aiplatform/contract/aiplatform/events/v1/data";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { DatasetVersion, VersionData } from "./dataset-version.ts";

export function versionCreated(version: DatasetVersion, time: Date): OutboxRecord {
  const { files, predecessor } = version;
  const source = { fileCount: files.length, predecessorVersionId: predecessor?.versionId ?? "" };
  const message = create(DatasetVersionCreatedSchema, { ...named(version), ...source });
  return eventRecord(DatasetVersionCreatedSchema, message, factsOf(version, time));
}

export function versionReady(version: DatasetVersion, data: VersionData, time: Date): OutboxRecord {
  const { rowCount, sizeBytes, sha256: contentSha256 } = data;
  const sizes = { rowCount: BigInt(rowCount), sizeBytes: BigInt(sizeBytes), contentSha256 };
  const message = create(DatasetVersionReadySchema, { ...named(version), ...sizes });
  return eventRecord(DatasetVersionReadySchema, message, factsOf(version, time));
}

export function versionFailed(version: DatasetVersion, time: Date): OutboxRecord {
  const message = create(DatasetVersionFailedSchema, named(version));
  return eventRecord(DatasetVersionFailedSchema, message, factsOf(version, time));
}

export function versionPurged(version: DatasetVersion, time: Date): OutboxRecord {
  const message = create(DatasetVersionPurgedSchema, named(version));
  return eventRecord(DatasetVersionPurgedSchema, message, factsOf(version, time));
}

function named({ id: datasetVersionId, organisationId, datasetId, number }: DatasetVersion) {
  return { organisationId, datasetId, datasetVersionId, number };
}

function factsOf({ id: entityId, organisationId }: DatasetVersion, time: Date) {
  return { organisationId, entityId, time };
}
