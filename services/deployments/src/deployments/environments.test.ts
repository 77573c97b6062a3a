import { InvalidFieldsError } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { EnvironmentNotHigherError, higherEnvironment } from "./environments.ts";

const all = ["development", "staging", "production"];
const higher = (from: string, to?: string) => higherEnvironment(all, { from, to });

describe("the environment that a deployment is promoted to", () => {
  it.each([
    ["development", undefined, "staging"],
    ["staging", undefined, "production"],
    ["development", "production", "production"],
    // An installation may be told of other environments one day.
    ["retired", "development", "development"],
  ])("is above %s, asked for %s: %s", (from, to, expected) => {
    expect(higher(from, to)).toBe(expected);
  });

  it.each([
    ["production", undefined],
    ["staging", "staging"],
    ["staging", "development"],
  ])("cannot be found above %s, asked for %s", (from, to) => {
    expect(() => higher(from, to)).toThrow(EnvironmentNotHigherError);
  });

  it("has to be one that there is", () => {
    expect(() => higher("development", "mars")).toThrow(InvalidFieldsError);
  });
});
