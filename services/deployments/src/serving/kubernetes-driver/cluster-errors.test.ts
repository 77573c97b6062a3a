import { describe, expect, it } from "vitest";
import { ClusterRefusalError, ClusterUnavailableError, clusterErrorOf } from "./cluster-errors.ts";

const answered = (code: number, body: unknown) =>
  Object.assign(new Error(`HTTP-Code: ${code}\nBody: …`), { code, body });
const status = (message: string) => JSON.stringify({ kind: "Status", message });

describe("an answer of the cluster", () => {
  it.each([400, 403, 413, 422])("of %i is a refusal, with the cluster's words", (code) => {
    const error = clusterErrorOf(answered(code, status("pods is forbidden\nmore")));
    expect(error).toBeInstanceOf(ClusterRefusalError);
    expect(error).toMatchObject({ code, message: "pods is forbidden" });
  });

  it.each([401, 404, 409, 429, 500, 503])("of %i may be another one later", (code) => {
    const error = clusterErrorOf(answered(code, status("not now")));
    expect(error).toBeInstanceOf(ClusterUnavailableError);
    expect(error.message).toBe("A request to the Kubernetes cluster failed: not now");
  });

  it.each([["<html>"], [""], [undefined], [JSON.stringify({ message: 7 })]])(
    "without words (%j) is told by its first line",
    (body) => {
      expect(clusterErrorOf(answered(422, body)).message).toBe("HTTP-Code: 422");
    },
  );
});

describe("no answer", () => {
  it("may be one later, and names the cause", () => {
    const error = clusterErrorOf(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }));
    expect(error).toBeInstanceOf(ClusterUnavailableError);
    expect(error.message).toContain("fetch failed: connect ECONNREFUSED");
  });

  it("is taken from whatever was thrown", () => {
    expect(clusterErrorOf("oops").message).toContain("oops");
  });
});
