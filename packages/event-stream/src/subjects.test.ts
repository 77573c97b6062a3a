import { describe, expect, it } from "vitest";
import { subjectNames, subjectToken, wakeSubject } from "./subjects.ts";

describe("a subject's token", () => {
  it.each([
    ["plain-id_7", "plain-id_7"],
    ["a.b", "a%2Eb"],
    ["a*", "a%2A"],
    [">", "%3E"],
    ["two words\r\n", "two%20words%0D%0A"],
    ["ü", "%C3%BC"],
    ["\ud800", "%EF%BF%BD"],
  ])("holds %j as %j, which means nothing to NATS", (text, token) => {
    expect(subjectToken(text)).toBe(token);
  });

  it("cannot be empty", () => {
    expect(() => subjectToken("")).toThrow("cannot be empty");
  });
});

describe("a stream of another name", () => {
  const names = subjectNames("other");

  it.each([
    ["aiplatform.training.job.completed.v1.o.e", "other.training.job.completed.v1.o.e"],
    [wakeSubject("run", "*"), "other_wake.run.*"],
    ["elsewhere.x", "elsewhere.x"],
  ])("uses %s as %s, and back", (subject, wire) => {
    expect(names.toWire(subject)).toBe(wire);
    expect(names.fromWire(wire)).toBe(subject);
  });

  it("has to have a name NATS takes", () => {
    expect(() => subjectNames("a.b")).toThrow("cannot be called");
  });
});
