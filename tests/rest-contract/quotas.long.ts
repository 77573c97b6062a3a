import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";

/** Low enough to be reached, and enough for the demo. */
const limits = {
  identity: { members: 3, api_keys: 4 },
  training: { pipelines: 2, runs: 2 },
  content: { email_drafts: 2 },
  deployments: { deployments: 1, instance_memory_mb: 1_024, artifact_bytes: 1_000 },
};

let running: LocalPlatform;
let platform: LocalPlatform["description"];
ownPlatform(
  (started) => {
    running = started;
    platform = started.description;
  },
  {
    separate: ["training", "deployments", "data"],
    settings: Object.fromEntries(
      Object.entries(limits).map(([service, quotas]) => [service, { QUOTAS: JSON.stringify(quotas) }]),
    ),
  },
);

/** A key with every permission of an organisation that has nothing yet but its administrator and this key. */
async function newOrganisation(): Promise<string> {
  const operatorKey = await readFile(join(running.directory, "secrets", "operator-key"), "utf8");
  const slug = `o${randomUUID()}`;
  const administrator = { display_name: "Ada", email: `ada@${slug}.example`, issuer: "https://login.example" };
  const body = { slug, name: "Acme", administrator: { ...administrator, subject: slug } };
  const answer = await ask(platform, { path: "/platform/organisations", body, bearer: operatorKey });
  if (answer.status !== 201) throw new Error(`the organisation was answered ${answer.status}: ${answer.text}`);
  return answer.body.api_key_secret;
}

type Send = (bearer: string) => Promise<Answer>;
const post =
  (path: string, body: () => Json): Send =>
  (bearer) =>
    ask(platform, { path, body: body(), bearer });

const newMember = post("/platform/members", () => ({
  member: { display_name: "Grace", email: `${randomUUID()}@example.com` },
  role_ids: [],
}));
const newKey = post("/platform/api-keys", () => ({ name: "key", permission_ids: ["metrics:read"] }));
const newDraft = post("/platform/email-drafts", () => ({ subject: "News", text: "Hello" }));
const runService = "/aiplatform.training.v1.RunService";
const newPipeline = post(`${runService}/CreatePipeline`, () => ({ name: "prices" }));
const newRun: Send = async (bearer) => {
  const known = pipelines.get(bearer) ?? (await newPipeline(bearer)).body.pipeline.id;
  pipelines.set(bearer, known);
  const body = { pipelineId: known, name: "spring", jobs: [{ name: "train" }] };
  return ask(platform, { path: `${runService}/CreateRun`, body, bearer });
};
const pipelines = new Map<string, string>();
const handler = "export default (input) => input";
const deploy = (config: Json, content = handler) =>
  post("/deployments/custom-serving/", () => ({
    name: "Prices",
    serving_bundle: {
      schema_version: "serving.v1",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: {}, output: {} },
      name: "prices",
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
    },
    artifacts: [{ name: "handler", content, content_type: "text/javascript" }],
    serverless_run_config: { min_instances: 0, ...config },
  }));

/** What a refusal says, over REST and by an RPC that has no REST operation. */
function refusalOf({ status, body }: Answer) {
  const { detail, code, message, details = [] } = body;
  const [info] = details.filter(({ type }: Json) => type === ErrorInfoSchema.typeName);
  const reason = info ? fromBinary(ErrorInfoSchema, Buffer.from(info.value, "base64")).reason.toLowerCase() : code;
  return { status, reason, detail: detail ?? message };
}

const listQuotas = (bearer: string) => ask(platform, { path: "/platform/quotas", bearer });
const quotaOf = async (name: string, bearer: string) =>
  (await listQuotas(bearer)).body.find((quota: Json) => quota.name === name);

describe("an organisation that has as much as its quota", () => {
  it.each<[quota: string, limit: number, unit: string, Send, says: string]>([
    ["members", limits.identity.members, "count", newMember, "3 of 3 members. Deactivate one"],
    ["api_keys", limits.identity.api_keys, "count", newKey, "4 of 4 API keys. Revoke one"],
    ["pipelines", limits.training.pipelines, "count", newPipeline, "2 of 2 pipelines. Delete one"],
    ["runs", limits.training.runs, "count", newRun, "2 of 2 runs. Delete one"],
    [
      "email_drafts",
      limits.content.email_drafts,
      "count",
      newDraft,
      "2 of 2 e-mail drafts that were not sent. Delete one",
    ],
    [
      "deployments",
      limits.deployments.deployments,
      "count",
      deploy({ memory_mb: 64 }),
      "1 of 1 deployments. Delete one",
    ],
  ])("of %s is refused more with 403, and told limit and use", async (name, limit, unit, add, says) => {
    const bearer = await newOrganisation();
    const { used: before } = await quotaOf(name, bearer);
    for (let count = before; count < limit; count++) expect((await add(bearer)).status).toBeLessThan(300);
    expect(await quotaOf(name, bearer)).toEqual({ name, limit, used: limit, unit });
    expect(refusalOf(await add(bearer))).toEqual({
      status: 403,
      reason: "quota_exceeded",
      detail: `The organisation has ${says}, or ask the operator for a higher quota.`,
    });
    expect(await quotaOf(name, bearer)).toMatchObject({ used: limit });
  });

  it("of instance_memory_mb is refused a deployment that needs more, and told what it needs", async () => {
    const bearer = await newOrganisation();
    expect(refusalOf(await deploy({ max_instances: 2, memory_mb: 1_024 })(bearer))).toEqual({
      status: 403,
      reason: "quota_exceeded",
      detail:
        "The organisation has 0 of 1024 MB of memory for instances, and this needs 2048 more. Lower max_instances or " +
        "memory_mb, or stop a deployment, or ask the operator for a higher quota.",
    });
  });

  it("of artifact_bytes is refused a bundle that needs more, and told what it needs", async () => {
    const bearer = await newOrganisation();
    expect((await deploy({ memory_mb: 64 })(bearer)).status).toBe(201);
    const used = handler.length;
    expect(await quotaOf("artifact_bytes", bearer)).toMatchObject({ limit: 1_000, used, unit: "bytes" });
    expect(refusalOf(await deploy({ memory_mb: 64 }, handler.padEnd(1_000))(bearer))).toEqual({
      status: 403,
      reason: "quota_exceeded",
      detail:
        `The organisation has ${used} of 1000 bytes of artifacts, and this needs 1000 more. Use artifacts that are stored ` +
        "already, or ask the operator for a higher quota.",
    });
    expect(await quotaOf("artifact_bytes", bearer)).toMatchObject({ used });
  });
});

describe("GET /platform/quotas", () => {
  it("lists every quota of the organisation, and nothing of others", async () => {
    await newDraft(await newOrganisation());
    const bearer = await newOrganisation();
    await newMember(bearer);
    const { status, body } = await listQuotas(bearer);
    expect(status).toBe(200);
    expect(body).toEqual([
      { name: "members", limit: 3, used: 2, unit: "count" },
      { name: "api_keys", limit: 4, used: 1, unit: "count" },
      { name: "pipelines", limit: 2, used: 0, unit: "count" },
      { name: "runs", limit: 2, used: 0, unit: "count" },
      { name: "run_configuration_bytes", limit: 1_073_741_824, used: 0, unit: "bytes" },
      { name: "email_drafts", limit: 2, used: 0, unit: "count" },
      { name: "deployments", limit: 1, used: 0, unit: "count" },
      { name: "instance_memory_mb", limit: 1_024, used: 0, unit: "mebibytes" },
      { name: "artifact_bytes", limit: 1_000, used: 0, unit: "bytes" },
    ]);
  });

  it("is refused to a key without its permission", async () => {
    const bearer = await newOrganisation();
    const { secret } = (await newKey(bearer)).body;
    const { status, body } = await listQuotas(secret);
    expect([status, body]).toEqual([403, { detail: "Missing permission: quotas:read", code: "permission_missing" }]);
  });

  it.each(["training", "deployments", "data"])(
    "is 503 while %s is away, in place of a list without its quotas",
    async (service) => {
      const bearer = await newOrganisation();
      expect((await listQuotas(bearer)).status).toBe(200);
      await running.kill(service);
      try {
        const { status, body } = await listQuotas(bearer);
        expect([status, body]).toEqual([503, { detail: "Temporarily unavailable", code: "quotas_unavailable" }]);
      } finally {
        await running.restart(service);
      }
      await until(
        "the list",
        30,
        () => listQuotas(bearer),
        (answer) => answer.status === 200,
      );
    },
  );
});
