import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { rpcs } from "../access/contract-rpcs.ts";
import type { Json } from "../mesh/rest.ts";
import { description, operations } from "./description.ts";

describe("an operationId", () => {
  it("is the RPC's name, begun small", () => {
    const names = rpcs.filter(({ route }) => route !== undefined).map(({ method }) => method.name);
    const ids = names.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    expect([...operations.keys()].toSorted()).toEqual(ids.toSorted());
  });
});

describe("the group of an operation", () => {
  const groups = [...operations.values()].map(({ id, operation }) => [id, operation.tags] as const);

  it("is one, and described", () => {
    const described = description.tags.filter((tag: { description?: string }) => tag.description);
    const names = described.map(({ name }: { name: string }) => name);
    const wrong = groups.filter(([, tags]) => tags?.length !== 1 || !names.includes(tags[0]));
    expect(wrong).toEqual([]);
    expect([...new Set(groups.map(([, [tag]]) => tag))]).toEqual(names);
  });

  it("is the one of the specification where the operation is of it", () => {
    const ofSpecification = [...operations.values()].filter(({ path }) => !path.startsWith("/platform/"));
    expect(Object.fromEntries(ofSpecification.map(({ id, operation }) => [id, operation.tags[0]]))).toEqual({
      createTrainingControlCommand: "training",
      startSocialnetLink: "oauth",
      createCustomServingDeployment: "deployments",
      enableFromProposal: "workspaces",
      createRole: "organisations",
      createDeployment: "deployments",
      patchDataDictionary: "data-dictionary",
      getRunMetrics: "training",
      listAutomations: "automations",
      sendEmailDraft: "email-drafts",
      getNotebookSession: "notebooks",
      deleteFeature: "feature-memory",
    });
  });
});

describe("a description", () => {
  const descriptions: string[] = [];
  JSON.stringify(description, (key, value) => {
    if (["description", "summary"].includes(key) && typeof value === "string") descriptions.push(value);
    return value;
  });

  it("speaks of HTTP and reasons, and of no gRPC code", () => {
    const codes = Object.keys(Code).filter((name) => Number.isNaN(Number(name)));
    const names = codes.map((name) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
    expect(names).toContain("FAILED_PRECONDITION");
    const foreign = new RegExp(`\\b(?:${[...names, "CANCELLED", "ErrorInfo", "BadRequest"].join("|")})\\b`);
    expect(descriptions.filter((text) => foreign.test(text))).toEqual([]);
  });

  it("names failures by their codes, each with a status that the operation answers", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/errors.md"), "utf8");
    const statuses = new Map([...page.matchAll(/^\| `(\w+)` \| (\d{3})/gm)].map(([, code, status]) => [code, status]));
    const types = new Set([...page.matchAll(/^\| `(\w+)` \| [^\d]/gm)].map(([, type]) => type));
    const named = [...operations.values()].flatMap(({ id, operation }) => {
      const sentences = (operation.description ?? "").replaceAll(/\s+/g, " ").matchAll(/Fails with[^.]*/g);
      const lists = [...sentences].flatMap(([sentence]) => sentence.match(/with (?:`\w+`(?:, | or )?)+/g) ?? []);
      const codes = lists.flatMap((list) => [...list.matchAll(/`(\w+)`/g)].map(([, code]) => code));
      return codes.map((code) => ({ id, code, answers: operation.responses }));
    });
    expect(named.length).toBeGreaterThan(50);
    const wrong = named.filter(({ code, answers }) => !(types.has(code) || String(statuses.get(code)) in answers));
    expect(wrong.map(({ id, code }) => `${id}: ${code}`)).toEqual([]);
  });
});

describe("If-Match, which was optional in the description of an operation that always needs it", () => {
  it("is required where the operation answers 428, and nowhere else", () => {
    const demanding = [...operations.values()].filter(({ operation }) => "428" in operation.responses);
    const describedSo = [...operations.values()].filter(({ operation }) =>
      operation.parameters?.some(({ name, required }: Json) => name === "If-Match" && required),
    );
    expect(describedSo.map(({ id }) => id)).toEqual(demanding.map(({ id }) => id));
    expect(demanding.map(({ id }) => id)).toContain("publishAutomation");
  });
});

describe("a pattern, which generated clients in Python could not compile", () => {
  const patterns = new Set<string>();
  JSON.stringify(description, (key, value) => {
    if (key === "pattern" && typeof value === "string") patterns.add(value);
    return value;
  });

  it("names no class of Unicode", () => {
    expect(patterns.size).toBeGreaterThan(5);
    expect([...patterns].filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
  });
});

describe("the body of a 422", () => {
  it("has the schemas of the specification", () => {
    expect(description.components.schemas.HTTPValidationError).toEqual({
      type: "object",
      title: "HTTPValidationError",
      properties: {
        detail: { type: "array", title: "Detail", items: { $ref: "#/components/schemas/ValidationError" } },
      },
    });
    expect(description.components.schemas.ValidationError).toEqual({
      type: "object",
      title: "ValidationError",
      required: ["loc", "msg", "type"],
      properties: {
        loc: { type: "array", title: "Location", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
        msg: { type: "string", title: "Message" },
        type: { type: "string", title: "Error Type" },
        input: { title: "Input" },
        ctx: { type: "object", title: "Context" },
      },
    });
  });

  it("is described for every operation", () => {
    const reference = "#/components/responses/UnprocessableContent";
    // In an area failures have a form of their own.
    const shared = [...operations.values()].filter(({ path }) => !path.startsWith("/platform/mlflow/"));
    const without = shared.filter(({ operation }) => operation.responses[422]?.$ref !== reference);
    expect(without.map(({ id }) => id)).toEqual([]);
    const { content } = description.components.responses.UnprocessableContent;
    expect(content["application/json"].schema).toEqual({ $ref: "#/components/schemas/HTTPValidationError" });
  });
});
