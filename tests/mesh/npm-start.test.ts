import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Launcher } from "./launcher.ts";
import { allRefused, StartDirectory } from "./start-directory.ts";

let directory: StartDirectory;

beforeAll(async () => {
  directory = await StartDirectory.make();
});

afterAll(() => directory[Symbol.asyncDispose]());

async function liveMetrics({ gateway, pipeline_id, run_id }: Description, bearer: string) {
  const path = `/pipelines/${pipeline_id}/runs/${run_id}/metrics/`;
  const response = await fetch(gateway + path, { headers: { authorization: `Bearer ${bearer}` } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

let first: Description;

describe("npm start -- --json", () => {
  let launcher: Launcher;

  it("prints one line about a platform that works", async () => {
    launcher = directory.start("--json");
    first = JSON.parse(await launcher.prints("\n"));
    expect(launcher.stdout.split("\n")).toHaveLength(2);
    const { status, body } = await liveMetrics(first, first.api_key);
    expect([status, body.sequence > 0]).toEqual([200, true]);
    expect((await liveMetrics(first, first.bearer)).status).toBe(200);
    for (const credential of [first.foreign.api_key, first.foreign.bearer]) {
      expect((await liveMetrics(first, credential)).status).toBe(404);
      expect((await liveMetrics({ ...first, ...first.foreign }, credential)).status).toBe(200);
    }
  }, 200_000);

  it("refuses a second start in the same directory", async () => {
    const second = directory.start("--json");
    expect(await second.ended).toBe(1);
    expect(second.stdout).toBe("");
    expect(second.stderr).toContain(`already runs at ${first.gateway} (process `);
  });

  it("stops on Ctrl-C", async () => {
    expect(await launcher.end("SIGINT")).toBe(0);
    await allRefused(first.gateway, first.grpc.identity, first.grpc.training);
  }, 60_000);
});
