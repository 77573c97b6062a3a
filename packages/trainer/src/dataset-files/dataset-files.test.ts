import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatasetDigestError, DatasetError } from "../datasets/run-dataset.ts";
import { DatasetFiles, type DownloadDataset } from "./dataset-files.ts";

const content = Buffer.from("the rows of a version".repeat(100));
const contentSha256 = createHash("sha256").update(content).digest("hex");
const version = { name: "train", datasetId: "d", versionId: "v", number: 1, contentSha256, rowCount: 3 };
const whole = { ...version, sizeBytes: content.length };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "datasets-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Gives `content`, and tells from where it was asked for. */
function source(bytes: Uint8Array = content) {
  const offsets: number[] = [];
  const download: DownloadDataset = async ({ offset }) => {
    offsets.push(offset);
    return { isRest: offset > 0, pieces: pieces(bytes.subarray(offset)) };
  };
  return { offsets, download };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 500) yield bytes.subarray(at, at + 500);
}

function files(download: DownloadDataset | undefined, stopped = new AbortController().signal): DatasetFiles {
  return new DatasetFiles({ ...{ runId: "r", directory, attachmentId: "mine", download, stopped }, log: () => {} });
}

describe("the file of a version", () => {
  it("is fetched once, also where it is asked for twice at a time, and by a trainer that comes later", async () => {
    const { offsets, download } = source();
    const here = files(download);
    const path = join(directory, `${contentSha256}.parquet`);
    expect(await Promise.all([here.pathOf(whole), here.pathOf(whole)])).toEqual([path, path]);
    expect(await files(download).pathOf(whole)).toBe(path);
    expect([offsets, await readFile(path), await readdir(directory)]).toEqual([
      [0],
      content,
      [`${contentSha256}.parquet`],
    ]);
  });

  it("is fetched again where it was removed or damaged", async () => {
    const { offsets, download } = source();
    const here = files(download);
    const path = await here.pathOf(whole);
    await rm(path);
    await here.pathOf(whole);
    await writeFile(path, content.subarray(1));
    expect(await readFile(await files(download).pathOf(whole))).toEqual(content);
    expect(offsets).toEqual([0, 0, 0]);
  });

  it("goes on with what this trainer has left, and not with that of another one", async () => {
    const { offsets, download } = source();
    await writeFile(join(directory, `${contentSha256}.other.part`), "something of another trainer");
    await writeFile(join(directory, `${contentSha256}.mine.part`), content.subarray(0, 700));
    expect(await readFile(await files(download).pathOf(whole))).toEqual(content);
    expect(offsets).toEqual([700]);
    expect((await readdir(directory)).toSorted()).toEqual([`${contentSha256}.other.part`, `${contentSha256}.parquet`]);
  });

  it.each([
    ["other bytes", Buffer.alloc(content.length)],
    ["too many bytes", Buffer.concat([content, content])],
  ])("is an error for %s, which are removed", async (_, bytes) => {
    await expect(files(source(bytes).download).pathOf(whole)).rejects.toThrow(DatasetDigestError);
    expect(await readdir(directory)).toEqual([]);
  });

  it("is tried again where an answer ends early or fails, and not where it is refused", async () => {
    const { offsets, download } = source();
    const answers = [
      () => Promise.reject(new ConnectError("not now", Code.Unavailable)),
      async () => ({ isRest: false, pieces: pieces(content.subarray(0, 1_200)) }),
    ];
    const path = await files((wanted) => answers.shift()?.() ?? download(wanted)).pathOf(whole);
    expect([await readFile(path), offsets]).toEqual([content, [1_200]]);
    await rm(path);
    const refused = files(() => Promise.reject(new ConnectError("Not found", Code.NotFound))).pathOf(whole);
    await expect(refused).rejects.toThrow('the platform does not give "train": Not found');
  });

  it("is an error with a remedy where nothing can be fetched, and where there is no room", async () => {
    await expect(files(undefined).pathOf(whole)).rejects.toThrow("use connectOverHttps");
    const large = files(source().download).pathOf({ ...whole, sizeBytes: 2 ** 60 });
    await expect(large).rejects.toThrow(/and the disk of .* has \d+: free some, or choose another directory/);
    await writeFile(join(directory, "a file"), "");
    const options = { runId: "r", attachmentId: "mine", download: source().download, log: () => {} };
    const stopped = new AbortController().signal;
    const nowhere = new DatasetFiles({ ...options, stopped, directory: join(directory, "a file") });
    await expect(nowhere.pathOf(whole)).rejects.toThrow(DatasetError);
    await expect(nowhere.pathOf(whole)).rejects.toThrow("cannot be kept");
  });

  it("is given up when the trainer is stopped, and what has arrived stays", async () => {
    const stopping = new AbortController();
    const download: DownloadDataset = async ({ signal }) => ({ isRest: false, pieces: endless(signal) });
    async function* endless(signal: AbortSignal) {
      yield content.subarray(0, 10);
      stopping.abort(new ConnectError("stopped", Code.Canceled));
      signal.throwIfAborted();
    }
    await expect(files(download, stopping.signal).pathOf(whole)).rejects.toThrow("stopped before the data was there");
    expect(await readFile(join(directory, `${contentSha256}.mine.part`))).toEqual(content.subarray(0, 10));
  });

  it("has parts that no trainer goes on with removed after a day", async () => {
    await mkdir(directory, { recursive: true });
    for (const name of ["old.part", "new.part"]) await writeFile(join(directory, name), "a part");
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(directory, "old.part"), twoDaysAgo, twoDaysAgo);
    await files(source().download).pathOf(whole);
    expect((await readdir(directory)).toSorted()).toEqual([`${contentSha256}.parquet`, "new.part"].toSorted());
  });
});
