import { CompleteExternalLinkRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { CreateOrganisationResponseSchema } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { CreateTrainingControlCommandRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { describe, expect, it } from "vitest";
import { unprocessable } from "../src/errors/http-error.ts";
import type { Location } from "../src/errors/problem-list.ts";
import { secretNames, withoutSecrets } from "../src/errors/redaction.ts";

describe("the secret fields of a message", () => {
  it.each([
    [CompleteExternalLinkRequestSchema, ["code", "cookie", "state"]],
    [CreateTrainingControlCommandRequestSchema, ["supervision_lease_token"]],
    [CreateOrganisationResponseSchema, ["api_key_secret"]],
  ])("are those the contract marks: %p", (message, names) => {
    expect([...secretNames(message)].sort()).toEqual(names);
  });
});

describe("an error that echoes what was sent", () => {
  const echoed = (loc: Location, input: string) => {
    const failure = unprocessable([{ type: "t", loc, msg: "m", input, ctx: undefined }]);
    return withoutSecrets(failure, new Set(["token"])).problems?.[0]?.input;
  };

  it("leaves out what has no room in the answer rather than look through it", () => {
    const input = JSON.stringify({ token: "s3cret", text: "x".repeat(60) });
    const problem = { type: "t", loc: ["body"], msg: "m", input, ctx: undefined };
    const { problems } = withoutSecrets(unprocessable([problem, problem, problem]), new Set(["token"]), 200);
    expect(problems?.map((shown) => shown.input?.includes("[redacted]"))).toEqual([true, true, undefined]);
  });

  it.each<[string, Location, string, string]>([
    ["a secret where the fault is", ["body", "token"], '"s3cret-s3cret-s3cret"', '"[redacted]"'],
    ["a part of one", ["body", "token", 0], '{"a":"s3cret-s3cret-s3cret"}', '"[redacted]"'],
    ["a secret inside", ["body"], '{"a": 1, "token": "s3cret-s3cret-s3cret"}', '{"a":1,"token":"[redacted]"}'],
    ["one of another type", ["body"], '{"token":{"x":["s3cret-s3cret-s3cret"]}}', '{"token":"[redacted]"}'],
    ["what cannot be one", ["body"], '{"token":null}', '{"token":null}'],
    ["one deeper inside", ["body"], '[{"a":{"token":"s3cret-s3cret-s3cret"}}]', '[{"a":{"token":"[redacted]"}}]'],
    [
      "one whose name is spelt with escapes",
      ["body"],
      '{"t\\u006fken":"s3cret-s3cret-s3cret"}',
      '{"token":"[redacted]"}',
    ],
    [
      "a text that only looks like one",
      ["query", "a"],
      '"token: s3cret-s3cret-s3cret"',
      '"token: s3cret-s3cret-s3cret"',
    ],
    ["numbers of any length", ["body"], '{"a":12345678901234567890.10}', '{"a":12345678901234567890.10}'],
  ])("shows or hides %s", (_, loc, input, shown) => {
    expect(echoed(loc, input)).toBe(shown);
  });
});
