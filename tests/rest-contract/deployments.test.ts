import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";

let platform: LocalPlatform["description"];

sharedPlatform(({ description }) => {
  platform = description;
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const post = (path: string, body: unknown, headers = {}) => ask(platform, { path, body, headers });

/** A model with a version whose artifact is no model at all: that shows when it is to serve. */
async function readyModel(): Promise<{ modelId: string; modelVersionId: string }> {
  const artifact_sha256 = await uploadArtifact(platform, Buffer.from(randomUUID()));
  const { body: model } = await post("/platform/models", { name: `Model ${randomUUID()}`, description: "Digits" });
  const { body: version } = await post(`/platform/models/${model.id}/versions`, { format: "onnx", artifact_sha256 });
  return { modelId: model.id, modelVersionId: version.id };
}

const handler = (answer: string) => `export default (input) => ({ answer: ${JSON.stringify(answer)}, got: input })`;

function bundle(answer = "one") {
  return {
    name: "Echo",
    serving_bundle: {
      schema_version: "serving.v1",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: { type: "object" }, output: { type: "object" } },
      name: "echo",
      description: "",
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
      datasets: [],
    },
    artifacts: [{ name: "handler", content: handler(answer), content_type: "text/javascript" }],
  };
}

/** It breaks what the description says of runtimes, paths and aliases. */
function brokenBundle() {
  const { serving_bundle, artifacts } = bundle();
  return {
    name: "Echo",
    serving_bundle: {
      ...serving_bundle,
      runtime: { type: "prebuilt", value: "cobol" },
      artifacts: [{ name: "handler", path: "../handler.mjs", kind: "file" }],
    },
    model_refs: [{ model_id: randomUUID(), alias: "a b" }],
    artifacts,
  };
}

async function deployed(body: Json = bundle()): Promise<Json> {
  const { status, text, body: deployment } = await post("/deployments/custom-serving/", body);
  if (status !== 201) throw new Error(`deploying was answered ${status}: ${text}`);
  return deployment;
}

const pathOf = ({ id }: Json) => `/platform/deployments/${id}`;
const current = async (deployment: Json) => (await ask(platform, { path: pathOf(deployment) })).body;
const became = (deployment: Json, status: string) =>
  until(
    `the deployment to be ${status}`,
    60,
    () => current(deployment),
    (now: Json) => now.status === status,
  );

describe("POST /deployments/", () => {
  it("answers a pending deployment of the newest ready version in the fields of the specification", async () => {
    const { modelId, modelVersionId } = await readyModel();
    const { status, body } = await post("/deployments/", { model_id: modelId });
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        name: expect.stringMatching(/^Model /),
        description: "Digits",
        service_name: expect.stringMatching(/^model-[a-z0-9-]{1,57}$/),
        organisation_id: platform.organisation_id,
        model_id: modelId,
        model_version_id: modelVersionId,
        status: "Pending",
        annotations: {},
        created_at: instant,
        updated_at: body.created_at,
      },
    ]);
  });

  it("ends as failed, with a reason, when the model is none", async () => {
    const { modelId } = await readyModel();
    const { body: deployment } = await post("/deployments/", { model_id: modelId });
    const failed = await became(deployment, "Failed");
    expect(failed).toMatchObject({
      rollout_status: "Failed",
      rollout_error: expect.stringMatching(/^ModelLoadFailed: /),
      current_deployment_version_id: null,
    });
  });

  it("answers a repeat of its key as the first time", async () => {
    const { modelId } = await readyModel();
    const headers = { "idempotency-key": randomUUID() };
    const first = await post("/deployments/", { model_id: modelId }, headers);
    const again = await post("/deployments", { model_id: modelId }, headers);
    expect([again.status, again.headers.get("idempotency-replayed"), again.body]).toEqual([201, "true", first.body]);
  });

  it("knows no model of others, and refuses one with nothing ready", async () => {
    const { body: empty } = await post("/platform/models", { name: randomUUID() });
    const unknown = await post("/deployments/", { model_id: randomUUID() });
    expect([unknown.status, unknown.body]).toEqual([404, { detail: "Not found" }]);
    const refused = await post("/deployments/", { model_id: empty.id });
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: "The model has no ready version", code: "model_not_ready" },
    ]);
  });
});

describe("POST /deployments/custom-serving/", () => {
  it("answers a queued rollout in the fields of the specification, null where nothing is known yet", async () => {
    const { status, body } = await post("/deployments/custom-serving/", {
      ...bundle(),
      description: "Says what it was told",
      serverless_run_config: { min_instances: 1, min: 0.5 },
    });
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        name: "Echo",
        description: "Says what it was told",
        service_name: expect.stringMatching(/^echo(-[0-9a-f]{6})?$/),
        organisation_id: platform.organisation_id,
        model_id: null,
        model_version_id: null,
        status: "Pending",
        annotations: {},
        created_at: instant,
        updated_at: body.created_at,
        target_model_version_id: null,
        rollout_status: "Queued",
        rollout_error: null,
        rollout_request_id: uuid,
        rollout_queued_at: body.created_at,
        serverless_run_config: { min_instances: 1, min: 0.5 },
        current_deployment_version_id: null,
        lower_env_deployment_id: null,
        higher_env_deployment_id: null,
      },
    ]);
  });

  it("lists every problem that only the service can see, where it stands", async () => {
    const good = bundle();
    const { status, body } = await post("/deployments/custom-serving/", {
      ...good,
      serving_bundle: {
        ...good.serving_bundle,
        runtime: { type: "prebuilt", value: "cobol" },
        interface: { input: { type: "objekt" }, output: {} },
        artifacts: [...good.serving_bundle.artifacts, { name: "extra", path: "../extra", kind: "file" }],
      },
      model_refs: [
        { model_id: randomUUID(), alias: "a" },
        { model_id: randomUUID(), alias: "a" },
      ],
      artifacts: [...good.artifacts, { name: "stray", content: 1, content_type: "x/y" }],
      serverless_run_config: { memory_mb: "much" },
    });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type, input }: Json) => [loc, type, input])).toEqual([
      [["body", "serving_bundle", "runtime", "value"], "runtime_unknown", "cobol"],
      [["body", "serving_bundle", "interface", "input"], "schema_invalid", { type: "objekt" }],
      [["body", "serving_bundle", "artifacts", 1, "path"], "path_invalid", "../extra"],
      [["body", "model_refs", 1, "alias"], "alias_repeated", "a"],
      [["body", "artifacts", 1, "name"], "artifact_undeclared", "stray"],
      [["body", "serving_bundle", "artifacts", 1, "name"], "content_missing", "extra"],
      [["body", "serverless_run_config", "memory_mb"], "int_type", "much"],
    ]);
  });

  it("lists what pydantic refuses alone, as the specification's 422 has nothing else", async () => {
    const { body } = await post("/deployments/custom-serving/", { ...brokenBundle(), name: 7 });
    expect(body.detail).toEqual([expect.objectContaining({ loc: ["body", "name"], type: "string_type" })]);
  });

  it("says in a header what else breaks the schema: it came to light in a second round", async () => {
    const { headers } = await post("/deployments/custom-serving/", { ...brokenBundle(), name: 7 });
    expect(headers.get("x-error-hint")).toBe(
      "Also wrong: body.serving_bundle.runtime.value (runtime_unknown), body.serving_bundle.artifacts.0.path (path_invalid), body.model_refs.0.alias (alias_invalid)",
    );
  });

  it("knows no model and no dataset of others", async () => {
    const good = bundle();
    const datasets = [{ dataset_id: randomUUID(), alias: "a" }];
    for (const body of [
      { ...good, model_refs: [{ model_id: randomUUID(), alias: "a" }] },
      { ...good, serving_bundle: { ...good.serving_bundle, datasets } },
    ]) {
      const answer = await post("/deployments/custom-serving/", body);
      expect([answer.status, answer.body]).toEqual([404, { detail: "Not found" }]);
    }
  });
});

describe("PUT /platform/deployments/{deployment_id}/custom-serving", () => {
  it("lists what breaks the schema in one round with a fault of shape, in the words of the service", async () => {
    const { name: _, ...wrong } = brokenBundle();
    const path = `/platform/deployments/${randomUUID()}/custom-serving`;
    const put = (body: Json) => ask(platform, { method: "PUT", path, body });
    const { body: ofService } = await put(wrong);
    const { body: ofEdge } = await put({ ...wrong, serverless_run_config: 7 });
    const runFault = expect.objectContaining({ loc: ["body", "serverless_run_config"], type: "dict_type" });
    expect(ofService.detail.map(({ type }: Json) => type)).toEqual([
      "runtime_unknown",
      "path_invalid",
      "alias_invalid",
    ]);
    expect(ofEdge.detail).toEqual([...ofService.detail, runFault]);
  });
});

describe("a deployment", () => {
  it("goes from version to version, is tried, promoted, stopped, started and deleted", async () => {
    const deployment = await deployed();
    const running = await became(deployment, "Running");
    const first = running.current_deployment_version_id;
    expect(running).toMatchObject({ rollout_status: "Succeeded", rollout_error: null });

    const { name: _, ...replacement } = bundle("two");
    const { body: updated } = await ask(platform, {
      method: "PUT",
      path: `${pathOf(deployment)}/custom-serving`,
      body: replacement,
    });
    expect(updated).toMatchObject({ rollout_status: "Queued", current_deployment_version_id: first });
    const moved = await until(
      "the second version to serve",
      60,
      () => current(deployment),
      (now: Json) => now.rollout_status === "Succeeded",
    );
    expect(moved).toMatchObject({ status: "Running" });
    expect(moved.current_deployment_version_id).not.toBe(first);

    const tried = { deployment_version_id: first, percent: 20 };
    const canary = await ask(platform, { method: "PUT", path: `${pathOf(deployment)}/canary`, body: tried });
    expect(canary.status).toBe(200);
    const serving = await until(
      "both versions to answer",
      60,
      async () => (await ask(platform, { path: `${pathOf(deployment)}/serving` })).body,
      ({ versions }: Json) => versions.some(({ percent }: Json) => percent === 20),
    );
    expect(serving).toMatchObject({
      prediction_path: `${pathOf(deployment)}/v2/models/${serving.model_name}/infer`,
      environment: "development",
      versions: [{ percent: 80 }, { deployment_version_id: first, percent: 20 }],
    });
    const ended = await ask(platform, { method: "DELETE", path: `${pathOf(deployment)}/canary` });
    expect(ended.status).toBe(200);

    const writer = { name: "writer", permission_ids: ["deployments:read", "deployments:write"] };
    const authorization = `Bearer ${(await post("/platform/api-keys", writer)).body.secret}`;
    expect(await post(`${pathOf(deployment)}/promote`, {}, { authorization })).toMatchObject({
      status: 403,
      body: { detail: "Missing permission: deployments:promote", code: "permission_missing" },
    });
    // Neither has a body: every field is optional.
    const promoted = await ask(platform, { method: "POST", path: `${pathOf(deployment)}/promote` });
    expect([promoted.status, promoted.body.lower_env_deployment_id]).toEqual([201, deployment.id]);
    expect((await current(deployment)).higher_env_deployment_id).toBe(promoted.body.id);
    expect(await post(`${pathOf(promoted.body)}/rollouts`, {}, { authorization })).toMatchObject({
      status: 403,
      body: {
        detail: "Missing permission: deployments:promote. The deployment is in staging",
        code: "permission_missing",
      },
    });
    await ask(platform, { method: "DELETE", path: pathOf(promoted.body) });

    const back = await ask(platform, { method: "POST", path: `${pathOf(deployment)}/rollback` });
    expect(back.status).toBe(200);
    await until(
      "the first version to serve again",
      60,
      () => current(deployment),
      (now: Json) => now.current_deployment_version_id === first,
    );
    const { body: rollouts } = await ask(platform, { path: `${pathOf(deployment)}/rollouts` });
    expect(rollouts.map(({ status }: Json) => status)).toEqual(["Succeeded", "RolledBack", "Succeeded"]);
    const { body: versions } = await ask(platform, { path: `${pathOf(deployment)}/versions?limit=1` });
    expect(versions).toMatchObject([{ number: 2, runtime: "node", serving_bundle: { name: "echo" } }]);

    await ask(platform, { method: "POST", path: `${pathOf(deployment)}/stop` });
    await became(deployment, "Stopped");
    expect((await post(`${pathOf(deployment)}/promote`, {})).body).toEqual({
      detail: "The deployment is stopped",
      code: "deployment_move",
    });
    await ask(platform, { method: "POST", path: `${pathOf(deployment)}/start` });
    await became(deployment, "Running");

    const gone = await ask(platform, { method: "DELETE", path: pathOf(deployment) });
    expect([gone.status, gone.body.status]).toEqual([200, "Deleting"]);
    await until(
      "the deployment to be gone",
      60,
      async () => (await ask(platform, { path: pathOf(deployment) })).status,
      (status) => status === 404,
    );
  }, 180_000);

  it("is one of the list, and streamed as it changes", async () => {
    const deployment = await deployed();
    const { body } = await ask(platform, { path: "/platform/deployments?limit=1000" });
    expect(body.map(({ id }: Json) => id)).toContain(deployment.id);
    const leaving = new AbortController();
    const stream = await fetch(`${platform.gateway}${pathOf(deployment)}/stream`, {
      headers: { authorization: `Bearer ${platform.bearer}` },
      signal: leaving.signal,
    });
    const seen = new Set<string>();
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      for (const [, status = ""] of chunk.matchAll(/"status":"(\w+)"/g)) seen.add(status);
      if (seen.has("Running")) break;
    }
    leaving.abort();
    expect([...seen].at(-1)).toBe("Running");
  }, 90_000);
});
