import { describe, expect, it } from "vitest";
import type { Action } from "../job-log/job-entry.ts";
import type { OverrideDeclaration } from "../runs/run.ts";
import { overridesRefusal, parseOverrides } from "./runtime-overrides.ts";

const declared: OverrideDeclaration[] = [
  { key: "learning_rate", type: "number", class: "hot", minimum: 0.1, maximum: 1, allowed: [] },
  { key: "max_steps", type: "integer", class: "hot", maximum: 9_007_199_254_740_992, allowed: [] },
  { key: "shuffle", type: "boolean", class: "hot", allowed: [] },
  { key: "optimizer", type: "string", class: "cold", allowed: ["adam", "sgd"] },
  { key: "devices", type: "integer", class: "resources", minimum: 1, allowed: [] },
];

describe("runtime overrides", () => {
  it.each<[Action, string, string | undefined]>([
    ["continue", "{}", undefined],
    ["continue", '{"learning_rate":0.5,"shuffle":false}', undefined],
    ["continue", '{"learning_rate":0.1}', undefined],
    ["continue", '{"learning_rate":0.09999999999999999999}', "override learning_rate must be at least 0.1"],
    ["continue", '{"learning_rate":1.00000000000000000001}', "override learning_rate must be at most 1"],
    ["continue", '{"learning_rate":"0.5"}', "override learning_rate must be a number"],
    ["continue", '{"max_steps":1.0}', undefined],
    ["continue", '{"max_steps":1.5}', "override max_steps must be an integer"],
    ["continue", '{"max_steps":9007199254740993}', "override max_steps must be at most 9007199254740992"],
    ["continue", '{"shuffle":1}', "override shuffle must be true or false"],
    ["continue", '{"shuffle":null}', "override shuffle must be true or false"],
    ["continue", '{"momentum":1}', "unknown override momentum"],
    ["continue", '{"__proto__":1}', "unknown override __proto__"],
    ["continue", '{"optimizer":"adam"}', "override optimizer is cold and cannot be given with continue"],
    ["rollback", '{"devices":2}', "override devices is resources and cannot be given with rollback"],
    ["resume", '{"devices":2,"learning_rate":1}', undefined],
    ["resume", '{"devices":0}', "override devices must be at least 1"],
    ["warm_restart", '{"optimizer":"adam","devices":1,"shuffle":true}', undefined],
    ["warm_restart", '{"optimizer":"lion"}', "override optimizer must be one of adam, sgd"],
  ])("with %s: %s → %s", (action, text, refusal) => {
    expect(overridesRefusal(action, declared, text)).toBe(refusal);
  });

  it.each(["[]", "null", "1", "{", "", `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`])(
    "are nothing but an object: %.10s",
    (text) => {
      expect(parseOverrides(text)?.canonical).toBe(text === "" ? "{}" : undefined);
    },
  );
});
