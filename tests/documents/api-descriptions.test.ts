import { readFileSync } from "node:fs";
import { join } from "node:path";
import specifications from "@asyncapi/specs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the description of the REST API", () => {
  const rules = {
    // Nine paths of the interface specification end in a slash.
    "no-path-trailing-slash": "off",
    // `links/{link_id}` and `{provider}/start`: literal segments win.
    "no-ambiguous-paths": "off",
    // The success of one operation is 303: it sends a browser on.
    "operation-2xx-response": "off",
  } as const;
  const lint = async (source: string) => {
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };

  it("passes Redocly's recommended rules, but for the slashes that the specification's paths end with", async () => {
    expect(await lint(read("docs/openapi.json"))).toEqual([]);
  });

  it("has a success of every operation", () => {
    const { paths } = JSON.parse(read("docs/openapi.json"));
    const operations = Object.values<Record<string, { responses: object }>>(paths).flatMap((item) =>
      Object.values(item),
    );
    const lacking = operations.filter(({ responses }) => !Object.keys(responses).some((code) => /^2|^303$/.test(code)));
    expect(lacking).toEqual([]);
  });

  it("would not pass with a union that has a member without a type, which generators cannot read", async () => {
    const description = JSON.parse(read("docs/openapi.json"));
    description.components.schemas.Role.properties.name = { anyOf: [{}, { type: "null" }] };
    expect(await lint(JSON.stringify(description))).toContainEqual(
      expect.stringContaining("no-illogical-composition-keywords"),
    );
  });
});

describe("the catalogue of events", () => {
  it("is an AsyncAPI 3.0 document", () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const schema: object = specifications.schemasWithoutId["3.0.0"];
    const validate = ajv.compile(schema);
    const catalogue = JSON.parse(read("docs/asyncapi.json"));
    validate(catalogue);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...catalogue, channels: { one: { address: 1 } } })).toBe(false);
  });

  it("names every event of the contract once", () => {
    const { channels } = JSON.parse(read("docs/asyncapi.json"));
    const addresses = Object.values<{ address: string }>(channels).map(({ address }) => address);
    const declared = ["content", "data", "deployments", "identity", "mesh", "training"].flatMap((file) => [
      ...read(`proto/aiplatform/events/v1/${file}.proto`).matchAll(
        /domain: "(\w+)"\s+entity: "(\w+)"\s+happened: "(\w+)"/g,
      ),
    ]);
    const expected = declared.map(
      ([, domain, entity, happened]) => `aiplatform.${domain}.${entity}.${happened}.v1.{organisation}.{id}`,
    );
    expect(addresses.toSorted()).toEqual(expected.toSorted());
  });
});
