import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { type Db, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { type Answer, ask, type Json, jobPath, type Reachable, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";

let platform: LocalPlatform["description"];
let database: string;
sharedPlatform(({ description, mongodbUri }) => {
  platform = description;
  database = mongodbUri;
});
let client: MongoClient;
let deployments: Db;
beforeAll(async () => {
  client = await MongoClient.connect(database);
  deployments = client.db("deployments");
});
afterAll(() => client?.close());

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

/** A job that a program without a stream has taken. */
async function newJob(): Promise<{ job: Reachable; checkpoint(uri: string, more?: Json): Promise<string> }> {
  const job = { ...platform, ...(await newRun(platform)) };
  const attachment_id = randomUUID();
  const path = jobPath(job);
  const taken = await ask(job, { method: "PUT", path: `${path}/trainer`, body: { attachment_id } });
  expect(taken.status).toBe(200);
  let step = 0;
  return {
    job,
    async checkpoint(uri, more = {}) {
      step += 1;
      const body = { attachment_id, checkpoint: { id: randomUUID(), step, uri, ...more } };
      const { body: recorded, status } = await ask(job, { path: `${path}/checkpoints`, body });
      expect(status).toBe(201);
      return recorded.id;
    },
  };
}

const verify = (job: Reachable, id: string): Promise<Answer> =>
  ask(job, { method: "POST", path: `${jobPath(job)}/checkpoints/${id}/verify` });
const prune = (job: Reachable, body: Json): Promise<Answer> =>
  ask(job, { path: `${jobPath(job)}/checkpoints/prune`, body });
const list = async (job: Reachable, filter: string): Promise<Json[]> =>
  (await ask(job, { path: `${jobPath(job)}/checkpoints?filter=${encodeURIComponent(filter)}` })).body;

describe("a checkpoint that was uploaded", () => {
  it("is verified, and the list says what came of it", async () => {
    const { job, checkpoint } = await newJob();
    const content = `checkpoint ${randomUUID()}`;
    const sha256 = await uploadArtifact(platform, Buffer.from(content));
    const uri = `artifact:sha256:${sha256}`;
    const intact = await checkpoint(uri, { sha256 });
    const damaged = await checkpoint(uri, { sha256: sha256Of("another") });
    const missing = await checkpoint(`artifact:sha256:${sha256Of(randomUUID())}`);
    const unverified = await checkpoint(uri);
    const outcomes: Json[] = [];
    for (const id of [intact, damaged, missing]) outcomes.push((await verify(job, id)).body);
    expect(outcomes).toMatchObject([
      { id: intact, verification: "intact", verified_at: expect.any(String) },
      { id: damaged, verification: "damaged" },
      { id: missing, verification: "missing" },
    ]);
    expect(await list(job, "verification = intact")).toEqual([outcomes[0]]);
    expect((await list(job, "NOT verified_at:*")).map(({ id }) => id)).toEqual([unverified]);
    expect((await verify(job, intact)).body).toMatchObject({ verification: "intact" });
  });

  it("is pruned, keeps its place in the list, and is no longer verified", async () => {
    const { job, checkpoint } = await newJob();
    const uri = `artifact:sha256:${await uploadArtifact(platform, Buffer.from(`checkpoint ${randomUUID()}`))}`;
    const [old, newest] = [await checkpoint(uri, { size_bytes: 7 }), await checkpoint(uri)];
    const tried = await prune(job, { checkpoint_ids: [old, newest], dry_run: true });
    expect(tried.body).toEqual({
      pruned: [{ id: old, step: 1, size_bytes: 7 }],
      pruned_bytes: 7,
      remaining_count: 0,
      kept: [{ id: newest, step: 2, reasons: ["best", "resume"] }],
      kept_count: 1,
    });
    expect(await prune(job, { checkpoint_ids: [old, newest] })).toMatchObject({ status: 200, body: tried.body });
    expect(await list(job, "pruned_at:*")).toMatchObject([{ id: old, pruned_at: expect.any(String) }]);
    expect(await verify(job, old)).toMatchObject({ status: 409, body: { code: "checkpoint_pruned" } });
  });
});

describe("a checkpoint that lies elsewhere", () => {
  it("cannot be verified by the platform, which says so", async () => {
    const { job, checkpoint } = await newJob();
    const id = await checkpoint("file:///data/train/1.ckpt");
    expect(await verify(job, id)).toMatchObject({
      status: 409,
      body: { code: "checkpoint_elsewhere", detail: expect.stringContaining("only its trainer can read it") },
    });
    expect(await verify(job, randomUUID())).toMatchObject({ status: 404 });
  });
});

/** Has artifacts look as if nothing had referred to them for a year, and the artifacts of their organisation be due. */
async function letAge(digests: string[]): Promise<void> {
  const [aged, due] = [new Date(Date.now() - 365 * 86_400_000), new Date(0)];
  const artifacts = deployments.collection("artifacts");
  await artifacts.updateMany({ sha256: { $in: digests } }, { $set: { unreferenced_since: aged } });
  const owners = await artifacts.distinct("organisation_id", { sha256: { $in: digests } });
  const counts = deployments.collection("artifact_counts");
  await counts.updateMany({ organisation_id: { $in: owners } }, { $set: { collect_at: due } });
}

describe("artifacts that nothing has referred to for long", () => {
  it("are removed by themselves, and those of checkpoints that are not pruned stay", async () => {
    const { job, checkpoint } = await newJob();
    const upload = () => uploadArtifact(platform, Buffer.from(randomUUID()));
    const [ofPruned, ofNewest, unnamed] = [await upload(), await upload(), await upload()];
    const pruned = await checkpoint(`artifact:sha256:${ofPruned}`);
    await checkpoint(`artifact:sha256:${ofNewest}`);
    await prune(job, { checkpoint_ids: [pruned] });
    await letAge([ofPruned, ofNewest, unnamed]);
    const left = () =>
      deployments.collection("artifacts").distinct("sha256", { unreferenced_since: { $exists: true } });
    const mine = new Set([ofPruned, ofNewest, unnamed]);
    await until("them to be removed or kept", 60, left, (marked: string[]) => !marked.some((each) => mine.has(each)));
    const statuses = [ofPruned, ofNewest, unnamed].map((digest) =>
      ask(platform, { path: `/platform/artifacts/${digest}` }),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 200, 404]);
    const records = () => ask(platform, { path: "/platform/audit?action=deployments.artifact.collected" });
    await until("a record of it", 30, records, ({ body }) => body[0]?.outcome === "done");
  });
});

describe("a request to prune that names no checkpoints", () => {
  it("is answered 422, with what to send", async () => {
    const { job } = await newJob();
    const { status, body } = await prune(job, {});
    expect({ status, ...body.detail[0] }).toMatchObject({
      status: 422,
      type: "exactly_one",
      loc: ["body", "checkpoint_ids"],
    });
  });
});
