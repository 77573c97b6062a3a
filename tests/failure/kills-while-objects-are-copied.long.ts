import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { S3Server } from "@aiplatform/testkit/s3-server";
import { afterAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { killed } from "./killed.ts";

const server = await S3Server.start();
afterAll(async () => server[Symbol.asyncDispose]());
await server.bucket("lake");

const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = server;
let running: LocalPlatform;
ownPlatform((started) => (running = started), {
  separate: "all",
  settings: {
    data: {
      DATA_LOCATIONS: JSON.stringify([{ name: "lake", url: `${server.url}/lake`, organisations: "all" }]),
      DATA_LOCATION_KEYS: JSON.stringify({ lake: { access_key_id, secret_access_key } }),
    },
  },
});
const data = new DatasetFiles(() => running.description);

const fileCount = 60;
const rowsOfFile = 20_000;
/** Files whose bytes and rows differ, each so large that a kill meets one under way. */
const contents = Array.from({ length: fileCount }, (_, file) => {
  return `n\n${Array.from({ length: rowsOfFile }, (__, row) => `${file * rowsOfFile + row}\n`).join("")}`;
});

describe("killing the data service while objects are copied", () => {
  it("goes on behind the objects that were noted, and the version has all rows once", async () => {
    const keys = await Promise.all(
      contents.map(async (content, file) => {
        const key = `${randomUUID()}/${file}.csv`;
        await server.put("lake", key, content);
        return key;
      }),
    );
    const { versions } = await data.dataset(`Copied ${randomUUID()}`);
    const files = keys.map((key) => ({ name: key.slice(-8), format: "csv", source: { location: "lake", key } }));
    const { status, body: made } = await ask(running.description, { path: versions, body: { files } });
    expect(status).toBe(201);
    const path = `${versions}/${made.id}`;
    const copied = ({ body }: Json) => body.files.filter((file: Json) => file.artifact_sha256 !== "").length;
    const look = () => ask(running.description, { path });
    const reached: number[] = [];
    for (const wanted of [1, fileCount / 2]) {
      const { body } = await until(`${wanted} files to be copied`, 120, look, (answer) => copied(answer) >= wanted);
      reached.push(copied({ body }));
      await killed(running, "data");
      await running.restart("data");
      // What was noted before the kill is there after it.
      expect(copied(await look())).toBeGreaterThanOrEqual(reached.at(-1) ?? 0);
    }
    expect(reached[0]).toBeLessThan(fileCount);
    const ready = await data.settled(versions, made, "ready", "failed");
    expect(ready).toMatchObject({ state: "ready", row_count: fileCount * rowsOfFile, problem: null });
    const digests = contents.map((content) => createHash("sha256").update(content).digest("hex"));
    expect(ready.files.map(({ artifact_sha256 }: Json) => artifact_sha256)).toEqual(digests);
  });
});
