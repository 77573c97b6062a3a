import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, metricsPath } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
beforeAll(async () => {
  platform = { ...platform, ...(await newRun(platform)) };
});

const phases = ["queued", "preparing", "training", "evaluating", "checkpointing", "finalizing"];

describe("reading the live metrics of a run", () => {
  describe("before its trainer has reported anything", () => {
    it("answers 200 with the empty form, every field present", async () => {
      const answer = await ask(platform, { path: metricsPath(platform) });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        status: "queued",
        lifecycle: {
          current_phase: "queued",
          phase_started_at: null,
          elapsed_seconds: 0,
          heartbeat_at: null,
          heartbeat_source: null,
          latest_log: null,
          phases: phases.map((name) => ({
            name,
            status: "pending",
            started_at: null,
            finished_at: null,
            elapsed_seconds: 0,
          })),
        },
        schema_version: "training-metrics.v3",
        sequence: 0,
        updated_at: null,
        metrics: {},
        series: {},
        primary_metric: {},
        active_segment: 0,
        segments: [],
        resources: {},
      });
    });
  });

  describe("twice without a change between", () => {
    it("answers 304 to the ETag of the first answer", async () => {
      const first = await ask(platform, { path: metricsPath(platform) });
      const etag = first.headers.get("etag") ?? "";
      expect(etag).not.toBe("");
      const second = await ask(platform, { path: metricsPath(platform), headers: { "if-none-match": etag } });
      expect([second.status, second.text]).toEqual([304, ""]);
    });
  });

  describe("with a wait, and nothing new to see", () => {
    it("answers 200 when the wait is over", async () => {
      const answer = await ask(platform, { path: metricsPath(platform, "?after_sequence=0&wait_seconds=1") });
      expect([answer.status, answer.body.sequence]).toEqual([200, 0]);
    });
  });

  describe("with parameters out of range", () => {
    it("lists every problem, path before query", async () => {
      const path = `/pipelines/x/runs/${platform.run_id}/metrics/?after_sequence=-1&max_points=5001&wait_seconds=a`;
      const answer = await ask(platform, { path });
      expect(answer.status).toBe(422);
      expect(answer.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join("."), type])).toEqual(
        [
          ["path.pipeline_id", "uuid_parsing"],
          ["query.after_sequence", "greater_than_equal"],
          ["query.max_points", "less_than_equal"],
          ["query.wait_seconds", "int_parsing"],
        ],
      );
    });
  });

  describe("of a run that cannot be reached", () => {
    it("answers the same 404 whether it does not exist or is another organisation's", async () => {
      const answers = await Promise.all(
        [
          { run_id: randomUUID() },
          { pipeline_id: randomUUID() },
          { pipeline_id: platform.foreign.pipeline_id, run_id: platform.foreign.run_id },
          { run_id: platform.foreign.run_id },
        ].map((change) => ask(platform, { path: metricsPath({ ...platform, ...change }) })),
      );
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(4).fill([404, '{"detail":"Not found"}']));
    });
  });

  describe("at the path without its trailing slash", () => {
    it("answers directly", async () => {
      const answer = await ask(platform, { path: metricsPath(platform).slice(0, -1) });
      expect(answer.status).toBe(200);
    });
  });
});

describe("the API description", () => {
  it("is OpenAPI 3.1.0, version 0.13.95, and names both operations", async () => {
    const { status, body } = await ask(platform, { path: "/openapi.json", bearer: null });
    expect(status).toBe(200);
    expect([body.openapi, body.info.version]).toEqual(["3.1.0", "0.13.95"]);
    expect(body.paths["/pipelines/{pipeline_id}/runs/{run_id}/metrics/"].get.responses["422"]).toBeDefined();
    expect(
      body.paths["/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands"].post.responses["201"],
    ).toBeDefined();
  });
});

describe("a path that is no operation", () => {
  it("answers 404", async () => {
    expect((await ask(platform, { path: "/no/such/path" })).status).toBe(404);
  });

  it("answers 405 with the allowed methods where only the method is wrong", async () => {
    const answer = await ask(platform, { path: metricsPath(platform), method: "DELETE" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toContain("GET");
  });
});
