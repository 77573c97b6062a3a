import { readFileSync } from "node:fs";
import { join } from "node:path";
import specifications from "@asyncapi/specs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the description of the REST API", () => {
  it("passes Redocly's recommended rules, but for the slashes that the specification's paths end with", async () => {
    const rules = {
      "no-path-trailing-slash": "off",
      // `links/{link_id}` and `{provider}/start`: literal segments win.
      "no-ambiguous-paths": "off",
    } as const;
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: read("docs/openapi.json"), absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
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
    const declared = ["content", "deployments", "identity", "mesh", "training"].flatMap((file) => [
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
