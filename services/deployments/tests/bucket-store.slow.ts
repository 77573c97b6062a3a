import { randomUUID } from "node:crypto";
import {
  type ClientSession,
  connectDocumentStore,
  type DocumentStore,
  withTransaction,
} from "@aiplatform/document-store";
import { Quotas } from "@aiplatform/quotas";
import { environmentOf } from "@aiplatform/testkit";
import { S3Server } from "@aiplatform/testkit/s3-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArtifactBytes } from "../src/artifacts/artifact-bytes.ts";
import { ArtifactMarkStore } from "../src/artifacts/artifact-mark-store.ts";
import {
  ArtifactDigestError,
  ArtifactMissingError,
  ArtifactsUnavailableError,
  ArtifactTooLargeError,
  sha256Of,
} from "../src/artifacts/artifact-store.ts";
import { type OpenedArtifacts, openArtifacts } from "../src/artifacts/artifacts.ts";
import { CountedArtifacts } from "../src/artifacts/counted-artifacts.ts";
import { receiveUpload } from "../src/artifacts/receive-upload.ts";
import { StoredArtifactStore } from "../src/artifacts/stored-artifact-store.ts";
import { readConfig } from "../src/index.ts";
import { newDeploymentsHome } from "./deployments-rig.ts";
import { someBytes } from "./upload-pieces.ts";

const maxBytes = 40_000_000;
const acme = randomUUID();
let server: S3Server;
let settings: Record<string, string>;
let kept: OpenedArtifacts;
let database: DocumentStore;

const open = (settings: Record<string, string>) => {
  const { ARTIFACTS_DIRECTORY, ...home } = environmentOf(newDeploymentsHome(), settings);
  return openArtifacts(readConfig({ ...home, MAX_ARTIFACT_BYTES: String(maxBytes) }));
};

beforeAll(async () => {
  server = await S3Server.start();
  settings = await server.bucket("artifacts");
  kept = open(settings);
  const { MONGODB_URI: uri, MONGODB_DATABASE: name } = newDeploymentsHome();
  database = await connectDocumentStore({ uri, database: name, appName: "bucket tests" });
}, 300_000);
afterAll(async () => {
  await database?.database.dropDatabase();
  await database?.close();
  await kept?.artifacts[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** The bucket, counted. */
function counted(limit: number) {
  const [storedArtifacts, clock] = [new StoredArtifactStore(database), () => new Date()];
  const artifactBytes = new ArtifactBytes({ ...kept, storedArtifacts, clock });
  const quotas = new Quotas<"artifact_bytes">(database, {
    config: { QUOTAS: { artifact_bytes: limit } },
    usage: { artifact_bytes: (organisationId, session) => artifactBytes.of(organisationId, session) },
  });
  const transaction = <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(database, work);
  const marks = { storedArtifacts, artifactMarks: new ArtifactMarkStore(database) };
  const artifacts = new CountedArtifacts({ ...kept, ...marks, artifactBytes, quotas, transaction, clock });
  return { ...kept, artifacts, quotas };
}

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
const collected = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(bytes));
/** Bytes in pieces of a megabyte. */
const cut = (bytes: Uint8Array) =>
  pieces(
    ...Array.from({ length: Math.ceil(bytes.length / 1_000_000) }, (_, index) =>
      bytes.subarray(index * 1_000_000, (index + 1) * 1_000_000),
    ),
  );

describe("everything of an organisation in a bucket", () => {
  it("is removed with its uploads, again without effect, and nothing of another one", async () => {
    const [gone, stays] = [randomUUID(), randomUUID()];
    const signal = new AbortController().signal;
    const bytes = someBytes(1_000);
    const sha256 = sha256Of(bytes);
    for (const organisation of [gone, stays]) {
      await kept.artifacts.put(organisation, { sha256 }, cut(bytes));
      await kept.uploads.write(organisation, sha256Of(someBytes(100)), { offset: 0, bytes });
    }
    for (const _time of ["first", "again"]) {
      await kept.artifacts.removeAll(gone, signal);
      await kept.uploads.forgetAll(gone, signal);
    }
    expect([await kept.artifacts.sizeOf(gone, sha256), await kept.uploads.count(gone)]).toEqual([undefined, 0]);
    expect([await kept.artifacts.sizeOf(stays, sha256), await kept.uploads.count(stays)]).toEqual([1_000, 1]);
  });

  it("stays as far as it is not removed when the signal aborts", async () => {
    const organisation = randomUUID();
    const bytes = someBytes(1_000);
    const sha256 = sha256Of(bytes);
    await kept.artifacts.put(organisation, { sha256 }, cut(bytes));
    const reason = new Error("the process ends");
    await expect(kept.artifacts.removeAll(organisation, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await kept.artifacts.sizeOf(organisation, sha256)).toBe(1_000);
  });
});

describe("a URL of an artifact's own", () => {
  const reachable = () => open({ ...settings, ARTIFACTS_S3_PUBLIC_URL: server.url });

  it("is read without a credential, also in part, and always as a download", async () => {
    const { artifacts, signedUrl } = reachable();
    await using _ = artifacts;
    const bytes = someBytes(1_000);
    const sha256 = sha256Of(bytes);
    await artifacts.put(acme, { sha256 }, cut(bytes));
    const url = (await signedUrl(acme, sha256, 60)) ?? "";
    const whole = await fetch(url);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
    const part = await fetch(url, { headers: { range: "bytes=30-39" } });
    expect(await part.text()).toBe(bytes.subarray(30, 40).toString());
    const query = new URL(url).searchParams;
    expect([query.get("X-Amz-Expires"), query.get("response-content-type")]).toEqual([
      "60",
      "application/octet-stream",
    ]);
    expect(query.get("response-content-disposition")).toBe(`attachment; filename="${sha256}"`);
  });

  it("opens nothing else: neither another organisation's artifact nor another digest", async () => {
    const { artifacts, signedUrl } = reachable();
    await using _ = artifacts;
    const bytes = someBytes(100);
    const sha256 = sha256Of(bytes);
    const other = randomUUID();
    for (const organisation of [acme, other]) await artifacts.put(organisation, { sha256 }, cut(bytes));
    const url = (await signedUrl(acme, sha256, 60)) ?? "";
    const opened = await Promise.all(
      [url, url.replace(acme, other), url.replace(/Signature=./, "Signature=x"), url.split("?")[0] ?? ""].map(
        async (each) => (await fetch(each)).ok,
      ),
    );
    expect(opened).toEqual([true, false, false, false]);
  });

  it("is there only where clients reach the bucket's server", async () => {
    expect(await kept.signedUrl(acme, sha256Of(someBytes(100)), 60)).toBeUndefined();
  });
});

describe("an artifact in a bucket", () => {
  it.each([
    ["small", 1_000],
    ["so large that it is sent in parts", 30_000_000],
  ])("that is %s is kept under its digest, and read as it was", async (_, size) => {
    const bytes = someBytes(size);
    const sha256 = sha256Of(bytes);
    expect(await kept.artifacts.sizeOf(acme, sha256)).toBeUndefined();
    expect(await kept.artifacts.put(acme, { sha256, sizeBytes: size }, cut(bytes))).toBe(size);
    expect(await kept.artifacts.sizeOf(acme, sha256)).toBe(size);
    expect((await collected(kept.artifacts.read(acme, sha256))).equals(bytes)).toBe(true);
    const part = await collected(kept.artifacts.read(acme, sha256, { offset: 30, length: 500 }));
    expect(part.equals(bytes.subarray(30, 530))).toBe(true);
    expect(await kept.artifacts.put(acme, { sha256 }, pieces())).toBe(size);
  });

  it.each<[string, number, object, new (...args: never[]) => Error]>([
    ["few other bytes", 1_000, {}, ArtifactDigestError],
    ["many other bytes", 20_000_000, {}, ArtifactDigestError],
    ["fewer bytes than announced", 1_000, { sizeBytes: 1_001 }, ArtifactDigestError],
    ["too many bytes", maxBytes + 1, {}, ArtifactTooLargeError],
  ])("of %s is refused, and is not there", async (_, size, announced, refusal) => {
    const sha256 = sha256Of(someBytes(100));
    await expect(kept.artifacts.put(acme, { sha256, ...announced }, cut(someBytes(size)))).rejects.toThrow(refusal);
    expect(await kept.artifacts.sizeOf(acme, sha256)).toBeUndefined();
    await expect(collected(kept.artifacts.read(acme, sha256))).rejects.toThrow(ArtifactMissingError);
  });

  it("whose source breaks off is not stored, and the source's error is told", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield someBytes(12_000_000);
      throw new RangeError("the line is dead");
    }
    const sha256 = sha256Of(someBytes(100));
    await expect(kept.artifacts.put(acme, { sha256 }, breaking())).rejects.toThrow("the line is dead");
    expect(await kept.artifacts.sizeOf(acme, sha256)).toBeUndefined();
  });
});

describe("an upload into a bucket", () => {
  it("goes on from where it stands, and is stored at its end", async () => {
    const bytes = someBytes(11_000_000);
    const sha256 = sha256Of(bytes);
    const facts = { sha256, sizeBytes: bytes.length };
    const from = async function* (start: number, end: number) {
      for (let offset = start; offset < end; offset += 1_000_000) {
        yield { ...facts, offset, bytes: bytes.subarray(offset, Math.min(end, offset + 1_000_000)) };
      }
    };
    await expect(receiveUpload(counted(100_000_000), acme, from(0, 6_000_000))).rejects.toThrow(
      "6000000 of 11000000 bytes",
    );
    expect(await kept.uploads.receivedBytes(acme, sha256)).toBe(6_000_000);
    expect(await kept.uploads.count(acme)).toBe(1);
    expect(await receiveUpload(counted(100_000_000), acme, from(6_000_000, bytes.length))).toEqual(facts);
    expect((await collected(kept.artifacts.read(acme, sha256))).equals(bytes)).toBe(true);
    expect([await kept.uploads.count(acme), await kept.uploads.receivedBytes(acme, sha256)]).toEqual([0, 0]);
  });

  it("that two streams have cut in different places is whole all the same, and one with a gap ends before it", async () => {
    const bytes = Buffer.from("0123456789");
    const sha256 = sha256Of(bytes);
    const write = (offset: number, end: number) =>
      kept.uploads.write(acme, sha256, { offset, bytes: bytes.subarray(offset, end) });
    await write(0, 4);
    await write(2, 7);
    await write(8, 10);
    expect(await kept.uploads.receivedBytes(acme, sha256)).toBe(7);
    await write(5, 9);
    expect((await collected(kept.uploads.read(acme, sha256))).toString()).toBe("0123456789");
    await kept.uploads.forget(acme, sha256);
  });

  it("that was abandoned is forgotten", async () => {
    const sha256 = sha256Of(someBytes(100));
    await kept.uploads.write(acme, sha256, { offset: 0, bytes: Buffer.from("begun") });
    await kept.uploads.sweep(new Date(Date.now() - 60_000));
    expect(await kept.uploads.receivedBytes(acme, sha256)).toBe(5);
    await kept.uploads.sweep(new Date(Date.now() + 60_000));
    expect(await kept.uploads.receivedBytes(acme, sha256)).toBe(0);
  });
});

describe("the artifacts in a bucket", () => {
  it("count as what is stored, and one beyond the quota is refused before a byte of it is written", async () => {
    const globex = randomUUID();
    const before = someBytes(2_000);
    await kept.artifacts.put(globex, { sha256: sha256Of(before) }, cut(before));
    const { artifacts, quotas } = counted(5_000);
    const bytes = someBytes(4_000);
    const refused = artifacts.put(globex, { sha256: sha256Of(bytes), sizeBytes: 4_000 }, cut(bytes));
    await expect(refused).rejects.toThrow("The organisation has 2000 of 5000 bytes of artifacts");
    expect(await Array.fromAsync(kept.artifacts.list(globex))).toEqual([
      { sha256: sha256Of(before), sizeBytes: 2_000 },
    ]);
    const fitting = someBytes(3_000);
    await artifacts.put(globex, { sha256: sha256Of(fitting), sizeBytes: 3_000 }, cut(fitting));
    expect(await quotas.read(globex)).toContainEqual({ name: "artifact_bytes", limit: 5_000, used: 5_000 });
  });
});

describe("a bucket", () => {
  const ping = ({ artifacts }: OpenedArtifacts) => artifacts.ping(AbortSignal.timeout(10_000));

  it("is said to be there, and one that is not, or does not let us in, is not", async () => {
    await ping(kept);
    const other = await server.bucket("other");
    const absent = open({ ...other, ARTIFACTS_S3_URL: `${server.url}/nowhere` });
    const shut = open({ ...other, ARTIFACTS_S3_SECRET_ACCESS_KEY: "another" });
    for (const wrong of [absent, shut]) {
      await expect(ping(wrong)).rejects.toThrow(ArtifactsUnavailableError);
      await wrong.artifacts[Symbol.asyncDispose]();
    }
  });

  it("whose server is gone is unavailable, and serves again when that is back", async () => {
    const bytes = someBytes(1_000);
    const sha256 = sha256Of(bytes);
    await server.kill();
    await expect(kept.artifacts.put(acme, { sha256 }, cut(bytes))).rejects.toThrow(ArtifactsUnavailableError);
    await server.start();
    expect(await kept.artifacts.put(acme, { sha256 }, cut(bytes))).toBe(1_000);
  }, 60_000);
});
