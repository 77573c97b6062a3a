import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataEngine, Progress, WrittenFile } from "@aiplatform/data-engine";
import type { Claim } from "@aiplatform/document-store";
import { LeaseLostError } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DataQuotas } from "../data-quotas.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import {
  type DatasetVersion,
  type MadeByQuery,
  type Predecessor,
  sourceBytesOf,
  type VersionData,
  type VersionFile,
} from "./dataset-version.ts";
import { ReadingProgress } from "./reading-progress.ts";
import { type CopySourcesDependencies, copySources, isUncopied } from "./source-files.ts";
import { versionFailed, versionReady } from "./version-events.ts";
import { problemOf } from "./version-problem.ts";
import type { DatasetVersionStore, ReadOutcome } from "./version-store.ts";

export interface ReadVersionDependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "clock" | "logger"> {
  versions: DatasetVersionStore;
  quotas: Pick<DataQuotas, "admit">;
  artifacts: Pick<StoredArtifacts, "download" | "store">;
  cache: ParquetCache;
  engine: Pick<DataEngine, "convert">;
  locations: CopySourcesDependencies["locations"];
  /** Writes the rows of the predecessor that are kept, in their order, into a file. @throws PredecessorGoneError */
  filterPredecessor: (successor: SuccessorFile, bounds: ReadingBounds) => Promise<WrittenFile>;
  /** Writes what the query of a version answers into a file. @throws UnfitVersionError */
  runVersionQuery: (made: QueriedFile, bounds: ReadingBounds) => Promise<WrittenFile>;
}

/** A version, the query of which it is made, and the file that is made. */
export interface QueriedFile {
  version: DatasetVersion;
  query: MadeByQuery;
  output: string;
}

/** A version, what it is made of, and the file that is made. */
export interface SuccessorFile {
  version: DatasetVersion;
  predecessor: Predecessor;
  output: string;
}

export interface ReadingBounds {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * Reads the files of a version, or rows of the versions that it is made of, into one Parquet file, stores it, and says so. Killed anywhere, it
 * is done again from the start: what was stored before stays or is collected, and the version becomes ready once.
 * @throws LeaseLostError, and what is to be tried again
 */
export async function readVersion(
  dependencies: ReadVersionDependencies,
  claim: Claim<DatasetVersion>,
  signal: AbortSignal,
): Promise<void> {
  const { versions, clock, logger } = dependencies;
  if (!(await versions.beginReading(claim, clock()))) throw new LeaseLostError();
  try {
    await endReading(dependencies, claim, { state: "ready", data: await dataOf(dependencies, claim, signal) });
  } catch (error) {
    signal.throwIfAborted();
    const problem = problemOf(error, () => versions.noteStop(claim));
    const known = await problem;
    if (!known) throw error;
    logger.info({ err: error, dataset_version_id: claim.id }, "a version cannot be read");
    await endReading(dependencies, claim, { state: "failed", problem: known });
  }
}

async function dataOf(
  dependencies: ReadVersionDependencies,
  claim: Claim<DatasetVersion>,
  signal: AbortSignal,
): Promise<VersionData> {
  const { versions, cache, artifacts } = dependencies;
  const { work: version } = claim;
  const { organisationId, files, predecessor, query } = version;
  const isWhole = !files.some(isUncopied);
  const known = predecessor || query || !isWhole ? undefined : await versions.dataOf(organisationId, files);
  if (known) return known;
  const folder = join(await cache.folderOf(organisationId), `reading-${version.id}`);
  // What a killed process has left is not complete.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  try {
    using _room = await cache.reserve(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    const whole = isWhole ? version : await copySources(dependencies, claim, folder, signal);
    const same = isWhole ? undefined : await versions.dataOf(organisationId, whole.files);
    if (same) return same;
    const output = join(folder, "data.parquet");
    const { note: onProgress } = new ReadingProgress(versions, claim, sourceBytesOf(version));
    const data = await write(dependencies, { version: whole, folder, output }, { signal, onProgress });
    const artifact = { organisationId, sha256: data.sha256, sizeBytes: data.sizeBytes };
    await artifacts.store(artifact, { path: output, sizeBytes: data.sizeBytes }, signal);
    await cache.adopt(artifact, output).catch(() => undefined);
    return data;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A version whose rows are written. */
interface WorkedVersion {
  version: DatasetVersion;
  folder: string;
  output: string;
}

function write(
  dependencies: ReadVersionDependencies,
  worked: WorkedVersion,
  bounds: ReadingBounds,
): Promise<VersionData> {
  const { version, output } = worked;
  const { predecessor, query } = version;
  if (predecessor) return dependencies.filterPredecessor({ version, predecessor, output }, bounds);
  if (query) return dependencies.runVersionQuery({ version, query, output }, bounds);
  return convert(dependencies, worked, bounds);
}

async function convert(
  { artifacts, engine }: ReadVersionDependencies,
  { version, folder, output }: WorkedVersion,
  { signal, onProgress }: ReadingBounds,
): Promise<VersionData> {
  const { organisationId } = version;
  const pathOf = (file: VersionFile, index: number) => join(folder, `${index}.${file.format}`);
  for (const [index, file] of version.files.entries()) {
    await artifacts.download({ organisationId, sha256: file.sha256 }, pathOf(file, index), signal);
  }
  const files = version.files.map((file, index) => {
    const { format, name, compression } = file;
    return { path: pathOf(file, index), format, name, ...(compression && { compression }) };
  });
  return await engine.convert({ organisationId, files, output, signal, onProgress });
}

function endReading(
  { versions, quotas, outbox, transaction, clock }: ReadVersionDependencies,
  claim: Claim<DatasetVersion>,
  outcome: ReadOutcome,
): Promise<void> {
  const { work, organisationId } = claim;
  return transaction(async (session) => {
    const now = clock();
    if (outcome.state === "ready") {
      await quotas.admit(organisationId, { dataset_bytes: outcome.data.sizeBytes }, session);
    }
    if (!(await versions.endReading(claim, outcome, { now, session }))) throw new LeaseLostError();
    const event = outcome.state === "ready" ? versionReady(work, outcome.data, now) : versionFailed(work, now);
    await outbox.stage(session, event);
  });
}
