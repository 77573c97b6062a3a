import { describe, expect, it } from "vitest";
import { usesDataset } from "./uses-dataset.ts";

const id = "019c6b7e-b277-7fd6-a236-76a525c29b9e";
const other = { dataset_id: "019c6b7e-6f1d-7c0a-9d55-2b8e14a7c3f1" };
const named = { dataset_id: ` ${id.toUpperCase()}` };

describe("whether a step uses a dataset", () => {
  const steps: readonly (readonly [what: string, step: object, isUsed: boolean])[] = [
    ["that writes its dictionary", { type: "dictionary", ...named }, true],
    ["that makes a version of it", { type: "dataset", ...named, rows: [] }, true],
    ["that embeds a version of it", { type: "embed", ...named }, true],
    ["whose query reads it", { type: "dataset", ...other, tables: [other, named] }, true],
    ["that trains on it", { type: "train", datasets: [named] }, true],
    ["that names another one", { type: "dataset", ...other, tables: [other] }, false],
    ["whose tables a template makes", { type: "dataset", ...other, tables: "{{ input.tables }}" }, false],
    ["that does not know the field", { type: "prompt", ...named, tables: [named] }, false],
    ["of an unknown type", { type: "query", ...named }, false],
  ];
  it.each(steps)("%s", (_, step, isUsed) => {
    expect(usesDataset({ promptTemplate: JSON.stringify(step) }, id)).toBe(isUsed);
  });
});
