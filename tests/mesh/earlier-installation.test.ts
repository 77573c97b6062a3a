import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./rest.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "earlier-installation-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const start = () => startPlatform({ directory, trainer: false });
const recordPath = () => join(directory, "secrets", "demo.json");
const readRecord = async () => JSON.parse(await readFile(recordPath(), "utf8"));

describe("an installation whose demo key is of a time when there were fewer permissions", () => {
  it("is given a key with all of them at the next start, and keeps it and everything else", async () => {
    {
      await using platform = await start();
      const body = { name: "of earlier", permission_ids: ["training:write", "training:command", "metrics:read"] };
      const made = await ask(platform.description, { path: "/platform/api-keys", body });
      const record = await readRecord();
      record.demo.api_key = made.body.secret;
      await writeFile(recordPath(), JSON.stringify(record));
    }
    const earlier = (await readRecord()).demo;
    await using platform = await start();
    const { api_key: apiKey, run_id: runId, pipeline_id: pipelineId } = platform.description;
    expect((await ask(platform.description, { path: "/platform/audit", bearer: apiKey })).status).toBe(200);
    expect([runId, pipelineId]).toEqual([earlier.run_id, earlier.pipeline_id]);
    expect((await readRecord()).demo).toEqual({ ...earlier, api_key: apiKey });
  }, 300_000);
});
