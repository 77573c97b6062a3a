import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { describe, expect, it } from "@jest/globals";
import { createTranscoder, type RpcCaller } from "../src/index.ts";

const call: RpcCaller = {
  unary: () => Promise.reject(new Error("no RPC is made here")),
  serverStream: () => Promise.reject(new Error("no RPC is made here")),
};
const field = "aiplatform.training.v1.CreateTrainingControlCommandRequest.action";
const transcoder = createTranscoder({
  services: [ControlCommandService, RunMetricsService],
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
      schema: { type: "integer", minimum: 0, maximum: 5000, default: 500 },
    });
    expect(document.paths[path].post.parameters.at(-1)).toMatchObject({
      name: "Api-key",
      in: "header",
      required: false,
    });
  });

  it("has a stable id, its answers and what was added to it", () => {
    const { operationId, responses, "x-rpc": added } = document.paths[path].post;
    expect([operationId, added]).toEqual(["createTrainingControlCommand", "CreateTrainingControlCommand"]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(["201", "401", "403", "404", "413", "422", "429", "503"]),
    );
    expect(responses[422].content["application/json"].schema.$ref).toBe("#/components/schemas/HTTPValidationError");
  });

  it("refers only to what it holds", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.filter((reference) => !known.includes(String(reference)))).toEqual([]);
  });
});
