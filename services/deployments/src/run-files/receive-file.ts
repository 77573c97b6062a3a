import { createHash, randomBytes } from "node:crypto";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { ArtifactTooLargeError, sha256Of } from "../artifacts/artifact-store.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import type { StoredArtifact } from "../artifacts/receive-upload.ts";
import { LengthRequiredError } from "../transfers/receive-body.ts";

/** Bytes of a file whose digest is known only at its end. */
export interface ArrivingFile {
  /** Undefined: not said. */
  sizeBytes: number | undefined;
  pieces: AsyncIterable<Uint8Array>;
}

/** Files of at most so many bytes are stored from memory; what is larger waits where uploads do. */
const maxBufferedBytes = 4 * 1024 * 1024;

/**
 * Stores bytes as the artifact that they are. They count against the quota before they are written.
 * @throws QuotaExceededError, ArtifactTooLargeError, LengthRequiredError, InvalidFieldsError
 */
export async function receiveFile(
  dependencies: Artifacts,
  organisationId: string,
  { sizeBytes, pieces }: ArrivingFile,
): Promise<StoredArtifact> {
  const { artifacts, maxArtifactBytes } = dependencies;
  if (sizeBytes !== undefined && sizeBytes > maxArtifactBytes) throw new ArtifactTooLargeError(maxArtifactBytes);
  const arriving = chunksOf(pieces);
  const first = await arriving.next();
  const start = first.done ? new Uint8Array() : first.value;
  const second = start.byteLength < maxBufferedBytes ? undefined : await arriving.next();
  if (second === undefined || second.done) {
    assertWhole(start.byteLength, sizeBytes);
    const sha256 = sha256Of(start);
    const artifact = { sha256, sizeBytes: start.byteLength };
    await artifacts.put(organisationId, artifact, piecesOf([start]));
    return artifact;
  }
  if (sizeBytes === undefined) throw new LengthRequiredError();
  return receiveLarge(dependencies, organisationId, { sizeBytes, pieces: followedBy([start, second.value], arriving) });
}

/** Under a name of its own until the digest is known, which its parts are forgotten by, whatever becomes of it. */
async function receiveLarge(
  { artifacts, uploads }: Artifacts,
  organisationId: string,
  { sizeBytes, pieces }: { sizeBytes: number; pieces: AsyncIterable<Uint8Array> },
): Promise<StoredArtifact> {
  const name = randomBytes(32).toString("hex");
  await artifacts.reserve(organisationId, { sha256: name, sizeBytes });
  try {
    const hash = createHash("sha256");
    let offset = 0;
    for await (const bytes of pieces) {
      if (offset + bytes.byteLength > sizeBytes) assertWhole(offset + bytes.byteLength, sizeBytes);
      await uploads.write(organisationId, name, { offset, bytes });
      hash.update(bytes);
      offset += bytes.byteLength;
    }
    assertWhole(offset, sizeBytes);
    const sha256 = hash.digest("hex");
    await artifacts.release(organisationId, name);
    await artifacts.put(organisationId, { sha256, sizeBytes }, uploads.read(organisationId, name));
    return { sha256, sizeBytes };
  } finally {
    await uploads.forget(organisationId, name);
    await artifacts.release(organisationId, name);
  }
}

/** @throws InvalidFieldsError where there are not as many bytes as were announced */
function assertWhole(received: number, announced: number | undefined): void {
  if (announced === undefined || received === announced) return;
  const description = `${announced} bytes were announced, and ${received} have come: send the file again`;
  throw new InvalidFieldsError([{ field: "size_bytes", reason: "SIZE_DIFFERS", description }]);
}

/** The same bytes in chunks of a good size for the disk; the last may be smaller. */
async function* chunksOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    bytes += piece.byteLength;
    if (bytes < maxBufferedBytes) continue;
    yield Buffer.concat(gathered, bytes);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered, bytes);
  return undefined;
}

async function* followedBy(first: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}

async function* piecesOf(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
