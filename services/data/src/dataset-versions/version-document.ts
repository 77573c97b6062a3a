import { createHash } from "node:crypto";
import type { FileFormat, SourceFile } from "@aiplatform/data-engine";
import type { TenantDocument } from "@aiplatform/document-store";
import { refsTo, type Thing } from "@aiplatform/service-kit/lineage";
import {
  contentKeyOf,
  type DatasetVersion,
  type FileSource,
  type MadeByQuery,
  type MadeFor,
  type MatchingRows,
  type Predecessor,
  type VersionColumn,
  type VersionData,
  type VersionFile,
  type VersionProblem,
} from "./dataset-version.ts";
import { toUses, type UsesDocument } from "./uses-document.ts";
import type { VersionState } from "./version-state.ts";

interface FileDocument {
  sha256: string;
  name: string;
  format: FileFormat;
  compression: SourceFile["compression"] | null;
  size_bytes: number;
  /** Absent of one that was uploaded. */
  source?: FileSource;
}

interface DataDocument {
  columns: readonly VersionColumn[];
  row_count: number;
  size_bytes: number;
  sha256: string;
}

interface ProblemDocument {
  file: string | null;
  line: number | null;
  column: string | null;
  rule: string;
  message: string;
  remedy: string;
}

interface PredecessorDocument {
  version_id: string;
  number: number;
  matching_rows: MatchingRows;
  size_bytes: number;
  /** Absent once the version is settled. */
  filter?: string;
}

interface QueryDocument {
  /** Absent once the version is purged. */
  sql?: string;
  sources: { name: string; dataset_id: string; version_id: string; number: number; size_bytes: number }[];
}

export interface MadeForDocument {
  member_id: string | null;
  credential_id: string | null;
}

/** A version as it is stored. */
export interface VersionDocument extends TenantDocument {
  dataset_id: string;
  number: number;
  state: VersionState;
  description: string;
  files: FileDocument[];
  /** Digest of what the files are, in their order: those of one digest are read to the same rows. */
  content_key: string;
  /** Without this and `query`, it is made of files. */
  predecessor?: PredecessorDocument;
  query?: QueryDocument;
  /** Absent of versions that an earlier version of the service has stored. */
  made_for?: MadeForDocument;
  /** While it is being read. */
  bytes_read?: number;
  data: DataDocument | null;
  problem: ProblemDocument | null;
  /** Once it is being purged. */
  uses?: UsesDocument;
  created_at: Date;
  updated_at: Date;
  /** Counts transactions that added something to it, so that they conflict with one that purges it. */
  additions?: number;
  /**
   * What is to be done, by one process at a time. `not_before`: when it is due; while it has a holder, the end of the lease. `stops`: how
   * often the process that reads files has stopped.
   */
  task?: { not_before: Date; holder: string | null; attempts: number; stops?: number };
}

/** Digest of {@link contentKeyOf}, which is long. */
export function contentDigestOf(files: readonly VersionFile[]): string {
  return createHash("sha256").update(contentKeyOf(files)).digest("hex");
}

/**
 * That of a version with a predecessor is its own: a digest of the filter would tell who was erased to those who guess. So is that of a
 * query, which may answer otherwise the next time.
 */
function contentKeyOfVersion({ id, predecessor, query, files }: DatasetVersion): string {
  if (query) return `query ${id}`;
  // What is in files that are not copied yet is not known.
  if (files.some(({ sha256 }) => sha256 === "")) return `sources ${id}`;
  return predecessor ? `successor ${id}` : contentDigestOf(files);
}

/** What a version adds to the answer of a list, in characters. */
export function sizeOfVersion({ description, files, query, data }: VersionDocument): number {
  const ofQuery = (query?.sql?.length ?? 0) + (query?.sources.length ?? 0) * 200;
  const ofFiles = files.reduce((size, { name, source }) => {
    return size + name.length + (source?.key.length ?? 0) + 100;
  }, description.length + ofQuery);
  return (data?.columns ?? []).reduce((size, { name, type }) => size + name.length + type.length + 50, ofFiles);
}

/** A new version is due to be read at once, unless it is ready. */
export function toDocument(version: DatasetVersion): VersionDocument {
  const isDue = version.state === "pending";
  return {
    _id: version.id,
    organisation_id: version.organisationId,
    dataset_id: version.datasetId,
    number: version.number,
    state: version.state,
    description: version.description,
    files: version.files.map(({ sizeBytes, compression = null, source, ...file }) => {
      return { ...file, compression, size_bytes: sizeBytes, ...(source && { source }) };
    }),
    content_key: contentKeyOfVersion(version),
    ...(version.predecessor && { predecessor: toPredecessorDocument(version.predecessor) }),
    ...(version.query && { query: toQueryDocument(version.query) }),
    ...(version.madeFor && { made_for: toMadeForDocument(version.madeFor) }),
    data: version.data ? toDataDocument(version.data) : null,
    problem: version.problem ? toProblemDocument(version.problem) : null,
    created_at: version.createdAt,
    updated_at: version.updatedAt,
    ...(isDue && { task: { not_before: version.createdAt, holder: null, attempts: 0 } }),
  };
}

function toPredecessorDocument({ versionId, number, matchingRows, sizeBytes, filter }: Predecessor) {
  const named = { version_id: versionId, number, matching_rows: matchingRows, size_bytes: sizeBytes };
  return { ...named, ...(filter !== undefined && { filter }) };
}

function toPredecessor({ version_id, matching_rows, size_bytes, ...plain }: PredecessorDocument): Predecessor {
  return { versionId: version_id, matchingRows: matching_rows, sizeBytes: size_bytes, ...plain };
}

function toQueryDocument({ sql, sources }: MadeByQuery): QueryDocument {
  const named = sources.map(({ name, datasetId, versionId, number, sizeBytes }) => {
    return { name, dataset_id: datasetId, version_id: versionId, number, size_bytes: sizeBytes };
  });
  return { ...(sql !== undefined && { sql }), sources: named };
}

function toQuery({ sql, sources }: QueryDocument): MadeByQuery {
  const named = sources.map(({ name, dataset_id, version_id, number, size_bytes }) => {
    return { name, datasetId: dataset_id, versionId: version_id, number, sizeBytes: size_bytes };
  });
  return { sql, sources: named };
}

export function toMadeForDocument({ memberId, credentialId }: MadeFor): MadeForDocument {
  return { member_id: memberId ?? null, credential_id: credentialId ?? null };
}

export function toMadeFor({ member_id, credential_id }: MadeForDocument): MadeFor {
  return { memberId: member_id ?? undefined, credentialId: credential_id ?? undefined };
}

export function toDataDocument({ columns, rowCount, sizeBytes, sha256 }: VersionData): DataDocument {
  return { columns, row_count: rowCount, size_bytes: sizeBytes, sha256 };
}

export function toData({ columns, row_count, size_bytes, sha256 }: DataDocument): VersionData {
  return { columns, rowCount: row_count, sizeBytes: size_bytes, sha256 };
}

export function toProblemDocument({ file, line, column, ...said }: VersionProblem): ProblemDocument {
  return { file: file ?? null, line: line ?? null, column: column ?? null, ...said };
}

function toProblem({ file, line, column, ...said }: ProblemDocument): VersionProblem {
  return { file: file ?? undefined, line: line ?? undefined, column: column ?? undefined, ...said };
}

export function toVersion(document: VersionDocument): DatasetVersion {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    datasetId: document.dataset_id,
    number: document.number,
    state: document.state,
    description: document.description,
    files: document.files.map(({ size_bytes, compression, ...file }) => {
      return { ...file, compression: compression ?? undefined, sizeBytes: size_bytes };
    }),
    predecessor: document.predecessor && toPredecessor(document.predecessor),
    query: document.query && toQuery(document.query),
    madeFor: document.made_for && toMadeFor(document.made_for),
    bytesRead: document.bytes_read ?? 0,
    data: document.data ? toData(document.data) : undefined,
    problem: document.problem ? toProblem(document.problem) : undefined,
    uses: document.uses && toUses(document.uses),
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

/** A version as the lineage has it. */
export function toThing({
  _id: id,
  dataset_id: parentId,
  number,
  state,
  predecessor,
  query,
}: Pick<VersionDocument, "_id" | "dataset_id" | "number" | "state" | "predecessor" | "query">): Thing {
  const queried = (query?.sources ?? []).map(({ version_id }) => version_id);
  const sources = refsTo("dataset_version", predecessor ? [predecessor.version_id] : [...new Set(queried)]);
  return { kind: "dataset_version", id, parentId, number, state, sources };
}
