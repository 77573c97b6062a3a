import { describe, expect, it } from "vitest";
import { type CommandBody, commandFingerprint } from "./command-fingerprint.ts";

const body: CommandBody = { action: "continue", overrides: '{"a":1,"b":{"c":[1,2],"d":"é"}}' };

describe("two bodies are the same command", () => {
  it.each<[string, CommandBody]>([
    ["keys stand in another order", { ...body, overrides: '{"b":{"d":"é","c":[1,2]},"a":1}' }],
    ["there is space between", { ...body, overrides: ' { "a" : 1, "b":{"c":[1, 2],"d":"é"} } ' }],
    ["a character is escaped", { ...body, overrides: '{"a":1,"b":{"c":[1,2],"d":"\\u00e9"}}' }],
  ])("when %s", (_when, other) => {
    expect(commandFingerprint(other)).toBe(commandFingerprint(body));
  });
});

describe("two bodies are different commands", () => {
  it.each<[string, CommandBody]>([
    ["the action differs", { ...body, action: "resume" }],
    ["a number is written otherwise", { ...body, overrides: '{"a":1.0,"b":{"c":[1,2],"d":"é"}}' }],
    ["only a digit beyond double precision differs", { ...body, overrides: '{"a":1.00000000000000000001}' }],
    ["an array stands in another order", { ...body, overrides: '{"a":1,"b":{"c":[2,1],"d":"é"}}' }],
    ["a checkpoint is named", { ...body, checkpointId: "0198c0de-0000-7000-8000-000000000001" }],
    ["a supervision is named", { ...body, supervisionId: "0198c0de-0000-7000-8000-000000000001" }],
  ])("when %s", (_when, other) => {
    expect(commandFingerprint(other)).not.toBe(commandFingerprint(body));
  });
});
