import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Claim, LeaseLostError } from "@aiplatform/document-store";
import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { DataLocations } from "../data-locations/data-locations.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { DatasetVersion, FileSource, VersionFile } from "./dataset-version.ts";
import type { DatasetVersionStore } from "./version-store.ts";

/** A file as a request names it: an artifact by its digest, or an object of a location. */
export interface NamedFile extends Omit<VersionFile, "sizeBytes" | "source"> {
  /** Undefined: it is an artifact. */
  source: Pick<FileSource, "location" | "key"> | undefined;
}

export interface LookUpSourcesDependencies {
  locations: Pick<DataLocations, "of" | "describe">;
  /** Bytes of an object at most. */
  maxSourceBytes: number;
}

/** Whether the file is to be copied before it can be read. */
export const isUncopied = ({ sha256 }: Pick<VersionFile, "sha256">) => sha256 === "";

/** That each file says one of the two. @throws InvalidFieldsError */
export function assertOneEach(files: readonly NamedFile[]): void {
  const description = "give either artifact_sha256, of a file that was uploaded, or source, an object of a location";
  assertNone(
    files.flatMap(({ sha256, source }, index) => {
      const isOne = (sha256 === "") === (source !== undefined);
      return isOne ? [] : [{ field: `files[${index}].artifact_sha256`, reason: "EXACTLY_ONE", description }];
    }),
  );
}

/** Looks at an object that a request names. @throws InvalidFieldsError, LocationUnavailableError */
export async function lookUpSource(
  { locations, maxSourceBytes }: LookUpSourcesDependencies,
  organisationId: string,
  { source, index }: { source: Pick<FileSource, "location" | "key">; index: number },
): Promise<{ source: FileSource; sizeBytes: number }> {
  const fault = (field: string, reason: string, description: string): FieldViolation[] => [
    { field: `files[${index}].source.${field}`, reason, description },
  ];
  const allowed = locations.of(organisationId).map(({ name }) => name);
  if (!allowed.includes(source.location)) {
    const names = allowed.map((name) => JSON.stringify(name)).join(", ");
    const there = names === "" ? "the operator of the platform has set up none for it" : `there are ${names}`;
    const description = `is no location that your organisation may read: ${there}`;
    assertNone(fault("location", "LOCATION_UNKNOWN", description));
  }
  if (source.key.split("/").some((part) => part === "" || part === "." || part === "..")) {
    const description = 'must be names with "/" between them, none of which is empty, "." or ".."';
    assertNone(fault("key", "KEY_INVALID", description));
  }
  const found = await locations.describe({ organisationId, ...source });
  if (!found) assertNone(fault("key", "OBJECT_UNKNOWN", "is the key of no object there"));
  const { etag, sizeBytes } = found ?? { etag: "", sizeBytes: 0 };
  if (sizeBytes > maxSourceBytes) {
    const description = `has ${sizeBytes} bytes, and ${maxSourceBytes} is the most: split it into several objects`;
    assertNone(fault("key", "OBJECT_TOO_LARGE", description));
  }
  return { source: { ...source, etag }, sizeBytes };
}

export interface CopySourcesDependencies {
  versions: Pick<DatasetVersionStore, "noteCopied">;
  artifacts: Pick<StoredArtifacts, "store">;
  locations: Pick<DataLocations, "copy">;
}

/**
 * Makes artifacts of the objects of a version that are none yet. Killed anywhere, objects that were noted are not copied again.
 * @throws SourceObjectError, LocationUnavailableError, LeaseLostError, ArtifactsUnavailableError, and what deployments refuses
 */
export async function copySources(
  { versions, artifacts, locations }: CopySourcesDependencies,
  claim: Claim<DatasetVersion>,
  folder: string,
  signal: AbortSignal,
): Promise<DatasetVersion> {
  const { work: version } = claim;
  const { organisationId } = version;
  const files = [...version.files];
  for (const [index, file] of files.entries()) {
    const { source, sizeBytes } = file;
    if (!isUncopied(file) || !source) continue;
    const path = join(folder, `${index}.object`);
    const { sha256 } = await locations.copy({ organisationId, ...source }, { ...source, sizeBytes }, path, signal);
    await artifacts.store({ organisationId, sha256 }, { path, sizeBytes }, signal);
    // The room that was reserved is for the files as they are read next.
    await rm(path);
    files[index] = { ...file, sha256 };
    if (!(await versions.noteCopied(claim, { ...version, files: [...files] }))) throw new LeaseLostError();
  }
  return { ...version, files };
}
