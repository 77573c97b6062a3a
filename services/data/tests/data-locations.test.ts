import { createHash, randomUUID } from "node:crypto";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Server } from "@aiplatform/testkit/s3-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataLocations } from "../src/data-locations/data-locations.ts";
import { LocationUnavailableError, SourceObjectError } from "../src/data-locations/location-errors.ts";
import { keyedLocations, readLocations } from "../src/data-locations/location-settings.ts";

const parts = new AsyncDisposableStack();
let server: S3Server;
let locations: DataLocations;
let folder: string;
const [organisationId, other] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  server = parts.use(await S3Server.start());
  await server.bucket("lake");
  const place = { url: `${server.url}/lake/shared/`, organisations: [organisationId] };
  const entries = [
    { ...place, name: "lake" },
    { ...place, name: "locked" },
  ];
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = server;
  const keys = { lake: { access_key_id, secret_access_key }, locked: { access_key_id, secret_access_key: "wrong" } };
  locations = parts.use(new DataLocations(keyedLocations(readLocations(entries), JSON.stringify(keys))));
  folder = parts.use(await mkdtempDisposable(join(tmpdir(), "copied-"))).path;
});
afterAll(async () => await parts.disposeAsync());

const ref = (key: string, more = {}) => ({ organisationId, location: "lake", key, ...more });
const signal = AbortSignal.timeout(60_000);

/** An object of its own, and how it is now. */
async function stored(content: string) {
  const key = `${randomUUID()}.csv`;
  await server.put("lake", `shared/${key}`, content);
  const state = await locations.describe(ref(key));
  if (!state) throw new Error("the object is not there");
  return { key, state, path: join(folder, key) };
}

describe("an object of a location", () => {
  it("is copied whole, with its digest", async () => {
    const content = `a\n${"1\n".repeat(200_000)}`;
    const { key, state, path } = await stored(content);
    expect(state).toEqual({ etag: expect.stringMatching(/./), sizeBytes: content.length });
    const copied = await locations.copy(ref(key), state, path, signal);
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(copied).toEqual({ sha256, sizeBytes: content.length });
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it("is not there where it is none, or none below the folder", async () => {
    await server.put("lake", "private.csv", "a\n1\n");
    expect(await locations.describe(ref("missing.csv"))).toBeUndefined();
    expect(await locations.describe(ref("private.csv"))).toBeUndefined();
  });

  it.each([
    ["of another length", "a\n1\n2\n"],
    ["of the same length", "a\n2\n"],
  ])("is not read where another one %s took its place", async (_, content) => {
    const { key, state, path } = await stored("a\n1\n");
    await server.put("lake", `shared/${key}`, content);
    await expect(locations.copy(ref(key), state, path, signal)).rejects.toThrow(SourceObjectError);
  });
});

describe("a location", () => {
  it("is open to the organisations that the settings name", async () => {
    expect(locations.of(organisationId).map(({ name }) => name)).toEqual(["lake", "locked"]);
    expect(locations.of(other)).toEqual([]);
    const { key } = await stored("a\n1\n");
    await expect(locations.describe(ref(key, { organisationId: other }))).rejects.toThrow(SourceObjectError);
  });

  it("is told apart from a missing object where it does not take the key, or is away", async () => {
    const { key, state, path } = await stored("a\n1\n");
    await expect(locations.describe(ref(key, { location: "locked" }))).rejects.toThrow(LocationUnavailableError);
    await expect(locations.ping("locked", signal)).rejects.toThrow(LocationUnavailableError);
    await locations.ping("lake", signal);
    await server.kill();
    await expect(locations.describe(ref(key))).rejects.toThrow(LocationUnavailableError);
    await expect(locations.copy(ref(key), state, path, signal)).rejects.toThrow(LocationUnavailableError);
    await server.start();
    expect(await locations.describe(ref(key))).toMatchObject({ sizeBytes: 4 });
  });
});
