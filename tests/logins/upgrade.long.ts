import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra, startPlatform } from "@aiplatform/local-platform";
import { afterAll, expect, it } from "vitest";
import { startsWithinMs } from "../infra/own-platform.ts";

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))));

it(
  "a platform whose servers asked for no login goes on with its data, keys and ids when they do",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "upgrade-"));
    directories.push(directory);
    const started = { directory, trainer: false };
    const before = await (async () => {
      // The servers as versions without logins started them, in the same directory.
      await using servers = await startInfra({ directory, env: {} });
      const env = { MONGODB_URI: servers.mongodbUri, NATS_URL: servers.natsUrl };
      await using platform = await startPlatform({ ...started, env });
      expect(Object.keys(platform.settings["content"] ?? {})).not.toContain("NATS_NKEY_FILE");
      return platform.description;
    })();

    await using platform = await startPlatform({ ...started, env: {} });
    const { gateway, ...kept } = platform.description;
    const { api_key, organisation_id, run_id, dataset_id, automation_id } = before;
    expect(kept).toMatchObject({ api_key, organisation_id, run_id, dataset_id, automation_id });
    const headers = { authorization: `Bearer ${before.api_key}` };
    const answer = await fetch(`${gateway}/platform/datasets/${dataset_id}`, { headers });
    expect(answer.status).toBe(200);
    expect(platform.settings["content"]).toMatchObject({ NATS_NKEY_FILE: expect.stringContaining("content.nk") });
  },
  2 * startsWithinMs,
);
