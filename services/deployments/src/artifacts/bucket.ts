import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { ArtifactsUnavailableError, type ByteRange } from "./artifact-store.ts";
import type { BucketLocation } from "./bucket-location.ts";

/** An object as a list shows it. */
export interface ListedObject {
  key: string;
  sizeBytes: number;
  changedAt: Date;
}

const partBytes = 8 * 1024 * 1024;
/** Parts of one upload that are on their way at once: with their sizes, the memory that it takes. */
const maxConcurrentParts = 2;

/** A bucket, and a folder in it. Everything rejects with ArtifactsUnavailableError when the server does not do what it should. */
export class Bucket implements Disposable {
  readonly #client: S3Client;
  /** Of the address that clients reach the server at: it is part of what is signed. */
  readonly #signer: S3Client | undefined;
  readonly #name: string;
  readonly #prefix: string;

  constructor({ endpoint, publicEndpoint, region, bucket, prefix, credentials }: BucketLocation) {
    const options: S3ClientConfig = {
      region,
      // The one style that every server has.
      forcePathStyle: true,
      ...(credentials && { credentials }),
      // What is stored is verified by its own digest, and not every server knows these.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    };
    this.#client = new S3Client({ ...options, endpoint });
    this.#signer = publicEndpoint === undefined ? undefined : new S3Client({ ...options, endpoint: publicEndpoint });
    this.#name = bucket;
    this.#prefix = prefix;
  }

  async sizeOf(key: string): Promise<number | undefined> {
    try {
      const head = await this.#client.send(new HeadObjectCommand(this.#at(key)));
      return head.ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new ArtifactsUnavailableError(error);
    }
  }

  /** Stores bytes as they come; an error of theirs passes, and leaves no object behind. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const source = trackFailure(bytes);
    const params = { ...this.#at(key), Body: Readable.from(source.bytes, { objectMode: false }) };
    const upload = new Upload({ client: this.#client, params, partSize: partBytes, queueSize: maxConcurrentParts });
    try {
      await upload.done();
    } catch (error) {
      const failure = source.failure();
      throw failure ? failure.error : new ArtifactsUnavailableError(error);
    }
  }

  async putWhole(key: string, bytes: Uint8Array): Promise<void> {
    await translated(this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: bytes })));
  }

  async read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const part = range && { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#at(key), ...part }));
      return Body instanceof Readable ? translatedBytes(Body) : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new ArtifactsUnavailableError(error);
    }
  }

  /**
   * A URL at which any holder reads the object for so many seconds, always as a download; undefined where clients do not reach
   * the server. Nothing is asked of the server.
   */
  async urlOf(key: string, { fileName, seconds }: { fileName: string; seconds: number }): Promise<string | undefined> {
    const command = new GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: "application/octet-stream",
      ResponseContentDisposition: `attachment; filename="${fileName}"`,
    });
    return this.#signer && translated(getSignedUrl(this.#signer, command, { expiresIn: seconds }));
  }

  async delete(key: string): Promise<void> {
    await translated(this.#client.send(new DeleteObjectCommand(this.#at(key))));
  }

  /** The objects below a folder, by their keys. */
  async *list(folder: string): AsyncGenerator<ListedObject> {
    const request = { Bucket: this.#name, Prefix: this.#prefix + folder };
    try {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, request)) {
        for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
          yield { key: Key.slice(this.#prefix.length), sizeBytes: Size, changedAt: LastModified };
        }
      }
    } catch (error) {
      throw new ArtifactsUnavailableError(error);
    }
  }

  /** Deletes the objects below a folder, one after the other. @throws the reason of `signal` once that is aborted */
  async deleteAll(folder: string, signal: AbortSignal): Promise<void> {
    for await (const { key } of this.list(folder)) {
      signal.throwIfAborted();
      await this.delete(key);
    }
  }

  /** Forgets parts of uploads that were begun before then and never ended: those of processes that were killed. */
  async abandonBefore(before: Date): Promise<void> {
    const request = { Bucket: this.#name, Prefix: this.#prefix };
    const { Uploads = [] } = await translated(this.#client.send(new ListMultipartUploadsCommand(request)));
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (!Key || !UploadId || !Initiated || Initiated >= before) continue;
      await translated(this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#name, Key, UploadId })));
    }
  }

  async ping(signal: AbortSignal): Promise<void> {
    await translated(this.#client.send(new HeadBucketCommand({ Bucket: this.#name }), { abortSignal: signal }));
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
    this.#signer?.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#name, Key: this.#prefix + key };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== "NoSuchBucket";
}

/** What the server or the way to it says is for the log. */
async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ArtifactsUnavailableError(error);
  }
}

async function* translatedBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw new ArtifactsUnavailableError(error);
  }
}

/** Bytes that pass, and how their source failed, if it did: that is no failure of the bucket's. */
function trackFailure(source: AsyncIterable<Uint8Array>) {
  let failure: { error: unknown } | undefined;
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  return { bytes: pass(), failure: () => failure };
}
