import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ArtifactRef } from "../other-services/stored-artifacts.ts";
import { CacheFullError, CacheTooSmallError, ParquetCache } from "./parquet-cache.ts";

const organisationId = randomUUID();
const signal = new AbortController().signal;
const artifact = (letter: string, sizeBytes = 40) => ({ organisationId, sha256: letter.repeat(64), sizeBytes });

let directory: string;
let downloads: string[];
/** Answers once a download may go on. */
let mayArrive: Promise<void>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "cache-"));
  downloads = [];
  mayArrive = Promise.resolve();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const artifacts = {
  async download({ sha256 }: ArtifactRef, path: string): Promise<void> {
    downloads.push(sha256.slice(0, 1));
    await mayArrive;
    if (sha256.startsWith("f")) throw new Error("it is gone");
    await writeFile(path, sha256.slice(0, 40));
  },
};
const logger = { warn: () => undefined };
const open = (maxBytes = 100) => ParquetCache.open({ directory, maxBytes, artifacts, logger });
const read = (path: string) => readFile(path, "utf8");
const files = async () => (await readdir(join(directory, organisationId))).map((name) => name.slice(0, 1)).sort();

describe("a copy of data", () => {
  it("is fetched once, however many use it at the same time and later", async () => {
    const cache = await open();
    const uses = Array.from({ length: 5 }, () => cache.use(artifact("a"), signal, read));
    expect(new Set(await Promise.all(uses))).toEqual(new Set(["a".repeat(40)]));
    await cache.use(artifact("a"), signal, read);
    expect(downloads).toEqual(["a"]);
  });

  it("is fetched again after a download that failed, of which nothing stays", async () => {
    const cache = await open();
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(cache.use(artifact("f"), signal, read)).rejects.toThrow("it is gone");
    }
    expect(downloads).toEqual(["f", "f"]);
    expect(await files()).toEqual([]);
  });

  it("goes when there is no room and it was not used for the longest time", async () => {
    const cache = await open();
    for (const letter of ["a", "b", "a", "c"]) await cache.use(artifact(letter), signal, read);
    expect(await files()).toEqual(["a", "c"]);
  });

  it("stays while it is in use, and what needs its room is refused", async () => {
    const cache = await open(60);
    await cache.use(artifact("a"), signal, async (path) => {
      await expect(cache.use(artifact("b"), signal, read)).rejects.toThrow(CacheFullError);
      expect(await read(path)).toBe("a".repeat(40));
    });
    expect(await cache.use(artifact("b"), signal, read)).toBe("b".repeat(40));
  });

  it("is refused when it never fits", async () => {
    const cache = await open();
    await expect(cache.use(artifact("a", 101), signal, read)).rejects.toThrow(CacheTooSmallError);
    await expect(cache.reserve(101)).rejects.toThrow(CacheTooSmallError);
  });

  it("does not hold up a caller who has left", async () => {
    const cache = await open();
    mayArrive = new Promise(() => undefined);
    const left = new AbortController();
    const use = cache.use(artifact("a"), left.signal, read);
    left.abort(new Error("left"));
    await expect(use).rejects.toThrow("left");
  });

  it("is removed by a sweep when nothing needs it", async () => {
    const cache = await open();
    for (const letter of ["a", "b"]) await cache.use(artifact(letter), signal, read);
    await cache.sweep(async (_id, digests) => digests.filter((digest) => digest.startsWith("a")));
    expect(await files()).toEqual(["a"]);
  });
});

describe("an organisation that is deleted", () => {
  it("leaves no copy, once none is in use", async () => {
    const cache = await open();
    await cache.use(artifact("a"), signal, async () => {
      expect(await cache.removeOrganisation(organisationId)).toBe(false);
    });
    expect(await cache.removeOrganisation(organisationId)).toBe(true);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("room that is reserved", () => {
  it("counts until it is released", async () => {
    const cache = await open();
    {
      using _room = await cache.reserve(80);
      await expect(cache.use(artifact("a"), signal, read)).rejects.toThrow(CacheFullError);
    }
    expect(await cache.use(artifact("a"), signal, read)).toBe("a".repeat(40));
  });
});

describe("a file that was just made", () => {
  it("is taken over, and not fetched", async () => {
    const cache = await open();
    const path = join(await cache.folderOf(organisationId), "made");
    await writeFile(path, "made");
    await cache.adopt(artifact("a", 4), path);
    expect(await cache.use(artifact("a", 4), signal, read)).toBe("made");
    expect(downloads).toEqual([]);
  });
});

describe("a cache that is opened again", () => {
  it("uses whole copies of the process before, and removes what that has left unfinished", async () => {
    const folder = join(directory, organisationId);
    await mkdir(join(folder, "reading-1"), { recursive: true });
    await writeFile(join(folder, `${"a".repeat(64)}.parquet`), "whole");
    await writeFile(join(folder, `${"b".repeat(64)}.parquet.part`), "half");
    const cache = await open();
    expect(await files()).toEqual(["a"]);
    expect(await cache.use(artifact("a", 5), signal, read)).toBe("whole");
    expect(downloads).toEqual([]);
  });
});
