import { describe, expect, it } from "vitest";
import { alternativeAt, alternativeOf } from "./alternative-service.ts";

describe("the port for HTTP/1.1 that a service names", () => {
  it("is the one that was written, with its proof", () => {
    const alternative = { port: 8080, proof: "eyJhbGciOiJFZERTQSJ9..c2ln-_" };
    expect(alternativeOf(alternativeAt(alternative))).toEqual(alternative);
  });

  it.each([
    ["beside another protocol", 'h2=":50051", http%2F1.1=":8080"; proof="a"; ma=60', { port: 8080, proof: "a" }],
    ["without a proof", 'http%2F1.1=":8080"', undefined],
    ["with an empty proof", 'http%2F1.1=":8080"; proof=""', undefined],
    ["of another protocol alone", 'h2=":50051"; proof="a"', undefined],
    ["at another host", 'http%2F1.1="elsewhere:8080"; proof="a"', undefined],
    ["that is no number", 'http%2F1.1=":http"; proof="a"', undefined],
    ["that is cleared", "clear", undefined],
  ])("is read %s", (_, value, alternative) => {
    expect(alternativeOf(value)).toEqual(alternative);
  });
});
