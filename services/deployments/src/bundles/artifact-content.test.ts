import { describe, expect, it } from "vitest";
import { readContent } from "./artifact-content.ts";

const sha256 = "a".repeat(64);

describe("the content of a file of a bundle", () => {
  it.each([
    ['"é\\n"', "é\n"],
    ['""', ""],
    ['{"a": 1.50}', '{"a": 1.50}'],
    ["[1,2]", "[1,2]"],
    ["12345678901234567890.10", "12345678901234567890.10"],
    ["null", "null"],
    ["", "null"],
    ['{"base64":"aGk=","more":1}', '{"base64":"aGk=","more":1}'],
    ['["aGk="]', '["aGk="]'],
    ['{"base64":"aGk="}', "hi"],
    ['{"base64":"aGk"}', "hi"],
    ['{"base64":""}', ""],
  ])("of %s is %j", (text, expected) => {
    expect(readContent(text)).toEqual({ bytes: Buffer.from(expected) });
  });

  it("is an artifact that is stored when it names one", () => {
    expect(readContent(`{"artifact_sha256":"${sha256}"}`)).toEqual({ sha256 });
  });

  it.each([
    ['{"base64":"a!"}', "base64"],
    ['{"base64":"a"}', "base64"],
    ['{"base64":1}', "base64"],
    ['{"artifact_sha256":"A"}', "artifact_sha256"],
    [`{"artifact_sha256":["${sha256}"]}`, "artifact_sha256"],
  ])("cannot be %s", (text, key) => {
    expect(readContent(text)).toMatchObject({ key });
  });
});
