import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json, jobPath, type Reachable, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const permissions = [
  "training:write",
  "training:command",
  "metrics:read",
  "metrics:report",
  "models:read",
  "models:write",
];

describe("a person with one address and one key", () => {
  let person: Reachable;
  let pipeline: string;
  let runs: Record<"slow" | "fast", Reachable>;

  const get = (path: string): Promise<Answer> => ask(person, { path });
  const send = async (method: string, path: string, body: Json): Promise<Json> => {
    const { status, text, body: answered } = await ask(person, { method, path, body });
    expect([status < 300, text]).toEqual([true, expect.any(String)]);
    return answered;
  };
  const newRun = async (name: string, rate: number): Promise<Reachable> => {
    const override = { key: "rate", type: "number", class: "hot" };
    const jobs = [{ name: "train", configuration: { rate, layers: 2 }, overrides: [override] }];
    const { id } = await send("POST", `/platform/pipelines/${pipeline}/runs`, { name, jobs });
    return { ...person, pipeline_id: pipeline, run_id: id, job_name: "train" };
  };
  const report = (run: Reachable, points: Json): Promise<Json> => send("POST", `${jobPath(run)}/metrics`, { points });
  const curve = (rate: number) => [1, 2, 3].map((step) => ({ step, metrics: { loss: (1 - rate) ** step } }));

  beforeAll(async () => {
    const wanted = { name: `a person ${randomUUID()}`, permission_ids: permissions };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body: wanted })).body;
    person = { ...platform, bearer: secret };
    pipeline = (await send("POST", "/platform/pipelines", { name: `by hand ${randomUUID()}` })).id;
    runs = { slow: await newRun("slow", 0.1), fast: await newRun("fast", 0.5) };
    for (const [run, rate] of [[runs.slow, 0.1] as const, [runs.fast, 0.5] as const]) await report(run, curve(rate));
  });

  it("sees the curve that was reported", async () => {
    const { fast } = runs;
    const { body } = await get(`/pipelines/${pipeline}/runs/${fast.run_id}/metrics/?metric=loss`);
    expect(body).toMatchObject({ series: { loss: { steps: [1, 2, 3], values: [0.5, 0.25, 0.125] } } });
  });

  it("commands the run, and says as its trainer what became of it", async () => {
    const { attachment_id } = await report(runs.slow, curve(0.1));
    const path = `/pipelines/${pipeline}/runs/${runs.slow.run_id}/training/train/commands`;
    const wanted = { action: "continue", idempotency_key: randomUUID(), runtime_overrides: { rate: 0.2 } };
    const { id } = await send("POST", path, wanted);
    const outcome = { attachment_id, applied: {} };
    const { command } = await send("PUT", `${jobPath(runs.slow)}/commands/${id}/outcome`, outcome);
    expect(command).toMatchObject({ id, status: "applied" });
  });

  it("finds the run again by its best metric", async () => {
    const query = new URLSearchParams({ filter: "metrics.loss < 0.8", order_by: "metrics.loss" });
    const look = () => get(`/platform/pipelines/${pipeline}/runs?${query}`);
    const { body } = await until("both runs to be found", 30, look, (found) => found.body.length === 2);
    expect(body.map(({ name }: Json) => name)).toEqual(["fast", "slow"]);
  });

  it("compares it with another", async () => {
    const query = new URLSearchParams({ metric: "loss" });
    for (const { run_id } of [runs.slow, runs.fast]) query.append("run_id", run_id);
    const { body } = await get(`/platform/run-comparison?${query}`);
    expect(body.runs.map(({ y }: Json) => y.at(-1))).toEqual([0.9 ** 3, 0.125]);
    expect(body.differences).toMatchObject([{ path: "configuration.rate", values: [0.1, 0.5] }]);
  });

  it("downloads what it produced", async () => {
    const result = Buffer.from(`weights ${randomUUID()}`);
    const sha256 = createHash("sha256").update(result).digest("hex");
    const headers = { authorization: `Bearer ${person.bearer}` };
    const target = `${person.gateway}/platform/artifacts/${sha256}`;
    expect((await fetch(target, { method: "PUT", headers, body: result })).status).toBe(200);
    const { attachment_id } = await report(runs.fast, curve(0.5));
    const artifact = { uri: `artifact:sha256:${sha256}`, sha256, format: "onnx" };
    await send("PUT", `${jobPath(runs.fast)}/state`, { attachment_id, state: "completed", artifact });
    const look = () => get(`${jobPath(runs.fast)}/result`);
    const { text } = await until("the result to be there", 30, look, ({ status }) => status === 200);
    expect(text).toBe(String(result));
  });
});
