import { describe, expect, it } from "vitest";
import type { Json } from "../mesh/rest.ts";
import { description, operations } from "./description.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { specified } from "./specified-fields.ts";

/** The shape with as much detail as the other one has: an object whose fields are not specified is an object. */
function asDetailedAs(shape: Shape, other: Shape | undefined): Shape {
  if (other === "object" && typeof shape === "object" && !Array.isArray(shape)) return "object";
  if (Array.isArray(shape) && Array.isArray(other)) return [asDetailedAs(shape[0], other[0])];
  if (typeof shape === "string" || typeof other !== "object" || Array.isArray(shape)) return shape;
  const entries = Object.entries(shape).map(([name, of]): [string, Shape] => [
    name,
    asDetailedAs(of, Reflect.get(other, name)),
  ]);
  return Object.fromEntries(entries);
}

describe.each(Object.entries(specified))("the description of %s", (id, { request, response, path }) => {
  const { operation, status } = operations.get(id) ?? { operation: {}, status: 0 };
  const schemaIn = (holder: Json) => holder?.content["application/json"].schema;

  it("types each field of the request as the specification does", () => {
    const schema = schemaIn(operation.requestBody);
    expect(schema && asDetailedAs(shapeOf(schema), request)).toEqual(request);
  });

  it("types each field of the answer as the specification does, and says that all are there", () => {
    const schema = schemaIn(operation.responses[status]);
    if (response !== undefined) expect(asDetailedAs(shapeOf(schema), response)).toEqual(response);
    else expect(schema).toBeDefined();
  });

  it("types its path parameters", () => {
    const described = (operation.parameters ?? []).filter(({ in: place }: Json) => place === "path");
    const types = described.map(({ name, schema }: Json) => [name, shapeOf(schema)]);
    expect(Object.fromEntries(types)).toEqual(path ?? {});
  });
});

describe("the schemas", () => {
  it("have a title each, which no other has", () => {
    const titles = Object.values<Json>(description.components.schemas).map(({ title }) => title);
    expect(titles.filter((title, index) => title === undefined || titles.indexOf(title) !== index)).toEqual([]);
  });

  it("say of every field of an answer that it is there", () => {
    const absent = [...operations.values()].flatMap(({ id, operation, status }) =>
      Object.values<Json>(operation.responses[status].content).flatMap(({ schema }) => optionalIn(shapeOf(schema), id)),
    );
    expect(absent).toEqual([]);
  });
});

/** Places of fields that may be absent. */
function optionalIn(shape: Shape, at: string): string[] {
  if (typeof shape === "string") return [];
  return Object.entries(shape).flatMap(([name, of]) => [
    ...(name.includes("?") ? [`${at}.${name}`] : []),
    ...optionalIn(of, `${at}.${name}`),
  ]);
}
