import { createWriteStream } from "node:fs";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArtifactDigestError, ArtifactMissingError, type ArtifactStore } from "../../artifacts/artifact-store.ts";
import type { VersionFile } from "../../deployment-versions/deployment-version.ts";
import type { RolloutFailure } from "../../rollouts/rollout.ts";
import type { InstanceSet } from "../serving-driver.ts";
import { manifestOf } from "../serving-manifest.ts";

export interface VersionPaths {
  /** Directory of the version's files, absolute. */
  directory: string;
  manifestPath: string;
}

export class VersionFilesError extends Error {
  override name = "VersionFilesError";
  readonly failure: RolloutFailure;
  constructor(failure: RolloutFailure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/**
 * Lays a version's files and its manifest out below a directory of its own. Every user may read them there, since an instance can be
 * another one; the driver's own directory above keeps them from others. @throws VersionFilesError
 */
export async function writeVersionFiles(
  root: string,
  set: InstanceSet,
  artifacts: ArtifactStore,
): Promise<VersionPaths> {
  const paths = { directory: join(root, "files"), manifestPath: join(root, "manifest.json") };
  try {
    // What an earlier attempt left may be half written.
    await rm(root, { recursive: true, force: true });
    await mkdir(paths.directory, { recursive: true });
    for (const file of set.files) await writeOne(paths.directory, set.organisationId, file, artifacts);
    await writeFile(paths.manifestPath, JSON.stringify(manifestOf(set)));
    await makeReadable(root);
  } catch (error) {
    throw error instanceof VersionFilesError ? error : new VersionFilesError(failureOf(error), error);
  }
  return paths;
}

async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
  }
}

async function writeOne(
  directory: string,
  organisationId: string,
  { path, sha256 }: VersionFile,
  artifacts: ArtifactStore,
): Promise<void> {
  const target = resolve(directory, path);
  if (!target.startsWith(directory + sep)) {
    throw new VersionFilesError({ reason: "InvalidBundle", message: `The path ${path} leads out of the bundle.` });
  }
  try {
    await mkdir(dirname(target), { recursive: true });
    const bytes = Readable.from(artifacts.read(organisationId, sha256), { objectMode: false });
    await pipeline(bytes, createWriteStream(target, { flags: "wx" }));
  } catch (error) {
    throw new VersionFilesError(failureOf(error, path), error);
  }
}

function failureOf(error: unknown, path?: string): RolloutFailure {
  const file = path === undefined ? "a file" : path;
  if (error instanceof ArtifactMissingError)
    return { reason: "ArtifactMissing", message: `The artifact of ${file} is not in the artifact store.` };
  if (error instanceof ArtifactDigestError)
    return { reason: "ArtifactMissing", message: `The artifact of ${file} is damaged in the artifact store.` };
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
  if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR" || code === "ENAMETOOLONG")
    return { reason: "InvalidBundle", message: `The path ${file} cannot be written beside the bundle's other paths.` };
  if (code === "ENOSPC" || code === "EDQUOT")
    return { reason: "ResourcesUnavailable", message: "There is no room left for the version's files." };
  return { reason: "ResourcesUnavailable", message: `${file} could not be written${code ? ` (${code})` : ""}.` };
}
