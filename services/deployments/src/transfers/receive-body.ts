import type { AppendToUploadRequest } from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { firstMessage } from "@aiplatform/service-host";
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

/** A piece of an artifact whose bytes all come. The first says what the artifact is. */
export interface ArtifactPiece {
  readonly artifactSha256: string;
  readonly sizeBytes?: bigint | undefined;
  readonly data: Uint8Array;
}

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
  messages: AsyncIterable<ArtifactPiece>,
): Promise<StoredArtifact> {
  const { first, messages: all } = await firstMessage(messages);
  const { artifactSha256: sha256 = "", sizeBytes } = first ?? {};
  if (!isSha256(sha256)) throw new ArtifactDigestError("the first message names the artifact by its SHA-256");
  if (sizeBytes === undefined) throw new LengthRequiredError();
  const { receivedBytes, complete } = await uploadProgress(dependencies, organisationId, sha256);
  if (complete) {
    // Over HTTP/1.1 many clients read no answer before they have sent everything.
    for await (const _ of all);
    return { sha256, sizeBytes: receivedBytes };
  }
  const transfer = { sha256, sizeBytes: Number(sizeBytes), offset: 0 };
  return receiveUpload(dependencies, organisationId, piecesFrom(receivedBytes, transfer, all));
}

/** Takes the next bytes of an artifact, however many come. @throws what {@link receivePieces} throws */
export async function appendToUpload(
  dependencies: Artifacts,
  organisationId: string,
  messages: AsyncIterable<AppendToUploadRequest>,
): Promise<ReceivedUpload> {
  const { first, messages: all } = await firstMessage(messages);
  const { artifactSha256: sha256 = "", uploadOffset = 0n, uploadLength = 0n } = first ?? {};
  const transfer = { sha256, sizeBytes: Number(uploadLength), offset: Number(uploadOffset) };
  return receivePieces(dependencies, organisationId, piecesFrom(transfer.offset, transfer, all));
}

/** The bytes that stand at `start` or behind it. */
async function* piecesFrom(
  start: number,
  { sha256, sizeBytes, offset }: Transfer,
  messages: AsyncIterable<{ data: Uint8Array }>,
): AsyncGenerator<UploadPiece> {
  yield { sha256, sizeBytes, offset: start, bytes: new Uint8Array() };
  let position = offset;
  for await (const { data } of messages) {
    const bytes = data.subarray(Math.max(0, start - position));
    position += data.byteLength;
    yield { sha256, sizeBytes, offset: position - bytes.byteLength, bytes };
  }
}
