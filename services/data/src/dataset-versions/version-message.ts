import {
  DatasetColumnKind,
  DatasetFileCompression,
  DatasetFileFormat,
  DatasetMatchingRows,
  type DatasetVersion as DatasetVersionMessage,
  DatasetVersionSchema,
  DatasetVersionState,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { FileFormat, SourceFile } from "@aiplatform/data-engine";
import { usesMessage } from "@aiplatform/service-kit/lineage";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ColumnKind,
  type DatasetVersion,
  type MadeByQuery,
  type MatchingRows,
  type Predecessor,
  sourceBytesOf,
  type VersionFile,
  type VersionProblem,
} from "./dataset-version.ts";
import type { VersionState } from "./version-state.ts";

/** The contract refuses a request that does not say. */
export const formats: Readonly<Record<DatasetFileFormat, FileFormat>> = {
  [DatasetFileFormat.UNSPECIFIED]: "csv",
  [DatasetFileFormat.CSV]: "csv",
  [DatasetFileFormat.JSONL]: "jsonl",
  [DatasetFileFormat.PARQUET]: "parquet",
  [DatasetFileFormat.ARROW]: "arrow",
};

export const compressions: Readonly<Record<DatasetFileCompression, SourceFile["compression"] | undefined>> = {
  [DatasetFileCompression.UNSPECIFIED]: undefined,
  [DatasetFileCompression.GZIP]: "gzip",
  [DatasetFileCompression.ZSTD]: "zstd",
};

const compressionMessages: Readonly<Record<NonNullable<SourceFile["compression"]>, DatasetFileCompression>> = {
  gzip: DatasetFileCompression.GZIP,
  zstd: DatasetFileCompression.ZSTD,
};

const formatMessages: Readonly<Record<FileFormat, DatasetFileFormat>> = {
  csv: DatasetFileFormat.CSV,
  jsonl: DatasetFileFormat.JSONL,
  parquet: DatasetFileFormat.PARQUET,
  arrow: DatasetFileFormat.ARROW,
};

/** The contract refuses a request that does not say. */
export const matchingRows: Readonly<Record<DatasetMatchingRows, MatchingRows>> = {
  [DatasetMatchingRows.UNSPECIFIED]: "keep",
  [DatasetMatchingRows.KEEP]: "keep",
  [DatasetMatchingRows.REMOVE]: "remove",
};

const matchingMessages: Readonly<Record<MatchingRows, DatasetMatchingRows>> = {
  keep: DatasetMatchingRows.KEEP,
  remove: DatasetMatchingRows.REMOVE,
};

const stateMessages: Readonly<Record<VersionState, DatasetVersionState>> = {
  pending: DatasetVersionState.PENDING,
  reading: DatasetVersionState.READING,
  ready: DatasetVersionState.READY,
  failed: DatasetVersionState.FAILED,
  purging: DatasetVersionState.PURGING,
  purged: DatasetVersionState.PURGED,
};

export const kindMessages: Readonly<Record<ColumnKind, DatasetColumnKind>> = {
  string: DatasetColumnKind.STRING,
  integer: DatasetColumnKind.INTEGER,
  number: DatasetColumnKind.NUMBER,
  boolean: DatasetColumnKind.BOOLEAN,
  date: DatasetColumnKind.DATE,
  date_time: DatasetColumnKind.DATE_TIME,
  list: DatasetColumnKind.LIST,
  struct: DatasetColumnKind.STRUCT,
  map: DatasetColumnKind.MAP,
  binary: DatasetColumnKind.BINARY,
};

/** A version as callers see it; its uses as far as one with these permissions may read them. None: they are left out. */
export function versionMessage(version: DatasetVersion, permissions?: ReadonlySet<string>): DatasetVersionMessage {
  const { data, problem, files, state, predecessor, query, createdAt, updatedAt, ...plain } = version;
  return create(DatasetVersionSchema, {
    ...{ id: plain.id, organisationId: plain.organisationId, datasetId: plain.datasetId },
    ...{ number: plain.number, description: plain.description },
    state: stateMessages[state],
    files: files.map(fileMessage),
    columns: (data?.columns ?? []).map((column) => ({ ...column, kind: kindMessages[column.kind] })),
    rowCount: BigInt(data?.rowCount ?? 0),
    sizeBytes: BigInt(data?.sizeBytes ?? 0),
    ...(data && { contentSha256: data.sha256 }),
    ...(problem && { problem: problemMessage(problem) }),
    ...(state === "reading" && { progress: progressMessage(version) }),
    ...(predecessor && { predecessor: predecessorMessage(predecessor) }),
    ...(query && { query: queryMessage(query) }),
    ...(version.uses && permissions && { uses: usesMessage(version.uses, permissions) }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}

function fileMessage({ sha256, format, sizeBytes, name, compression, source }: VersionFile) {
  return {
    artifactSha256: sha256,
    name,
    format: formatMessages[format],
    sizeBytes: BigInt(sizeBytes),
    ...(compression && { compression: compressionMessages[compression] }),
    ...(source && { source }),
  };
}

function problemMessage({ file, line, column, ...said }: VersionProblem) {
  return {
    ...said,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: BigInt(line) }),
    ...(column !== undefined && { column }),
  };
}

function progressMessage(version: DatasetVersion) {
  return { bytesRead: BigInt(version.bytesRead), bytesTotal: BigInt(sourceBytesOf(version)) };
}

/** Without the filter, which answers would keep. */
function predecessorMessage({ versionId, number, matchingRows: of }: Predecessor) {
  return { versionId, number, matchingRows: matchingMessages[of] };
}

function queryMessage({ sql, sources }: MadeByQuery) {
  const named = sources.map(({ name, datasetId, versionId, number }) => ({ name, datasetId, versionId, number }));
  return { ...(sql !== undefined && { sql }), sources: named };
}
