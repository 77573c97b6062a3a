import {
  ArtifactMissingError,
  type ArtifactStore,
  type ByteRange,
  folderOfOrganisation,
  isSha256,
  type ListedArtifact,
  pathOfArtifact,
} from "./artifact-store.ts";
import type { Bucket } from "./bucket.ts";
import { verified } from "./verified-bytes.ts";

/** Artifacts in an S3-compatible bucket. An object is there whole or not at all: the server sees to that. */
export class BucketStore implements ArtifactStore {
  readonly #bucket: Bucket;
  readonly #maxBytes: number;

  constructor(bucket: Bucket, { maxBytes }: { maxBytes: number }) {
    this.#bucket = bucket;
    this.#maxBytes = maxBytes;
  }

  async sizeOf(organisationId: string, sha256: string): Promise<number | undefined> {
    return this.#bucket.sizeOf(pathOfArtifact(organisationId, sha256));
  }

  async *list(organisationId: string): AsyncGenerator<ListedArtifact> {
    for await (const { key, sizeBytes } of this.#bucket.list(`${folderOfOrganisation(organisationId)}/`)) {
      const sha256 = key.slice(key.lastIndexOf("/") + 1);
      if (isSha256(sha256)) yield { sha256, sizeBytes };
    }
  }

  async put(
    organisationId: string,
    artifact: { sha256: string; sizeBytes?: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const key = pathOfArtifact(organisationId, artifact.sha256);
    const known = await this.#bucket.sizeOf(key);
    if (known !== undefined) return known;
    let size = 0;
    const counted = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of source) {
        size += piece.byteLength;
        yield piece;
      }
    };
    await this.#bucket.put(key, counted(verified(bytes, { ...artifact, maxBytes: this.#maxBytes })));
    return size;
  }

  async *read(organisationId: string, sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const stored = await this.#bucket.read(pathOfArtifact(organisationId, sha256), range);
    if (!stored) throw new ArtifactMissingError(sha256);
    yield* range ? stored : verified(stored, { sha256 });
  }

  remove(organisationId: string, sha256: string): Promise<void> {
    return this.#bucket.delete(pathOfArtifact(organisationId, sha256));
  }

  removeAll(organisationId: string, signal: AbortSignal): Promise<void> {
    return this.#bucket.deleteAll(`${folderOfOrganisation(organisationId)}/`, signal);
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#bucket.ping(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bucket[Symbol.dispose]();
  }
}
