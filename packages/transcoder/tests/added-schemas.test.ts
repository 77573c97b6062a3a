import { SaveAutomationDraftRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { CreateCustomServingDeploymentRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { CreateRoleRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ProblemList } from "../src/errors/problem-list.ts";
import { scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler, type ReaderOptions } from "../src/messages/message-reader.ts";
import type { Refinement } from "../src/messages/schema-checks.ts";

const refine: Refinement = ({ name }) =>
  name === "permission_ids" ? { items: { enum: ["a:b"], "x-problem": { type: "permission_unknown" } } } : undefined;

function read(desc: DescMessage, body: object, options: ReaderOptions = {}) {
  const compiler = new ReaderCompiler({ refine, ...options });
  const text = JSON.stringify(body);
  const problems = new ProblemList();
  compiler.message(desc)(JsonView.of(text, scanJson(text)), problems);
  const listed = problems.entries.map(({ loc, type }) => `${loc.join(".")} ${type}`);
  return { listed, refused: problems.refuses };
}

const bundle = {
  name: "digits",
  serving_bundle: {
    schema_version: "serving.v2",
    runtime: { type: "image", value: "cobol" },
    interface: { input: {}, output: {} },
    name: "digits",
    artifacts: [{ name: "a", path: "../a", kind: "folder" }],
    datasets: [{ dataset_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6", alias: "../x" }],
  },
  model_refs: [{ model_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6", alias: "a b" }],
};

describe("a bundle that breaks the published schema and has what no message can hold", () => {
  it("is told of both in one round", () => {
    expect(read(CreateCustomServingDeploymentRequestSchema, bundle)).toEqual({
      refused: true,
      listed: [
        "serving_bundle.schema_version literal_error",
        "serving_bundle.runtime.type runtime_unknown",
        "serving_bundle.runtime.value runtime_unknown",
        "serving_bundle.artifacts.0.path path_invalid",
        "serving_bundle.artifacts.0.kind literal_error",
        "serving_bundle.datasets.0.alias alias_invalid",
        "model_refs.0.alias alias_invalid",
      ],
    });
  });

  it("is told what pydantic says and nothing else where the answer is pydantic's", () => {
    expect(read(CreateCustomServingDeploymentRequestSchema, bundle, { listsAdded: false })).toEqual({
      refused: true,
      listed: ["serving_bundle.schema_version literal_error", "serving_bundle.artifacts.0.kind literal_error"],
    });
  });
});

describe("free-form JSON whose type chooses its schema", () => {
  const found = (prompt_template: object) => {
    const steps = [{ key: "a", name: "A", prompt_template }];
    const at = "steps.0.prompt_template.";
    const { listed } = read(SaveAutomationDraftRequestSchema, { automation_id: "", steps });
    return listed.slice(1).map((line) => line.replace(at, ""));
  };

  it.each<[string, object, string[]]>([
    ["nothing but a type", { type: "prompt" }, ["text missing"]],
    ["a text of another kind", { type: "prompt", text: 1 }, ["text string_type"]],
    ["a text that is empty", { type: "prompt", text: "" }, ["text string_too_short"]],
    ["null", { type: "prompt", text: "x", model: null }, ["model string_type"]],
    ["a number out of its bounds", { type: "prompt", text: "x", max_tokens: 0 }, ["max_tokens greater_than_equal"]],
    ["a number above its bounds", { type: "prompt", text: "x", max_tokens: 1e6 }, ["max_tokens less_than_equal"]],
    ["a fraction", { type: "prompt", text: "x", max_tokens: 1.5 }, ["max_tokens int_type"]],
    ["a word that there is none of", { type: "train", action: "dance" }, ["action literal_error"]],
    ["no flag", { type: "deploy", model_id: "m", wait: "no" }, ["wait bool_type"]],
    [
      "no list",
      { type: "email", subject: "s", text: "t", recipient_member_ids: {} },
      ["recipient_member_ids list_type"],
    ],
    [
      "items of a list",
      { type: "email", subject: "s", text: "t", recipient_member_ids: ["m", 7] },
      ["recipient_member_ids.1 string_type"],
    ],
    [
      "objects in a list",
      { type: "dictionary", dataset_id: "d", entries: [{ description: "" }, "x"] },
      ["entries.0.name missing", "entries.0.description string_too_short", "entries.1 dict_type"],
    ],
    [
      "a list that is too long",
      { type: "dictionary", dataset_id: "d", entries: Array(501).fill({ name: "n" }) },
      ["entries too_long"],
    ],
    ["neither list nor text", { type: "dictionary", dataset_id: "d", entries: 1 }, ["entries list_type"]],
    ["an empty text for a list", { type: "dictionary", dataset_id: "d", entries: "" }, ["entries string_too_short"]],
    ["a text for a list", { type: "dictionary", dataset_id: "d", entries: "{{ input.x }}" }, []],
    ["JSON of any form", { type: "train", action: "start_run", jobs: null, configuration: [1] }, []],
    ["members that the type does not know", { type: "prompt", text: "x", subject: 1, top_p: [] }, []],
  ])("is judged by it: %s", (_, template, problems) => {
    expect(found(template)).toEqual(problems);
  });
});

describe("what breaks the published schema alone", () => {
  it("is left to the service, which lists it beside what no schema can say", () => {
    const role = { name: "x", slug: "x", permission_ids: ["a:b", "c:d"] };
    expect(read(CreateRoleRequestSchema, role)).toEqual({
      refused: false,
      listed: ["permission_ids.1 permission_unknown"],
    });
  });

  it("is refused at once where it is more than is listed", () => {
    const permission_ids = Array.from({ length: 101 }, (_, index) => `c:${index}`);
    const { refused, listed } = read(CreateRoleRequestSchema, { name: "x", slug: "x", permission_ids });
    expect([refused, listed.length, listed.at(-1)]).toEqual([true, 101, "permission_ids too_many_errors"]);
  });

  it("is found in lists and in free-form JSON", () => {
    const template = (prompt_template: object, feature_keys: string[]) => ({
      key: "a",
      name: "A",
      prompt_template,
      feature_keys,
    });
    const steps = [
      template({ type: "dance" }, ["k", ""]),
      template({}, []),
      template({ type: 1 }, ["x".repeat(256)]),
      template({ type: "prompt", text: "x" }, []),
    ];
    expect(read(SaveAutomationDraftRequestSchema, { automation_id: "", steps }).listed.slice(1)).toEqual([
      "steps.0.prompt_template.type literal_error",
      "steps.0.feature_keys.1 string_too_short",
      "steps.1.prompt_template.type missing",
      "steps.2.prompt_template.type string_type",
      "steps.2.feature_keys.0 string_too_long",
    ]);
  });
});
