import type { ForwardedCaller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import { assertNone } from "@aiplatform/service-host";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DataQuotas } from "../data-quotas.ts";
import { DatasetNotFoundError, type DatasetsOfContent } from "../other-services/datasets-of-content.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { DatasetNumbering } from "./dataset-numbering.ts";
import type { DatasetVersion, MadeByQuery, MadeFor, Predecessor, VersionData, VersionFile } from "./dataset-version.ts";
import {
  assertOneEach,
  isUncopied,
  type LookUpSourcesDependencies,
  lookUpSource,
  type NamedFile,
} from "./source-files.ts";
import { versionCreated, versionReady } from "./version-events.ts";
import type { DatasetVersionStore } from "./version-store.ts";

export interface RegisterVersionDependencies extends Pick<DomainPlatform, "outbox" | "clock" | "newId"> {
  versions: DatasetVersionStore;
  numbering: DatasetNumbering;
  quotas: Pick<DataQuotas, "admit">;
}

export interface CreateVersionDependencies extends RegisterVersionDependencies, LookUpSourcesDependencies {
  datasets: Pick<DatasetsOfContent, "assertThere">;
  artifacts: Pick<StoredArtifacts, "sizes" | "storeBytes">;
}

/** Objects of locations that are looked at at once. */
const looksAtOnce = 20;

/** A version whose dataset, and what it is made of, are there. */
export interface NewVersion {
  organisationId: string;
  datasetId: string;
  description: string;
  files: VersionFile[];
  predecessor?: Predecessor;
  query?: MadeByQuery;
  madeFor: MadeFor | undefined;
}

/**
 * Looks up the files in the caller's name, and answers them with their sizes.
 * @throws InvalidFieldsError for files that were not uploaded and objects that are not there, ArtifactsUnavailableError, LocationUnavailableError,
 * and what deployments refuses
 */
export async function lookUpFiles(
  dependencies: Pick<CreateVersionDependencies, "artifacts" | keyof LookUpSourcesDependencies>,
  caller: ForwardedCaller & { organisationId: string },
  files: readonly NamedFile[],
): Promise<VersionFile[]> {
  assertOneEach(files);
  const digests = files.filter((file) => !isUncopied(file)).map(({ sha256 }) => sha256);
  const sizes = digests.length > 0 ? await dependencies.artifacts.sizes(caller, digests) : new Map<string, number>();
  const missing = files.flatMap((file, index) => (isUncopied(file) || sizes.has(file.sha256) ? [] : [index]));
  const description =
    "no artifact of this digest is stored: upload the file first, by PUT /platform/artifacts/{sha256}";
  assertNone(
    missing.map((index) => ({ field: `files[${index}].artifact_sha256`, reason: "ARTIFACT_UNKNOWN", description })),
  );
  return await withSources(dependencies, caller.organisationId, files, sizes);
}

/** The files with their sizes, those of objects with the object as it is now. Some are looked at at once, as there may be many. */
async function withSources(
  dependencies: LookUpSourcesDependencies,
  organisationId: string,
  files: readonly NamedFile[],
  sizes: ReadonlyMap<string, number>,
): Promise<VersionFile[]> {
  const found: VersionFile[] = [];
  for (let from = 0; from < files.length; from += looksAtOnce) {
    const some = files.slice(from, from + looksAtOnce).map(async ({ source, ...file }, at) => {
      if (!source) return { ...file, sizeBytes: sizes.get(file.sha256) ?? 0 };
      return { ...file, ...(await lookUpSource(dependencies, organisationId, { source, index: from + at })) };
    });
    found.push(...(await Promise.all(some)));
  }
  return found;
}

/**
 * Registers a version of files. Those that were read before are not read again: the version is ready at once, with the same data.
 * @throws as {@link registerVersion}
 */
export async function createVersion(
  dependencies: CreateVersionDependencies,
  wanted: NewVersion,
  session: ClientSession,
): Promise<DatasetVersion> {
  const isWhole = !wanted.files.some(isUncopied);
  const data = isWhole ? await dependencies.versions.dataOf(wanted.organisationId, wanted.files, session) : undefined;
  return await registerVersion(dependencies, { wanted, data }, session);
}

/**
 * Registers a version; one without data waits to be read.
 * @throws DatasetNotFoundError when the dataset was deleted meanwhile, DatasetVersionLimitError, QuotaExceededError
 */
export async function registerVersion(
  { versions, numbering, quotas, outbox, clock, newId }: RegisterVersionDependencies,
  { wanted, data }: { wanted: NewVersion; data?: VersionData | undefined },
  session: ClientSession,
): Promise<DatasetVersion> {
  const { organisationId, datasetId } = wanted;
  const number = await numbering.next(wanted, session);
  if (number === undefined) throw new DatasetNotFoundError(datasetId);
  // One byte: an organisation that has used up its quota is told before anything is read.
  await quotas.admit(organisationId, { dataset_versions: 1, dataset_bytes: data?.sizeBytes ?? 1 }, session);
  const time = clock();
  const state = data ? "ready" : "pending";
  const times = { createdAt: time, updatedAt: time };
  const version: DatasetVersion = { id: newId(), ...wanted, number, state, data, bytesRead: 0, ...times };
  await versions.insert(version, session);
  await outbox.stage(session, versionCreated(version, time));
  if (data) await outbox.stage(session, versionReady(version, data, time));
  return version;
}
