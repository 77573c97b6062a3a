import { TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { describe, expect, it } from "vitest";
import { ProblemList } from "../src/errors/problem-list.ts";
import { scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";
import { SchemaBook } from "../src/openapi/schema.ts";

const field = TrainingJobSchema.field.primaryMetricGoal;

describe("an enum without presence whose default is null", () => {
  it.each(["input", "output"] as const)("may be null in its schema: %s", (direction) => {
    expect(new SchemaBook().field(field, direction)).toMatchObject({
      anyOf: [{ $ref: field.enum?.typeName }, { type: "null" }],
      default: null,
    });
  });

  it("is read from null as from nothing", () => {
    const text = JSON.stringify({ name: "train", primary_metric_goal: null });
    const problems = new ProblemList();
    new ReaderCompiler().message(TrainingJobSchema)(JsonView.of(text, scanJson(text)), problems);
    expect(problems.entries).toEqual([]);
  });
});
