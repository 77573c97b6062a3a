import type {
  AppendToUploadRequest,
  PutArtifactRequest,
} from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { ArtifactDigestError, isSha256 } from "../artifacts/artifact-store.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import {
  type ReceivedUpload,
  receivePieces,
  receiveUpload,
  type StoredArtifact,
  type UploadPiece,
  uploadProgress,
} from "../artifacts/receive-upload.ts";

/** The body says no length, and so not what it takes of the quota. */
export class LengthRequiredError extends Error {
  override name = "LengthRequiredError";
  constructor() {
    super("Content-Length is missing: say how many bytes the body has");
  }
}

type Messages<T> = AsyncIterable<T>;

/** An artifact, or the next part of one, whose bytes follow in order. */
interface Transfer {
  sha256: string;
  sizeBytes: number;
  /** Where the first of the bytes stands. */
  offset: number;
}

/**
 * Stores an artifact whose bytes all come. What has arrived earlier is not written again; the digest is that of everything.
 * @throws LengthRequiredError, and what {@link receiveUpload} throws
 */
export async function putArtifact(
  dependencies: Artifacts,
  organisationId: string,
  messages: Messages<PutArtifactRequest>,
): Promise<StoredArtifact> {
  const { first, rest } = await begun(messages);
  const { artifactSha256: sha256 = "", sizeBytes } = first ?? {};
  if (!isSha256(sha256)) throw new ArtifactDigestError("the first message names the artifact by its SHA-256");
  if (sizeBytes === undefined) throw new LengthRequiredError();
  const { receivedBytes, complete } = await uploadProgress(dependencies, organisationId, sha256);
  if (complete) {
    // Over HTTP/1.1 many clients read no answer before they have sent everything.
    for await (const _ of rest);
    return { sha256, sizeBytes: receivedBytes };
  }
  const transfer = { sha256, sizeBytes: Number(sizeBytes), offset: 0 };
  return receiveUpload(dependencies, organisationId, piecesFrom(receivedBytes, transfer, rest));
}

/** Takes the next bytes of an artifact, however many come. @throws what {@link receivePieces} throws */
export async function appendToUpload(
  dependencies: Artifacts,
  organisationId: string,
  messages: Messages<AppendToUploadRequest>,
): Promise<ReceivedUpload> {
  const { first, rest } = await begun(messages);
  const { artifactSha256: sha256 = "", uploadOffset = 0n, uploadLength = 0n } = first ?? {};
  const transfer = { sha256, sizeBytes: Number(uploadLength), offset: Number(uploadOffset) };
  return receivePieces(dependencies, organisationId, piecesFrom(transfer.offset, transfer, rest));
}

/** The first message, and all of them. */
async function begun<T>(messages: Messages<T>): Promise<{ first: T | undefined; rest: AsyncIterable<T> }> {
  const iterator = messages[Symbol.asyncIterator]();
  const { value, done } = await iterator.next();
  const first: T | undefined = done === true ? undefined : value;
  async function* all(): AsyncGenerator<T> {
    if (first === undefined) return;
    yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { first, rest: all() };
}

/** The bytes that stand at `start` or behind it. */
async function* piecesFrom(
  start: number,
  { sha256, sizeBytes, offset }: Transfer,
  messages: Messages<{ data: Uint8Array }>,
): AsyncGenerator<UploadPiece> {
  yield { sha256, sizeBytes, offset: start, bytes: new Uint8Array() };
  let position = offset;
  for await (const { data } of messages) {
    const bytes = data.subarray(Math.max(0, start - position));
    position += data.byteLength;
    yield { sha256, sizeBytes, offset: position - bytes.byteLength, bytes };
  }
}
