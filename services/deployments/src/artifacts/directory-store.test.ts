import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ArtifactDigestError,
  ArtifactMissingError,
  ArtifactsUnavailableError,
  ArtifactTooLargeError,
  sha256Of,
} from "./artifact-store.ts";
import { DirectoryStore } from "./directory-store.ts";
import { DirectoryUploads } from "./directory-uploads.ts";

let root: string;
let store: DirectoryStore;
const acme = randomUUID();
const hello = new TextEncoder().encode("hello, artifact");
const sha256 = sha256Of(hello);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "artifacts-"));
  store = new DirectoryStore(root, { maxBytes: 1_000 });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
const collected = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(bytes));
const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

describe("an artifact in a directory", () => {
  it("is kept under its digest, and read as it was", async () => {
    expect(await store.put(acme, { sha256 }, pieces(hello.subarray(0, 4), hello.subarray(4)))).toBe(hello.length);
    expect(await store.sizeOf(acme, sha256)).toBe(hello.length);
    expect(await collected(store.read(acme, sha256))).toEqual(Buffer.from(hello));
    expect((await stat(join(root, acme, sha256.slice(0, 2), sha256))).size).toBe(hello.length);
  });

  it("is read in part", async () => {
    await store.put(acme, { sha256 }, pieces(hello));
    const part = await collected(store.read(acme, sha256, { offset: 7, length: 8 }));
    expect(part.toString()).toBe("artifact");
  });

  it("that is there is not read a second time", async () => {
    await store.put(acme, { sha256 }, pieces(hello));
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        throw new Error("it was read");
      },
    };
    expect(await store.put(acme, { sha256 }, never)).toBe(hello.length);
    expect(await filesOf(root)).toBe(1);
  });

  it("is another organisation's only when that stores it, too", async () => {
    await store.put(acme, { sha256 }, pieces(hello));
    const globex = randomUUID();
    expect(await store.sizeOf(globex, sha256)).toBeUndefined();
    await expect(collected(store.read(globex, sha256))).rejects.toThrow(ArtifactMissingError);
  });

  it.each([
    ["other bytes", { sha256: sha256Of(Buffer.from("other")) }, ArtifactDigestError],
    ["more bytes than announced", { sha256, sizeBytes: 3 }, ArtifactDigestError],
    ["fewer bytes than announced", { sha256, sizeBytes: 300 }, ArtifactDigestError],
    ["more announced than there may be", { sha256, sizeBytes: 1_001 }, ArtifactTooLargeError],
  ])("of %s is refused, and nothing stays", async (_, artifact, refusal) => {
    await expect(store.put(acme, artifact, pieces(hello))).rejects.toThrow(refusal);
    expect(await filesOf(root)).toBe(0);
  });

  it("of exactly the largest size is taken, and of one byte more is not", async () => {
    const largest = Buffer.alloc(1_000);
    expect(await store.put(acme, { sha256: sha256Of(largest) }, pieces(largest))).toBe(1_000);
    const larger = Buffer.alloc(1_001);
    const refused = store.put(acme, { sha256: sha256Of(larger) }, pieces(larger));
    await expect(refused).rejects.toThrow(ArtifactTooLargeError);
  });

  it("whose source breaks off is not stored, and the source's error is told", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield hello;
      throw new Error("the line is dead");
    }
    await expect(store.put(acme, { sha256 }, breaking())).rejects.toThrow("the line is dead");
    expect(await filesOf(root)).toBe(0);
  });

  it("that the disk has changed is not passed off as the one that was stored", async () => {
    await store.put(acme, { sha256 }, pieces(hello));
    await writeFile(join(root, acme, sha256.slice(0, 2), sha256), "hello, artifacT");
    await expect(collected(store.read(acme, sha256))).rejects.toThrow(ArtifactDigestError);
  });

  it("that many store at once is there once", async () => {
    const sizes = await Promise.all(Array.from({ length: 20 }, () => store.put(acme, { sha256 }, pieces(hello))));
    expect(new Set(sizes)).toEqual(new Set([hello.length]));
    expect(await filesOf(root)).toBe(1);
  });

  it.each(["../../etc/passwd", "", sha256.toUpperCase(), `${sha256}/..`])(
    "is not looked for under %j",
    async (name) => {
      await expect(store.sizeOf(acme, name)).rejects.toThrow(TypeError);
      await expect(store.sizeOf(`../${acme}`, sha256)).rejects.toThrow(TypeError);
    },
  );

  it("is unavailable when the directory is none", async () => {
    await writeFile(join(root, "file"), "");
    const lost = new DirectoryStore(join(root, "file"), { maxBytes: 1_000 });
    await expect(lost.put(acme, { sha256 }, pieces(hello))).rejects.toThrow(ArtifactsUnavailableError);
    await expect(lost.ping()).rejects.toThrow();
  });
});

describe("an upload in a directory", () => {
  it("grows piece by piece, and the same piece again changes nothing", async () => {
    const uploads = new DirectoryUploads(root);
    expect(await uploads.receivedBytes(acme, sha256)).toBe(0);
    expect(await collected(uploads.read(acme, sha256))).toHaveLength(0);
    await uploads.write(acme, sha256, { offset: 0, bytes: hello.subarray(0, 5) });
    expect(await uploads.receivedBytes(acme, sha256)).toBe(5);
    await uploads.write(acme, sha256, { offset: 5, bytes: hello.subarray(5) });
    await uploads.write(acme, sha256, { offset: 0, bytes: hello.subarray(0, 5) });
    expect(await collected(uploads.read(acme, sha256))).toEqual(Buffer.from(hello));
    expect([await uploads.count(acme), await uploads.count(randomUUID())]).toEqual([1, 0]);
    await uploads.forget(acme, sha256);
    expect(await uploads.receivedBytes(acme, sha256)).toBe(0);
  });

  it("that was abandoned is forgotten, and one that grows is not", async () => {
    const uploads = new DirectoryUploads(root);
    const other = sha256Of(Buffer.from("other"));
    await uploads.write(acme, sha256, { offset: 0, bytes: hello });
    await uploads.write(acme, other, { offset: 0, bytes: hello });
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(root, ".uploads", acme, sha256.slice(0, 2), sha256), old, old);
    await uploads.sweep(new Date(Date.now() - 86_400_000));
    expect(await uploads.receivedBytes(acme, sha256)).toBe(0);
    expect(await uploads.receivedBytes(acme, other)).toBe(hello.length);
  });
});

describe("everything of an organisation", () => {
  it("is removed with its uploads, again without effect, and nothing of another one", async () => {
    const globex = randomUUID();
    const uploads = new DirectoryUploads(root);
    for (const organisation of [acme, globex]) {
      await store.put(organisation, { sha256 }, pieces(hello));
      await uploads.write(organisation, "0".repeat(64), { offset: 0, bytes: hello });
    }
    for (const _time of ["first", "again"]) {
      await store.removeAll(acme);
      await uploads.forgetAll(acme);
    }
    expect([await store.sizeOf(acme, sha256), await uploads.count(acme)]).toEqual([undefined, 0]);
    expect([await store.sizeOf(globex, sha256), await uploads.count(globex)]).toEqual([hello.length, 1]);
    expect((await readdir(root, { recursive: true })).filter((path) => path.includes(acme))).toEqual([]);
  });
});
