import { createHash } from "node:crypto";
import { ArtifactDigestError, ArtifactTooLargeError } from "./artifact-store.ts";

export interface ExpectedBytes {
  sha256: string;
  /** How many there are, where that is known. */
  sizeBytes?: number;
  /** How many there may be. Default: any number. */
  maxBytes?: number;
}

/**
 * Passes bytes on and checks them as they pass.
 * @throws ArtifactTooLargeError and ArtifactDigestError at the first byte too many, and ArtifactDigestError at the end
 * when the digest differs: the caller that stored the bytes then forgets them
 */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  { sha256, sizeBytes, maxBytes = Number.POSITIVE_INFINITY }: ExpectedBytes,
): AsyncGenerator<Uint8Array> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new ArtifactTooLargeError(maxBytes);
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > maxBytes) throw new ArtifactTooLargeError(maxBytes);
    if (sizeBytes !== undefined && size > sizeBytes) {
      throw new ArtifactDigestError(`there are more bytes than the ${sizeBytes} that were announced`);
    }
    hash.update(piece);
    yield piece;
  }
  if (sizeBytes !== undefined && size < sizeBytes) {
    throw new ArtifactDigestError(`there are ${size} bytes, and ${sizeBytes} were announced`);
  }
  if (hash.digest("hex") !== sha256) throw new ArtifactDigestError();
}
