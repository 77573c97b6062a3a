import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { describe, expect, it } from "vitest";
import { createTranscoder, describeServices, type RpcCaller, statusTable } from "../src/index.ts";
import { compileProtoFile } from "./compiled-proto.ts";

const call: RpcCaller = {
  unary: () => Promise.reject(new Error("no RPC is made here")),
  clientStream: () => Promise.reject(new Error("no RPC is made here")),
  serverStream: () => Promise.reject(new Error("no RPC is made here")),
};
const field = "aiplatform.training.v1.CreateTrainingControlCommandRequest.action";
const transcoder = createTranscoder({
  services: [ControlCommandService, RunMetricsService, RunService, RoleService, ExternalOauthService, WorkspaceService],
  call,
  describe: {
    title: "Test",
    version: "1.2.3",
    comments: { [field]: "What to do." },
    extend: (operation, described) => {
      described["x-rpc"] = operation.method.name;
    },
  },
});
const document = JSON.parse(JSON.stringify(transcoder.openApi()));
const path = "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands";

describe("the description of an operation", () => {
  it("has its body with required fields, nulls, defaults, enums and comments", () => {
    const reference = document.paths[path].post.requestBody.content["application/json"].schema.$ref;
    expect(reference).toBe("#/components/schemas/CreateTrainingControlCommandRequest");
    const schema = document.components.schemas.CreateTrainingControlCommandRequest;
    expect(schema.required).toEqual(["action", "idempotency_key"]);
    expect(schema.properties).toEqual({
      action: { $ref: "#/components/schemas/TrainingControlAction", description: "What to do." },
      checkpoint_id: { anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] },
      runtime_overrides: { type: "object", additionalProperties: true, default: {} },
      idempotency_key: { type: "string", format: "uuid" },
      supervision_id: { anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] },
      supervision_lease_token: { anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] },
    });
    expect(document.components.schemas.TrainingControlAction.enum[4]).toBe("warm_restart");
  });

  it("has its parameters with bounds and defaults", () => {
    const { parameters } = document.paths["/pipelines/{pipeline_id}/runs/{run_id}/metrics/"].get;
    expect(parameters.find(({ name }: { name: string }) => name === "max_points")).toEqual({
      name: "max_points",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 0, maximum: 5000, default: 200 },
    });
    expect(document.paths[path].post.parameters.at(-1)).toMatchObject({
      name: "Api-key",
      in: "header",
      required: false,
    });
  });

  it("says what a list is found by and how it is ordered", () => {
    const { parameters } = document.paths["/platform/pipelines"].get;
    const descriptionOf = (name: string) => parameters.find((each: { name: string }) => each.name === name).description;
    expect(descriptionOf("filter").split("\n")).toEqual([
      "Fields:",
      "- `name` (`=` `!=` `<` `<=` `>` `>=`): a text",
      "- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
      "- `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
      expect.stringMatching(
        /^- `annotations\.<key>` .*: a number, `true`, `false` or a text; `:\*` where there is one, keys /,
      ),
    ]);
    expect(descriptionOf("order_by")).toBe(
      "One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at desc`.",
    );
  });

  it("has a stable id, its answers and what was added to it", () => {
    const { operationId, responses, "x-rpc": added } = document.paths[path].post;
    expect([operationId, added]).toEqual(["createTrainingControlCommand", "CreateTrainingControlCommand"]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(["201", "401", "403", "404", "413", "422", "429", "503"]),
    );
    expect(responses[422]).toEqual({ $ref: "#/components/responses/UnprocessableContent" });
  });

  it("has a list as a bare array, with the link to its next page", () => {
    const { parameters, responses } = document.paths["/platform/roles"].get;
    expect(parameters.map(({ name, in: place }: { name: string; in: string }) => [name, place])).toEqual([
      ["limit", "query"],
      ["cursor", "query"],
      ["filter", "query"],
      ["order_by", "query"],
    ]);
    expect(responses[200].content["application/json"].schema.type).toBe("array");
    expect(responses[200].headers.Link.schema).toEqual({ type: "string" });
    expect(document.paths["/platform/workspaces/{workspace_id}"].get.responses[200].headers).toBeUndefined();
  });

  it("has its idempotency key, and how a repeat is recognised", () => {
    const { parameters, requestBody, responses } = document.paths["/organisations/roles/"].post;
    expect(parameters).toEqual([
      {
        name: "Idempotency-Key",
        in: "header",
        required: false,
        description: expect.stringContaining("24 hours"),
        schema: { type: "string", maxLength: 255 },
      },
    ]);
    const body = document.components.schemas[requestBody.content["application/json"].schema.$ref.split("/").at(-1)];
    expect(Object.keys(body.properties)).toEqual(["name", "slug", "permission_ids"]);
    expect(responses[201].headers["Idempotency-Replayed"].schema).toEqual({ type: "string" });
  });

  it("has a document as a page, also where it tells of a failure", () => {
    const { responses } = document.paths["/platform/external-oauth/callback"].get;
    const page = { schema: { type: "string" } };
    expect(responses[200].content).toEqual({ "text/html": page });
    expect(responses[502].content).toMatchObject({ "text/html": page, "application/json": expect.anything() });
    expect(document.components.schemas.Document).toBeUndefined();
  });

  it("has an optional enum as one that may be null", () => {
    const { last_grouping_run_type: type } = document.components.schemas.WorkspaceSettings.properties;
    expect(type).toEqual({ anyOf: [{ $ref: "#/components/schemas/GroupingRunType" }, { type: "null" }] });
    expect(document.components.schemas.GroupingRunType.enum).toEqual(["proposal", "auto", "manual"]);
  });

  it("has every status that its RPC's failures, its body and its connection can come to", () => {
    const { responses } = document.paths["/platform/roles/{role_id}"].put;
    const ofFailures = Object.values(statusTable).map(({ status }) => status);
    // A client that left reads no 499. The change of a role takes `If-Match`.
    const expected = [...ofFailures.filter((status) => status !== 499), 200, 400, 408, 412, 413, 415, 431];
    expect(Object.keys(responses)).toEqual([...new Set(expected)].toSorted((a, b) => a - b).map(String));
    expect(responses).not.toHaveProperty("502");
  });

  it("has a status for a reason only where the contract says so", () => {
    expect(Object.keys(document.paths["/platform/external-oauth/callback"].get.responses)).toContain("502");
    const { get } = document.paths["/pipelines/{pipeline_id}/runs/{run_id}/metrics/"];
    expect(get.responses[304]).toEqual({ description: expect.any(String), headers: expect.anything() });
    expect(get.responses[200].headers.ETag).toEqual({ $ref: "#/components/headers/ETag" });
    expect(get.parameters.at(-1)).toMatchObject({ name: "If-None-Match", in: "header", required: false });
    expect(Object.keys(get.responses)).not.toContain("409");
  });

  it("refers only to what it holds", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    const known = Object.entries<object>(document.components).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.filter((reference) => !known.includes(String(reference)))).toEqual([]);
  });
});

describe("a header", () => {
  it("is described as required where the contract says so, which the operation enforces", async () => {
    const service = (await compileProtoFile("everything.proto")).service("everything.v1.EverythingService");
    const { paths } = JSON.parse(JSON.stringify(describeServices([service], { title: "Test", version: "1" })));
    expect(paths["/failures/{kind}"].post.parameters.at(-1)).toEqual({
      name: "If-Match",
      in: "header",
      required: true,
      description: "What it was.",
      schema: { type: "string" },
    });
    expect(paths["/everything/{id}"].put.parameters.at(-1)).toMatchObject({ name: "X-Mode", required: false });
  });
});

describe("the groups of operations", () => {
  it("are those of their services, described by the services' comments", () => {
    const comments = {
      "aiplatform.training.v1.ControlCommandService": "Commands.",
      "aiplatform.training.v1.RunMetricsService": "Metrics.",
      "aiplatform.identity.v1.RoleService": "Roles.",
    };
    const services = [ControlCommandService, RunMetricsService, RoleService, WorkspaceService];
    expect(describeServices(services, { title: "Test", version: "1", comments })).toMatchObject({
      tags: [
        { name: "training", description: "Commands.\nMetrics." },
        { name: "organisations", description: "Roles." },
        { name: "workspaces" },
      ],
      paths: { [path]: { post: { tags: ["training"] } }, "/platform/roles": { get: { tags: ["organisations"] } } },
    });
  });

  it("can be those of single operations", async () => {
    const service = (await compileProtoFile("everything.proto")).service("everything.v1.EverythingService");
    expect(describeServices([service], { title: "Test", version: "1" })).toMatchObject({
      tags: [{ name: "test" }, { name: "everything" }],
      paths: {
        "/everything/{id}": { put: { tags: ["test"] } },
        "/failures/{kind}": { post: { tags: ["everything"] } },
      },
    });
  });
});
