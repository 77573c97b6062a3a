import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { completedJob } from "../mesh/completed-job.ts";
import { ask, type Json, jobPath, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const bytes = Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(3_000_000, "0123456789")]);
const digestOf = (data: Uint8Array) => createHash("sha256").update(data);
const path = (sha256: string) => `/platform/artifacts/${sha256}`;
const send = (target: string, init: RequestInit = {}, bearer = platform.bearer) =>
  fetch(platform.gateway + target, { ...init, headers: { authorization: `Bearer ${bearer}`, ...init.headers } });
const json = async (answer: Response): Promise<Json> => answer.json();
const received = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe("uploading an artifact by one request", () => {
  const fresh = (size = 3_000_000) => Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(size, 7)]);
  const hex = (data: Uint8Array) => digestOf(data).digest("hex");
  const put = (sha256: string, body: RequestInit["body"] = null, bearer?: string) =>
    send(path(sha256), { method: "PUT", body, duplex: "half" }, bearer);

  it("stores it, and again without effect", async () => {
    const data = fresh();
    const stored = { artifact_sha256: hex(data), size_bytes: data.length };
    for (const answer of [await put(hex(data), data), await put(hex(data), data)])
      expect([answer.status, await answer.json()]).toEqual([200, stored]);
    expect(await received(await send(path(hex(data))))).toEqual(data);
  });

  it("may be empty", async () => {
    expect((await put(hex(Buffer.alloc(0)), "")).status).toBe(200);
  });

  it("is refused at the digest when the bytes are others, and begins again", async () => {
    const [data, other] = [fresh(), fresh()];
    const answer = await put(hex(data), other);
    expect([answer.status, (await json(answer)).detail[0]]).toMatchObject([
      422,
      { type: "artifact_digest", loc: ["path", "artifact_sha256"] },
    ]);
    expect((await put(hex(data), data)).status).toBe(200);
  });

  it("is refused without a length, since it counts before it is there", async () => {
    const answer = await put(hex(Buffer.from("x")), new Blob(["x"]).stream());
    expect([answer.status, (await json(answer)).code]).toEqual([411, "length_required"]);
  });

  it("needs the permission to write models", async () => {
    const body = { name: "reads models", permission_ids: ["models:read"] };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
    const data = fresh();
    expect((await put(hex(data), data, secret)).status).toBe(403);
  });
});

describe("uploading an artifact in parts", () => {
  const data = Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(5_000_000, 3)]);
  const target = `${path(digestOf(data).digest("hex"))}/upload`;
  const append = (offset: number, end = data.length) => {
    const headers = { "upload-offset": `${offset}`, "upload-length": `${data.length}` };
    return send(target, { method: "PATCH", headers, body: data.subarray(offset, end) });
  };
  const progress = async () => (await send(target)).json();

  it("goes on from where it stands, whatever the parts, and is stored at its end", async () => {
    expect(await progress()).toEqual({ received_bytes: 0, complete: false });
    expect(await (await append(0, 1_000_000)).json()).toEqual({ received_bytes: 1_000_000, complete: false });
    const behind = await append(2_000_000);
    expect([behind.status, await behind.json()]).toEqual([
      409,
      { code: "upload_offset", detail: "the upload goes on at 1000000" },
    ]);
    expect(await (await append(1_000_000, 3_000_000)).json()).toEqual({ received_bytes: 3_000_000, complete: false });
    expect(await progress()).toEqual({ received_bytes: 3_000_000, complete: false });
    expect(await (await append(3_000_000)).json()).toEqual({ received_bytes: data.length, complete: true });
    expect(await progress()).toEqual({ received_bytes: data.length, complete: true });
  });

  it("is completed by one request with all of it, too", async () => {
    const whole = Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(1_000_000, 5)]);
    const sha256 = digestOf(whole).digest("hex");
    const headers = { "upload-offset": "0", "upload-length": `${whole.length}` };
    await send(`${path(sha256)}/upload`, { method: "PATCH", headers, body: whole.subarray(0, 400_000) });
    const answer = await send(path(sha256), { method: "PUT", body: whole });
    expect([answer.status, (await json(answer)).size_bytes]).toEqual([200, whole.length]);
  });

  it("needs both headers", async () => {
    const answer = await send(target, { method: "PATCH", body: "x" });
    const { detail } = await json(answer);
    expect([answer.status, detail.map(({ loc }: { loc: string[] }) => loc)]).toEqual([
      422,
      [
        ["header", "Upload-Offset"],
        ["header", "Upload-Length"],
      ],
    ]);
  });
});

describe("downloading an artifact", () => {
  let target: string;
  beforeAll(async () => {
    target = path(await uploadArtifact(platform, bytes));
  });

  it("answers its bytes and their digest, and nothing that a browser shows", async () => {
    const answer = await send(target);
    expect(digestOf(await received(answer)).digest("hex")).toBe(digestOf(bytes).digest("hex"));
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      200,
      {
        "content-length": `${bytes.length}`,
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="${target.split("/").at(-1)}"`,
        "repr-digest": `sha-256=:${digestOf(bytes).digest("base64")}:`,
        "x-content-type-options": "nosniff",
      },
    ]);
  });

  it("goes on where a reader has stopped, and says what it cannot go on with", async () => {
    const rest = await send(target, { headers: { range: "bytes=2000000-" } });
    expect([rest.status, await received(rest)]).toEqual([206, bytes.subarray(2_000_000)]);
    const behind = await send(target, { headers: { range: `bytes=${bytes.length}-` } });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
    expect(await behind.json()).toMatchObject({ code: "range_not_satisfiable" });
  });

  it("is not repeated for a reader that has it", async () => {
    const etag = (await send(target, { method: "HEAD" })).headers.get("etag") ?? "";
    const answer = await send(target, { headers: { "if-none-match": etag } });
    expect([answer.status, await answer.text()]).toEqual([304, ""]);
  });

  it("answers another organisation as it answers for what is not there", async () => {
    const answers = [await send(target, {}, platform.foreign.bearer), await send(path("0".repeat(64)))];
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([404, '{"detail":"Not found"}']);
  });

  it("needs the permission to read models", async () => {
    const body = { name: "reads no models", permission_ids: ["metrics:read"] };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
    expect((await send(target, {}, secret)).status).toBe(403);
  });

  it("ends at the service when its reader goes", async () => {
    const reader = new AbortController();
    const answer = await send(target, { signal: reader.signal });
    reader.abort();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await send(target, { method: "HEAD" })).status).toBe(200);
  });
});

describe("downloading what a job has left", () => {
  it("answers it by the job and by the model version that it became, and to no other organisation", async () => {
    const result = Buffer.from(`a result ${randomUUID()}`);
    const job = await completedJob(platform, result);
    const target = `${jobPath({ ...platform, ...job })}/result`;
    const answer = await until(
      "the result to be there",
      30,
      () => send(target),
      ({ status }) => status === 200,
    );
    expect(await received(answer)).toEqual(result);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${job.job_name}.onnx"`);
    const models = (await ask(platform, { path: "/platform/models?limit=1000" })).body;
    const { id } = models.find(({ pipeline_id }: { pipeline_id: string }) => pipeline_id === job.pipeline_id);
    const [version] = (await ask(platform, { path: `/platform/models/${id}/versions` })).body;
    expect(await received(await send(`/platform/model-versions/${version.id}/artifact`))).toEqual(result);
    const others = [
      await send(target, {}, platform.foreign.bearer),
      await send(`/platform/model-versions/${version.id}/artifact`, {}, platform.foreign.bearer),
      await send(`${jobPath({ ...platform, ...job, pipeline_id: randomUUID() })}/result`),
      await send(`${jobPath({ ...platform, ...job, job_name: "none" })}/result`),
    ];
    for (const other of others) expect([other.status, await other.text()]).toEqual([404, '{"detail":"Not found"}']);
  });

  it("says that an artifact is not stored that never came", async () => {
    const job = await completedJob(platform, Buffer.from(randomUUID()), { uploaded: false });
    const ask = () => send(`${jobPath({ ...platform, ...job })}/result`);
    const answer = await until("the version to be known", 30, ask, ({ status }) => status !== 404);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: "artifact_missing" }]);
  });
});

describe("a URL of the store's own", () => {
  const urlOf = (sha256: string, query = "") => send(`${path(sha256)}/download-url${query}`);

  it("is not there in an installation whose store is a directory, which says what to do instead", async () => {
    const sha256 = await uploadArtifact(platform, bytes);
    const answer = await urlOf(sha256);
    expect([answer.status, await json(answer)]).toEqual([
      409,
      expect.objectContaining({ code: "signed_urls_unavailable", detail: expect.stringContaining("gateway") }),
    ]);
  });

  it("is 404 for what is not stored, and 422 for a time that is too long", async () => {
    const none = digestOf(Buffer.from(randomUUID())).digest("hex");
    expect((await urlOf(none)).status).toBe(404);
    expect((await urlOf(none, "?expires_in_seconds=3601")).status).toBe(422);
  });
});
