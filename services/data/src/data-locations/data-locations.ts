import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { isOpenTo } from "../settings-entries.ts";
import { LocationUnavailableError, SourceObjectError } from "./location-errors.ts";
import type { DataLocation, KeyedLocation } from "./location-settings.ts";

/** An object below the folder of a location. */
export interface ObjectRef {
  organisationId: string;
  location: string;
  key: string;
}

/** An object as it is at a moment: another ETag is another object. */
export interface ObjectState {
  etag: string;
  sizeBytes: number;
}

/** What was copied. */
export interface CopiedObject {
  sha256: string;
  sizeBytes: number;
}

interface Opened {
  location: KeyedLocation;
  client: S3Client;
}

/** Why the server's answer is not what was asked for, by its status. */
const refusals: ReadonlyMap<number, string> = new Map([
  [401, "does not take the platform's key"],
  [403, "does not let the platform read the object"],
]);

/** The folders of buckets that files of versions may be read from. Nothing is written there. */
export class DataLocations implements Disposable {
  readonly #opened: ReadonlyMap<string, Opened>;

  constructor(locations: readonly KeyedLocation[]) {
    this.#opened = new Map(locations.map((location) => [location.name, { location, client: clientOf(location) }]));
  }

  /** Those that the organisation may read. */
  of(organisationId: string): DataLocation[] {
    const all = [...this.#opened.values()].map(({ location }) => location);
    return all.filter(({ organisations }) => isOpenTo(organisations, organisationId));
  }

  /** The object as it is now; undefined: there is none. @throws SourceObjectError, LocationUnavailableError */
  async describe(ref: ObjectRef): Promise<ObjectState | undefined> {
    const { location, client } = this.#allowed(ref);
    try {
      const { ETag: etag, ContentLength: sizeBytes = 0 } = await client.send(
        new HeadObjectCommand(placeOf(location, ref.key)),
      );
      if (etag === undefined) throw new LocationUnavailableError(location.name, "says no ETag of its objects");
      return { etag, sizeBytes };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw unavailable(location, error);
    }
  }

  /** Copies the object to a new file, if it is the one that was named. @throws SourceObjectError, LocationUnavailableError, and the signal's reason */
  async copy(ref: ObjectRef, named: ObjectState, path: string, signal: AbortSignal): Promise<CopiedObject> {
    const { location, client } = this.#allowed(ref);
    const changed = new SourceObjectError(`The object ${JSON.stringify(ref.key)} is another one than was named`);
    const digest = createHash("sha256");
    let sizeBytes = 0;
    try {
      const wanted = new GetObjectCommand({ ...placeOf(location, ref.key), IfMatch: named.etag });
      const { Body, ETag } = await client.send(wanted, { abortSignal: signal });
      // Not every server knows If-Match.
      if (ETag !== named.etag || !(Body instanceof Readable)) throw changed;
      await using file = await open(path, "w", 0o644);
      for await (const piece of Body) {
        signal.throwIfAborted();
        sizeBytes += piece.length;
        if (sizeBytes > named.sizeBytes) throw changed;
        digest.update(piece);
        await file.writeFile(piece);
      }
      await file.sync();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceObjectError) throw error;
      if ([404, 412].includes(statusOf(error) ?? 0)) throw changed;
      throw unavailable(location, error);
    }
    if (sizeBytes !== named.sizeBytes) throw new LocationUnavailableError(location.name, "sent less than the object");
    return { sha256: digest.digest("hex"), sizeBytes };
  }

  /** Whether the bucket answers. @throws LocationUnavailableError */
  async ping(name: string, signal: AbortSignal): Promise<void> {
    const opened = this.#opened.get(name);
    if (!opened) return;
    const { location, client } = opened;
    try {
      await client.send(new HeadBucketCommand({ Bucket: location.bucket }), { abortSignal: signal });
    } catch (error) {
      throw unavailable(location, error);
    }
  }

  [Symbol.dispose](): void {
    for (const { client } of this.#opened.values()) client.destroy();
  }

  /** @throws SourceObjectError */
  #allowed({ organisationId, location: name }: ObjectRef): Opened {
    const opened = this.#opened.get(name);
    if (opened && isOpenTo(opened.location.organisations, organisationId)) return opened;
    throw new SourceObjectError(`The settings of the platform no longer offer the location ${JSON.stringify(name)}`);
  }
}

function clientOf({ endpoint, region, key }: KeyedLocation): S3Client {
  return new S3Client({
    ...{ endpoint, region },
    // The one style that every server has.
    forcePathStyle: true,
    ...(key && { credentials: key }),
    // What is copied is known by a digest of its own, and not every server knows these.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    maxAttempts: 2,
  });
}

const placeOf = ({ bucket, prefix }: DataLocation, key: string) => ({ Bucket: bucket, Key: prefix + key });

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException && error.name !== "NoSuchBucket"
    ? error.$metadata.httpStatusCode
    : undefined;
}

function unavailable({ name }: DataLocation, error: unknown): LocationUnavailableError {
  if (error instanceof LocationUnavailableError) return error;
  return new LocationUnavailableError(
    name,
    refusals.get(statusOf(error) ?? 0) ?? "does not answer as it should",
    error,
  );
}
