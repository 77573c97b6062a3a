import { folderOfOrganisation, pathOfArtifact } from "./artifact-store.ts";
import type { Bucket } from "./bucket.ts";
import type { UploadStore } from "./upload-store.ts";

const folder = ".uploads";
/** Digits of an offset in a key: keys are listed in the order of their offsets. */
const digits = 16;

interface Piece {
  key: string;
  offset: number;
  end: number;
}

/** Uploads as objects that are pieces of them, each called after its place. */
export class BucketUploads implements UploadStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async receivedBytes(organisationId: string, sha256: string): Promise<number> {
    let received = 0;
    for await (const { offset, end } of this.#pieces(organisationId, sha256)) {
      if (offset > received) break;
      received = Math.max(received, end);
    }
    return received;
  }

  async write(
    organisationId: string,
    sha256: string,
    { offset, bytes }: { offset: number; bytes: Uint8Array },
  ): Promise<void> {
    await this.#bucket.putWhole(`${folderOf(organisationId, sha256)}${String(offset).padStart(digits, "0")}`, bytes);
  }

  async *read(organisationId: string, sha256: string): AsyncGenerator<Uint8Array> {
    let position = 0;
    for await (const { key, offset, end } of this.#pieces(organisationId, sha256)) {
      // Two streams of one upload may have cut it in other places: what overlaps is taken from the first.
      if (offset > position || end <= position) continue;
      let skip = position - offset;
      for await (const bytes of (await this.#bucket.read(key)) ?? []) {
        yield bytes.subarray(skip);
        skip = Math.max(0, skip - bytes.byteLength);
      }
      position = end;
    }
  }

  async forget(organisationId: string, sha256: string): Promise<void> {
    for await (const { key } of this.#pieces(organisationId, sha256)) await this.#bucket.delete(key);
  }

  async count(organisationId: string): Promise<number> {
    const uploads = new Set<string>();
    for await (const { key } of this.#bucket.list(`${folder}/${organisationId}/`)) {
      uploads.add(key.slice(0, key.lastIndexOf("/")));
    }
    return uploads.size;
  }

  forgetAll(organisationId: string, signal: AbortSignal): Promise<void> {
    return this.#bucket.deleteAll(`${folder}/${folderOfOrganisation(organisationId)}/`, signal);
  }

  async sweep(before: Date): Promise<void> {
    const newest = new Map<string, Date>();
    for await (const { key, changedAt } of this.#bucket.list(`${folder}/`)) {
      const upload = key.slice(0, key.lastIndexOf("/") + 1);
      const known = newest.get(upload);
      if (!known || known < changedAt) newest.set(upload, changedAt);
    }
    for (const [upload, changedAt] of newest) {
      if (changedAt >= before) continue;
      for await (const { key } of this.#bucket.list(upload)) await this.#bucket.delete(key);
    }
    await this.#bucket.abandonBefore(before);
  }

  async *#pieces(organisationId: string, sha256: string): AsyncGenerator<Piece> {
    const prefix = folderOf(organisationId, sha256);
    for await (const { key, sizeBytes } of this.#bucket.list(prefix)) {
      const offset = Number(key.slice(prefix.length));
      yield { key, offset, end: offset + sizeBytes };
    }
  }
}

function folderOf(organisationId: string, sha256: string): string {
  return `${folder}/${pathOfArtifact(organisationId, sha256)}/`;
}
