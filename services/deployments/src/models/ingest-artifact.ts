import { openBelow, placeOfArtifact, SourceRefusedError, SourceUnreadableError } from "../artifacts/artifact-source.ts";
import {
  ArtifactDigestError,
  ArtifactMissingError,
  type ArtifactStore,
  ArtifactTooLargeError,
  isSha256,
} from "../artifacts/artifact-store.ts";
import { bytesOf } from "../artifacts/read-source.ts";
import type { PendingVersion, Resolution } from "./model-version.ts";

/** What fetching needs. */
export interface IngestParts {
  artifacts: ArtifactStore;
  /** Directories from which results are taken over. */
  sources: readonly string[];
}

/** Attempts at what may pass, such as a file that a volume does not show yet. */
export const mostAttempts = 4;

/** Fetches the artifact of a version into the store; what is there already is not fetched. Answers its size. */
export async function ingestArtifact(
  { artifacts, sources }: IngestParts,
  { organisationId, artifactSha256: sha256, ingestion: { uri } }: PendingVersion,
): Promise<number> {
  if (!isSha256(sha256)) throw new SourceRefusedError("the digest of the artifact is no SHA-256");
  const stored = await artifacts.sizeOf(organisationId, sha256);
  if (stored !== undefined) return stored;
  const place = placeOfArtifact(uri);
  if (place.kind === "stored" && place.sha256 !== sha256) throw new ArtifactDigestError();
  if (place.kind === "stored") throw new ArtifactMissingError(sha256);
  await using file = await openBelow(place.path, sources);
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
  if (failure instanceof ArtifactTooLargeError || failure instanceof SourceRefusedError) {
    return { status: "failed", statusDetail: failure.message };
  }
  if (attempt < mostAttempts) return undefined;
  if (failure instanceof SourceUnreadableError) return { status: "failed", statusDetail: failure.message };
  if (failure instanceof ArtifactMissingError) {
    return { status: "failed", statusDetail: "no artifact of that digest was uploaded" };
  }
  return undefined;
}

/** Milliseconds before the next attempt: 0.5 s, 1 s, 2 s …, a minute at most. */
export function pauseAfter(attempts: number): number {
  return Math.min(60_000, 250 * 2 ** attempts);
}
