import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { rpcs } from "../access/contract-rpcs.ts";

/** Names that sound like a secret, and those that only speak of one. */
const sounds = /(^|_)(token|secret|password|bearer|api_key|signed|private|credential|assertion)(_|$)/;
const speaks = /^secret_(name|description)$|_id$|_at$|^(next_)?page_token$/;

const seen = new Set<DescMessage>();
function textsOf(message: DescMessage): DescField[] {
  if (seen.has(message) || message.typeName.startsWith("google.")) return [];
  seen.add(message);
  return message.fields.flatMap((field) => {
    if (field.message) return textsOf(field.message);
    return field.scalar === ScalarType.STRING ? [field] : [];
  });
}

const texts = rpcs.flatMap(({ method }) => [...textsOf(method.input), ...textsOf(method.output)]);

describe("a text of the contract that sounds like a secret", () => {
  const secrets = texts.filter(({ name }) => sounds.test(name) && !speaks.test(name));

  it.each(secrets.map((field) => [`${field.parent.name}.${field.name}`, field] as const))(
    "is marked as one: %s",
    (_, field) => {
      expect(field.proto.options?.debugRedact).toBe(true);
    },
  );

  it("is found in requests and answers", () => {
    expect(secrets.length).toBeGreaterThan(8);
  });
});
