import type { Column, ColumnKind, FileFormat, SourceFile } from "@aiplatform/data-engine";
import type { Uses } from "@aiplatform/service-kit/lineage";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { VersionState } from "./version-state.ts";

export type { ColumnKind };

/** A column of a version. */
export type VersionColumn = Column;

/** The object of a location that a file is copied from. */
export interface FileSource {
  /** Name of the location in the settings. */
  location: string;
  key: string;
  /** Of the object as it was when the version was created: another one is not read. */
  etag: string;
}

/** A file that a version is made of. Its bytes are an artifact. */
export interface VersionFile {
  /** Empty: it is not copied from its source yet. */
  sha256: string;
  /** For people. */
  name: string;
  format: FileFormat;
  /** Absent: it is not compressed. */
  compression?: SourceFile["compression"] | undefined;
  sizeBytes: number;
  /** Undefined: it was uploaded. */
  source?: FileSource | undefined;
}

/** Why the files of a version cannot be read. */
export interface VersionProblem {
  file?: string | undefined;
  /** From 1. */
  line?: number | undefined;
  column?: string | undefined;
  /** What was broken, as a word that stays the same. */
  rule: string;
  /** What happened, as a sentence. */
  message: string;
  /** What helps, as a sentence. */
  remedy: string;
}

/** The data of a version, once its files are read. It is one Parquet file, which is an artifact. */
export interface VersionData {
  columns: readonly VersionColumn[];
  rowCount: number;
  sizeBytes: number;
  sha256: string;
}

/** What becomes of the rows that a filter finds. */
export type MatchingRows = "keep" | "remove";

/** The version that another one is made of. */
export interface Predecessor {
  versionId: string;
  number: number;
  matchingRows: MatchingRows;
  sizeBytes: number;
  /** Which rows; absent once it is not needed: it may name whom the data was about, and an erasure would leave that. */
  filter?: string | undefined;
}

/** A version that a query reads. */
export interface QuerySource {
  /** The name of its rows in the query. */
  name: string;
  datasetId: string;
  versionId: string;
  number: number;
  sizeBytes: number;
}

/** The query of which a version is made. */
export interface MadeByQuery {
  /** Absent once the version is purged: it may name whom the data was about. */
  sql?: string | undefined;
  sources: readonly QuerySource[];
}

/** Who has had a version made, as its events say it. */
export interface MadeFor {
  memberId?: string | undefined;
  credentialId?: string | undefined;
}

/** An immutable version of a dataset. */
export interface DatasetVersion {
  id: string;
  organisationId: string;
  datasetId: string;
  /** From 1, in the order of creation. */
  number: number;
  state: VersionState;
  description: string;
  /** In the order in which they are read. None of a version that has a predecessor or is made by a query. */
  files: VersionFile[];
  predecessor?: Predecessor | undefined;
  query?: MadeByQuery | undefined;
  /** Absent where it is not known. */
  madeFor?: MadeFor | undefined;
  /** Bytes that are read by now, of those of {@link sourceBytesOf}; 0 unless it is being read. */
  bytesRead: number;
  /** Of a version that is ready, or was before it was purged. */
  data?: VersionData | undefined;
  /** What has used the data, of a version that is purged or being purged; undefined while it is not known. */
  uses?: Uses | undefined;
  /** Of a failed version. */
  problem?: VersionProblem | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** A version whose rows can be read. */
export type ReadyVersion = DatasetVersion & { data: VersionData };

/** A dataset of an organisation. */
export interface DatasetRef {
  organisationId: string;
  datasetId: string;
}

/** A version, and the dataset that it is said to be of. */
export interface VersionRef extends DatasetRef {
  versionId: string;
}

/** Versions of a dataset at most. */
export const maxVersions = 10_000;

/** The version does not exist, or not here. */
export class DatasetVersionNotFoundError extends NotFoundError {
  override name = "DatasetVersionNotFoundError";
}

/** The dataset has as many versions as a dataset can have. */
export class DatasetVersionLimitError extends Error {
  override name = "DatasetVersionLimitError";
  constructor() {
    super(`The dataset has ${maxVersions} versions, which is the most. Create another dataset for further ones`);
  }
}

const reasons: Readonly<Record<Exclude<VersionState, "ready">, string>> = {
  pending: "it waits to be read. Ask again in a moment",
  reading: "it is being read. Ask again in a moment",
  failed: "it could not be read. Its problem says what to correct",
  purging: "its data is being removed",
  purged: "its data was removed",
};

/** The rows of the version cannot be read. */
export class DatasetVersionNotReadyError extends Error {
  override name = "DatasetVersionNotReadyError";
  readonly state: VersionState;
  constructor(state: Exclude<VersionState, "ready">) {
    super(`The version has no rows to read: ${reasons[state]}`);
    this.state = state;
  }
}

/** @throws DatasetVersionNotReadyError */
export function assertReady(version: DatasetVersion): asserts version is ReadyVersion {
  if (version.state !== "ready") throw new DatasetVersionNotReadyError(version.state);
  if (!version.data) throw new Error(`the version ${version.id} is ready and has no data`);
}

/** A query that names no version of a dataset finds none that is ready. */
export class NoReadyVersionError extends Error {
  override name = "NoReadyVersionError";
  constructor(datasetId: string) {
    super(`The dataset ${datasetId} has no version that is ready. Create one, or wait until one is`);
  }
}

/** The rows of a version cannot be made as it says. Trying again fails again. */
export class UnfitVersionError extends Error {
  override name = "UnfitVersionError";
  readonly problem: VersionProblem;
  constructor(problem: VersionProblem, cause?: unknown) {
    super(problem.message, { cause });
    this.problem = problem;
  }
}

/** The rows of the predecessor cannot be read any longer, so that nothing can be made of them. */
export class PredecessorGoneError extends Error {
  override name = "PredecessorGoneError";
  constructor({ number }: Predecessor) {
    super(`The data of version ${number}, of which this one is made, was removed`);
  }
}

/** Whether two lists of files are read to the same rows. Names are for people alone. */
export function contentKeyOf(files: readonly Pick<VersionFile, "sha256" | "format" | "compression">[]): string {
  return files.map(({ sha256, format, compression = "" }) => `${format}:${compression}:${sha256}`).join("\n");
}

/** Digests of the artifacts of a version: its files that are uploaded or copied, and its data. */
export function artifactsOf({ files, data }: Pick<DatasetVersion, "files" | "data">): string[] {
  const all = [...files.map(({ sha256 }) => sha256), data?.sha256 ?? ""];
  return all.filter((sha256) => sha256 !== "");
}

/** Bytes that are read to make a version: those of its files, or of the data of the versions that it is made of. */
export function sourceBytesOf({
  files,
  predecessor,
  query,
}: Pick<DatasetVersion, "files" | "predecessor" | "query">): number {
  return (
    predecessor?.sizeBytes ?? [...files, ...(query?.sources ?? [])].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  );
}
