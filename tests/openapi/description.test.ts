import { describe, expect, it } from "vitest";
import { rpcs } from "../access/contract-rpcs.ts";
import { description, operations } from "./description.ts";

describe("an operationId", () => {
  it("is the RPC's name, begun small", () => {
    const names = rpcs.filter(({ route }) => route !== undefined).map(({ method }) => method.name);
    const ids = names.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    expect([...operations.keys()].toSorted()).toEqual(ids.toSorted());
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
    const without = [...operations.values()].filter(({ operation }) => operation.responses[422]?.$ref !== reference);
    expect(without.map(({ id }) => id)).toEqual([]);
    const { content } = description.components.responses.UnprocessableContent;
    expect(content["application/json"].schema).toEqual({ $ref: "#/components/schemas/HTTPValidationError" });
  });
});
