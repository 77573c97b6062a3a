import { ArtifactDigestError, ArtifactTooLargeError, isSha256 } from "./artifact-store.ts";
import type { Artifacts } from "./artifacts.ts";
import type { UploadStore } from "./upload-store.ts";

/** A piece of an artifact, as it comes in. */
export interface UploadPiece {
  /** SHA-256 and bytes of the whole artifact; those of the first piece count. */
  sha256: string;
  sizeBytes: number;
  offset: number;
  bytes: Uint8Array;
}

export interface StoredArtifact {
  sha256: string;
  sizeBytes: number;
}

/** Uploads of an organisation that are not whole, at most. */
const maxUploads = 20;

/** A piece does not follow on. */
export class UploadOffsetError extends Error {
  override name = "UploadOffsetError";
  constructor(expected: number) {
    super(`the upload goes on at ${expected}`);
  }
}

/** The stream ended before the artifact was whole. */
export class UploadUnfinishedError extends Error {
  override name = "UploadUnfinishedError";
  constructor(receivedBytes: number, sizeBytes: number) {
    super(`${receivedBytes} of ${sizeBytes} bytes have arrived; the upload goes on from there`);
  }
}

/** The organisation has as many unfinished uploads as it can have. */
export class UploadLimitError extends Error {
  override name = "UploadLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${maxUploads} unfinished uploads`);
  }
}

/** Bytes that are gathered before they are written, so that small pieces do not each wait for the disk. */
const flushBytes = 4 * 1024 * 1024;

export async function uploadProgress(
  { artifacts, uploads }: Artifacts,
  organisationId: string,
  sha256: string,
): Promise<{ receivedBytes: number; complete: boolean }> {
  const stored = await artifacts.sizeOf(organisationId, sha256);
  if (stored !== undefined) return { receivedBytes: stored, complete: true };
  return { receivedBytes: await uploads.receivedBytes(organisationId, sha256), complete: false };
}

/** How far an upload has come. */
export interface ReceivedUpload extends StoredArtifact {
  /** All bytes once the artifact is stored. */
  receivedBytes: number;
}

/**
 * As {@link receivePieces}, for pieces that are to complete the artifact.
 * @throws UploadUnfinishedError
 */
export async function receiveUpload(
  dependencies: Artifacts,
  organisationId: string,
  pieces: AsyncIterable<UploadPiece>,
): Promise<StoredArtifact> {
  const { receivedBytes, ...artifact } = await receivePieces(dependencies, organisationId, pieces);
  if (receivedBytes < artifact.sizeBytes) throw new UploadUnfinishedError(receivedBytes, artifact.sizeBytes);
  return artifact;
}

/**
 * Takes the pieces of an artifact from where the upload stands, and stores it once it is whole; what has arrived stays
 * when the stream breaks off.
 * @throws ArtifactDigestError, which forgets what has arrived, ArtifactTooLargeError, UploadOffsetError, UploadLimitError,
 * QuotaExceededError
 */
export async function receivePieces(
  dependencies: Artifacts,
  organisationId: string,
  pieces: AsyncIterable<UploadPiece>,
): Promise<ReceivedUpload> {
  const { artifacts, uploads, maxArtifactBytes } = dependencies;
  const arriving = pieces[Symbol.asyncIterator]();
  const first = await arriving.next();
  if (first.done) throw new ArtifactDigestError("the first message names the artifact, and there was none");
  const { sha256, sizeBytes } = first.value;
  if (!isSha256(sha256)) throw new ArtifactDigestError("the first message names the artifact by its SHA-256");
  const stored = await artifacts.sizeOf(organisationId, sha256);
  if (stored !== undefined) return { sha256, sizeBytes: stored, receivedBytes: stored };
  if (sizeBytes > maxArtifactBytes) throw new ArtifactTooLargeError(maxArtifactBytes);
  const received = await uploads.receivedBytes(organisationId, sha256);
  if (received === 0 && (await uploads.count(organisationId)) >= maxUploads) throw new UploadLimitError();
  await artifacts.reserve(organisationId, { sha256, sizeBytes });
  const writer = new UploadWriter(dependencies, { organisationId, sha256, sizeBytes, position: received });
  try {
    for (let next: IteratorResult<UploadPiece> = first; !next.done; next = await arriving.next()) {
      await writer.take(next.value);
    }
  } finally {
    await writer.flush();
    const isNothing = writer.position === 0 && (await uploads.receivedBytes(organisationId, sha256)) === 0;
    if (isNothing) await artifacts.release(organisationId, sha256);
  }
  if (writer.position < sizeBytes) return { sha256, sizeBytes, receivedBytes: writer.position };
  const storedBytes = await store(dependencies, organisationId, { sha256, sizeBytes });
  return { sha256, sizeBytes: storedBytes, receivedBytes: storedBytes };
}

async function store(
  { artifacts, uploads }: Artifacts,
  organisationId: string,
  artifact: StoredArtifact,
): Promise<number> {
  const { sha256 } = artifact;
  try {
    const size = await artifacts.put(organisationId, artifact, uploads.read(organisationId, sha256));
    await uploads.forget(organisationId, sha256);
    return size;
  } catch (error) {
    // These bytes never become the artifact: a retry begins at the first byte.
    if (error instanceof ArtifactDigestError) await uploads.forget(organisationId, sha256);
    throw error;
  }
}

interface Progress {
  organisationId: string;
  sha256: string;
  sizeBytes: number;
  /** Where the next piece has to begin. */
  position: number;
}

class UploadWriter {
  readonly #uploads: UploadStore;
  readonly #progress: Progress;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;

  constructor({ uploads }: Artifacts, progress: Progress) {
    this.#uploads = uploads;
    this.#progress = progress;
  }

  get position(): number {
    return this.#progress.position;
  }

  async take({ offset, bytes }: UploadPiece): Promise<void> {
    const { position, sizeBytes } = this.#progress;
    if (bytes.byteLength === 0) return;
    if (offset !== position) throw new UploadOffsetError(position);
    if (position + bytes.byteLength > sizeBytes) {
      throw new ArtifactDigestError(`there are more bytes than the ${sizeBytes} that were announced`);
    }
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.byteLength;
    this.#progress.position += bytes.byteLength;
    if (this.#bufferedBytes >= flushBytes) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#bufferedBytes === 0) return;
    const bytes = Buffer.concat(this.#buffered, this.#bufferedBytes);
    const { organisationId, sha256, position } = this.#progress;
    const offset = position - bytes.byteLength;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    await this.#uploads.write(organisationId, sha256, { offset, bytes });
  }
}
