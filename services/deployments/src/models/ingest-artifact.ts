import { QuotaExceededError } from "@aiplatform/quotas";
import {
  bytesOf,
  locateArtifact,
  openBelow,
  SourceRefusedError,
  SourceUnreadableError,
} from "../artifacts/artifact-source.ts";
import {
  ArtifactDigestError,
  ArtifactMissingError,
  type ArtifactStore,
  ArtifactTooLargeError,
  isSha256,
} from "../artifacts/artifact-store.ts";
import type { PendingVersion, Resolution } from "./model-version.ts";

export interface IngestDependencies {
  artifacts: ArtifactStore;
  /** Directories from which results are taken over. */
  sources: readonly string[];
}

/** Attempts at what may pass, such as a file that a volume does not show yet. */
export const maxAttempts = 4;

/** Fetches the artifact of a version into the store; what is there already is not fetched. Answers its size. */
export async function ingestArtifact(
  { artifacts, sources }: IngestDependencies,
  { organisationId, artifactSha256: sha256, uri }: PendingVersion,
): Promise<number> {
  if (!isSha256(sha256)) throw new SourceRefusedError("the digest of the artifact is not a SHA-256");
  const stored = await artifacts.sizeOf(organisationId, sha256);
  if (stored !== undefined) return stored;
  const location = locateArtifact(uri);
  if (location.kind === "stored" && location.sha256 !== sha256) throw new ArtifactDigestError();
  if (location.kind === "stored") throw new ArtifactMissingError(sha256);
  await using file = await openBelow(location.path, sources);
  const { size: sizeBytes } = await file.stat();
  // Awaited here: the file is closed as soon as this returns.
  return await artifacts.put(organisationId, { sha256, sizeBytes }, bytesOf(file));
}

/**
 * What a failed attempt means: a resolution that is final, or undefined when it is to be tried again. What is not the result's
 * fault, such as a store that is away, is tried for ever.
 */
export function resolutionOf(failure: unknown, attempt: number): Resolution | undefined {
  if (failure instanceof ArtifactDigestError) {
    return { status: "failed", statusDetail: `the artifact is not what the run announced: ${failure.message}` };
  }
  const isRefused = failure instanceof ArtifactTooLargeError || failure instanceof QuotaExceededError;
  if (isRefused || failure instanceof SourceRefusedError) {
    return { status: "failed", statusDetail: failure.message };
  }
  if (attempt < maxAttempts) return undefined;
  if (failure instanceof SourceUnreadableError) return { status: "failed", statusDetail: failure.message };
  if (failure instanceof ArtifactMissingError) {
    return { status: "failed", statusDetail: "no artifact of that digest was uploaded" };
  }
  return undefined;
}
