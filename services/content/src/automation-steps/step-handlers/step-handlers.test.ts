import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isStepType, stepHandlers } from "./step-handlers.ts";

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts") && !file.includes(".test."));
const types = files.map((file) => file.replace(".ts", "")).filter((type) => type !== "step-handlers");

describe("a type of step", () => {
  it("is a file of its own, and a word in the table", () => {
    expect(Object.keys(stepHandlers).sort()).toEqual(types.sort());
    const exported = types.map((type) => new RegExp(`export const ${type}: StepHandler = `));
    for (const [index, type] of types.entries())
      expect(readFileSync(`${import.meta.dirname}/${type}.ts`, "utf8")).toMatch(exported[index] ?? "");
  });

  it.each(types)("%s is imported by the table alone", (type) => {
    const sources = ["automation-engine", "automation-steps", "automations", "tasks"].flatMap((folder) => {
      const path = `${import.meta.dirname}/../../${folder}`;
      return readdirSync(path).map((file) => `${path}/${file}`);
    });
    const modules = sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
    const naming = modules.filter((path) => readFileSync(path, "utf8").includes(`step-handlers/${type}.ts`));
    expect(naming).toEqual([]);
  });

  it.each(Object.entries(stepHandlers))("%s says its fields and permissions", (type, handler) => {
    expect(isStepType(type)).toBe(true);
    expect(Object.keys(handler.fields)).not.toHaveLength(0);
    expect(handler.permissions({})).toEqual(expect.any(Array));
  });

  it.each(Object.entries(stepHandlers))(
    "%s says which datasets stand in its fields",
    (_type, { fields, datasetIds }) => {
      const [id, dataset_id] = ["an-id", " AN-ID"];
      const named = { dataset_id, tables: [{ dataset_id }], datasets: [{ dataset_id }] };
      const read = Object.entries(named).filter(([name]) => Object.hasOwn(fields, name));
      expect(datasetIds?.(Object.fromEntries(read)) ?? []).toEqual(read.map(() => id));
    },
  );

  it.each(["", "toString", "constructor", 1, undefined])("is not %j", (type) => {
    expect(isStepType(type)).toBe(false);
  });
});
