import { randomUUID } from "node:crypto";
import {
  answerOf,
  createPlatformClient,
  type PlatformClient,
  PlatformError,
  PlatformUnreachableError,
  settledCommand,
} from "@aiplatform/client";
import type { Description } from "@aiplatform/local-platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { CuttingProxy } from "./cutting-proxy.ts";

let description: Description;
let platform: PlatformClient;
sharedPlatform(
  (started) => {
    description = started.description;
    platform = createPlatformClient({ baseUrl: description.gateway, credential: description.api_key });
  },
  { trainer: true },
);

const job = () => {
  const { pipeline_id, run_id, job_name } = description;
  return { pipeline_id, run_id, job_name };
};
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a call", () => {
  it("answers what the operation answers, typed", async () => {
    const settings = answerOf(await platform.GET("/platform/workspaces/settings"));
    expect(settings.organisation_id).toBe(description.organisation_id);
    const automations = answerOf(await platform.GET("/automations/", { params: { query: { limit: 10 } } }));
    expect(Array.isArray(automations)).toBe(true);
  });

  it("throws every problem of a request that breaks the rules", async () => {
    const body = { name: "", slug: "NOT A SLUG", permission_ids: ["training:command" as const] };
    const error = await failureOf(platform.POST("/organisations/roles/", { body }).then(answerOf));
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ status: 422 });
    expect((error as PlatformError).problems.map(({ loc }) => loc.join("."))).toEqual(["body.name", "body.slug"]);
    expect((error as PlatformError).requestId).not.toBe("");
  });

  it("throws what is not there as 404, and a bad credential as 401", async () => {
    const path = { role_id: randomUUID() };
    const unknown = platform.GET("/platform/roles/{role_id}", { params: { path } }).then(answerOf);
    await expect(unknown).rejects.toMatchObject({ name: "PlatformError", status: 404, message: "Not found" });
    const stranger = createPlatformClient({ baseUrl: description.gateway, credential: "unknown" });
    await expect(stranger.GET("/automations/").then(answerOf)).rejects.toMatchObject({ status: 401 });
  });

  it("asks for the credential each time when it is a function", async () => {
    const asked: number[] = [];
    const credential = async () => {
      asked.push(asked.length);
      return description.api_key;
    };
    const fresh = createPlatformClient({ baseUrl: description.gateway, credential });
    await fresh.GET("/automations/").then(answerOf);
    await fresh.GET("/automations/").then(answerOf);
    expect(asked).toEqual([0, 1]);
  });
});

describe("a connection that breaks", () => {
  let way: CuttingProxy;
  beforeEach(async () => {
    way = await CuttingProxy.to(description.gateway);
  });
  afterEach(() => way[Symbol.asyncDispose]());
  const through = () => createPlatformClient({ baseUrl: way.url, credential: description.api_key });

  it("repeats a creation under one key, so that it has one effect", async () => {
    const slug = `r-${randomUUID()}`;
    way.cuts = 2;
    const body = { name: "Once", slug, permission_ids: [] };
    const role = answerOf(await through().POST("/organisations/roles/", { body }));
    const roles = answerOf(await platform.GET("/platform/roles"));
    expect(way.cut).toBe(2);
    expect(roles.filter((each) => each.slug === slug).map(({ id }) => id)).toEqual([role.id]);
  });

  it("goes on with a stream after the last event that arrived", async () => {
    const seen: number[] = [];
    let broken = 0;
    const path = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";
    const { pipeline_id, run_id } = job();
    for await (const { data } of through().events(path, { path: { pipeline_id, run_id }, query: { max_points: 1 } })) {
      seen.push(data.sequence);
      if (broken > 0 && data.sequence > broken) break;
      if (seen.length !== 2) continue;
      broken = data.sequence;
      way.breakAll();
    }
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(broken).toBeGreaterThan(0);
  });

  it("says where no server answers", async () => {
    await way[Symbol.asyncDispose]();
    const away = createPlatformClient({ baseUrl: way.url, credential: "any", retry: { limit: 0 } });
    const error = await failureOf(away.GET("/automations/"));
    expect(error).toBeInstanceOf(PlatformUnreachableError);
    expect(String(error)).toContain(way.url);
    way = await CuttingProxy.to(description.gateway);
  });
});

describe("a training command", () => {
  it("can be waited for until the trainer has applied it", async () => {
    const give = async (action: "pause" | "resume") => {
      const body = { action, idempotency_key: randomUUID(), runtime_overrides: {} };
      const path = "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands";
      const { id: command_id } = answerOf(await platform.POST(path, { params: { path: job() }, body }));
      return settledCommand(platform, { ...job(), command_id }, { signal: AbortSignal.timeout(30_000) });
    };
    expect(await give("pause")).toMatchObject({ status: "applied", applied_at: expect.any(String) });
    expect(await give("resume")).toMatchObject({ status: "applied" });
  });
});
