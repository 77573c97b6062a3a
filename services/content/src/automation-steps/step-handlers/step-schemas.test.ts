import { StepTemplateSchema } from "@aiplatform/contract/aiplatform/content/v1/step_templates";
import { json } from "@aiplatform/contract/transcoder/v1/route";
import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { FieldRule, FieldRules } from "../step-fields.ts";
import { stepHandlers } from "./step-handlers.ts";

const messages = new Map(StepTemplateSchema.fields.map(({ name, message }) => [name, message]));

/** What the contract says of the JSON of a step's fields. */
function described(message: DescMessage): Record<string, unknown> {
  const shown = message.fields.filter((field) => !getOption(field, json).hidden);
  return Object.fromEntries(shown.map((field) => [field.name, describedField(field)]));
}

function describedField(field: DescField) {
  const { schema, required } = getOption(field, json);
  const entries = field.fieldKind === "list" && field.message ? { entries: described(field.message) } : {};
  const prefix = field.enum?.sharedPrefix?.length ?? 0;
  const words = field.enum?.values.slice(1).map(({ name }) => name.slice(prefix).toLowerCase());
  return { ...(schema === "" ? {} : JSON.parse(schema)), ...(words ? { words } : {}), ...entries, required };
}

/** The same, of the rules that drafts are judged by. */
function ruled(rules: FieldRules): Record<string, unknown> {
  const entries = Object.entries(rules).map(([name, rule]) => [
    name,
    { ...keywords(rule), required: rule.required === true },
  ]);
  return Object.fromEntries(entries);
}

function keywords(rule: FieldRule): object {
  switch (rule.kind) {
    case "text":
      return { minLength: 1, maxLength: rule.maxLength };
    case "word":
      return { words: rule.oneOf };
    case "integer":
      return { minimum: rule.min, maximum: rule.max };
    case "texts":
      return { maxItems: rule.maxItems, items: { minLength: 1, maxLength: rule.maxLength } };
    case "objects": {
      const text = { type: "string", minLength: 1, maxLength: 20_000 };
      return { anyOf: [{ maxItems: rule.maxItems }, text], entries: ruled(rule.fields) };
    }
    case "number":
    case "flag":
    case "json":
      return {};
  }
}

describe("the types of steps in the contract", () => {
  it("are those that there are handlers for", () => {
    expect([...messages.keys()]).toEqual(Object.keys(stepHandlers));
  });

  it.each(Object.entries(stepHandlers))(
    "have the fields and bounds that drafts are judged by: %s",
    (type, { fields }) => {
      const message = messages.get(type);
      expect(message && described(message)).toEqual(ruled(fields));
    },
  );
});
