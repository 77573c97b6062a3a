import { createHash } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, type Json, type Reachable } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP8zwAFTDAGAwATKQED8NgHhAAAAABJRU5ErkJggg==",
  "base64",
);
const fileOf = (bytes: Uint8Array, media_type: string) => {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, media_type, size_bytes: bytes.byteLength };
};
const image = (bytes: Uint8Array, name = "samples") => ({
  name,
  step: 1,
  kind: "image",
  file: fileOf(bytes, "image/png"),
});
const table = {
  columns: ["digit", "as"],
  rows: [
    [4, 9],
    [7.0, null],
  ],
};

let run: Reachable;
beforeAll(async () => {
  run = { ...platform, ...(await newRun(platform)) };
});
const runPath = () => `/platform/pipelines/${run.pipeline_id}/runs/${run.run_id}`;
const send = (media: Json[]) => ask(platform, { path: `${runPath()}/jobs/${run.job_name}/metrics`, body: { media } });
const media = async (query = ""): Promise<Json[]> => (await ask(platform, { path: `${runPath()}/media${query}` })).body;
const idOf = async (name: string): Promise<string> => {
  const [found] = await media(`?filter=${encodeURIComponent(`name = ${name}`)}`);
  return found?.id;
};
const content = async (name: string, headers: Record<string, string> = {}, bearer = platform.bearer) =>
  fetch(`${platform.gateway}${runPath()}/media/${await idOf(name)}/content`, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  });

describe("what a script shows at a step", () => {
  beforeAll(async () => {
    await uploadArtifact(platform, png);
    const sent = await send([
      image(png),
      { name: "weights", step: 1, kind: "histogram", histogram: { edges: [-1, 0, 1], counts: [3, 4] } },
      { name: "errors", step: 2, kind: "table", table },
      { name: "note", step: 3, kind: "text", text: "<script>alert(1)</script>" },
    ]);
    expect([sent.status, sent.body]).toMatchObject([200, { durable_counter: 1, segment_index: 0 }]);
  });

  it("is listed by name, and by step with its content", async () => {
    const names = (await ask(platform, { path: `${runPath()}/media-names` })).body;
    expect(names.map(({ name, kind, count }: Json) => [name, kind, count])).toEqual([
      ["errors", "table", 1],
      ["note", "text", 1],
      ["samples", "image", 1],
      ["weights", "histogram", 1],
    ]);
    const none = { histogram: null, table: null, text: null, file: null };
    expect(await media("?filter=step%20%3E%3D%202")).toMatchObject([
      { ...none, name: "errors", kind: "table", table, archived: false, segment_index: 0 },
      { ...none, name: "note", kind: "text", text: "<script>alert(1)</script>" },
    ]);
    expect(await media("?filter=kind%20%3D%20image")).toMatchObject([{ ...none, file: fileOf(png, "image/png") }]);
  });

  it("is answered as what it is, and never as a page", async () => {
    const answer = await content("samples");
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, png]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": 'attachment; filename="samples-1.png"',
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      etag: `"${fileOf(png, "image/png").sha256}"`,
    });
    const part = await content("samples", { range: "bytes=1-3" });
    expect([part.status, await part.text()]).toEqual([206, "PNG"]);
    expect((await content("samples", { "if-none-match": answer.headers.get("etag") ?? "" })).status).toBe(304);
  });

  it.each([
    ["note", "text/plain; charset=utf-8", "<script>alert(1)</script>"],
    ["errors", "application/json", JSON.stringify(table)],
    ["weights", "application/json", '{"edges":[-1,0,1],"counts":[3,4]}'],
  ])("has bytes also where it was sent inline: %s", async (name, contentType, text) => {
    const answer = await content(name);
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([200, contentType, text]);
  });

  it("is read with the permissions of metrics and of files", async () => {
    for (const permission of ["metrics:read", "models:read"]) {
      const body = { name: `has ${permission} alone`, permission_ids: [permission] };
      const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
      expect((await content("samples", {}, secret)).status).toBe(403);
    }
  });
});

describe("a file that cannot be shown", () => {
  const answered = async (name: string) => {
    const answer = await content(name);
    const { code, detail }: Json = await answer.json();
    return [answer.status, code, detail];
  };

  it("is one that is not uploaded yet", async () => {
    await send([image(Buffer.from("never uploaded"), "missing")]);
    expect(await answered("missing")).toMatchObject([409, "artifact_missing", expect.any(String)]);
  });

  it("is one whose bytes are no image", async () => {
    const page = Buffer.from("<html><script>alert(1)</script></html>");
    await uploadArtifact(platform, page);
    await send([image(page, "page")]);
    const [status, code, detail] = await answered("page");
    expect([status, code, detail]).toEqual([409, "media_mismatch", expect.stringContaining("it is no image/png")]);
  });

  it("is one of another size than was said", async () => {
    await uploadArtifact(platform, png);
    await send([{ ...image(png, "sized"), file: { ...fileOf(png, "image/png"), size_bytes: 5 } }]);
    expect(await answered("sized")).toEqual([409, "media_mismatch", expect.stringContaining("73 bytes instead of 5")]);
  });
});

describe("media that are refused", () => {
  it.each<[string, Json, Json]>([
    [
      "a drawing",
      { ...image(png), file: fileOf(png, "image/svg+xml") },
      { type: "literal_error", loc: ["body", "media", 0, "file", "media_type"] },
    ],
    [
      "a table for an image",
      { ...image(png), file: fileOf(png, "application/json") },
      { type: "media_invalid", loc: ["body", "media", 0, "file", "media_type"] },
    ],
    ["nothing to show", { name: "n", step: 1, kind: "text" }, { loc: ["body", "media", 0] }],
    ["two contents", { ...image(png), text: "and a text" }, { loc: ["body", "media", 0] }],
    [
      "a row that is too short",
      { name: "n", step: 1, kind: "table", table: { columns: ["a", "b"], rows: [[1]] } },
      { type: "media_invalid", loc: ["body", "media", 0, "table", "rows", 0] },
    ],
  ])("have %s, at the field", async (_what, medium, problem) => {
    const { status, body } = await send([medium]);
    expect([status, body.detail[0]]).toMatchObject([422, problem]);
  });
});
