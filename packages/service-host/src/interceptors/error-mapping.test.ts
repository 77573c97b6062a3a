import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { InvalidFieldsError } from "../invalid-fields-error.ts";
import { type ErrorTable, mapError } from "./error-mapping.ts";

class TakenError extends Error {
  override name = "TakenError";
}
class TakenByUsError extends TakenError {
  override name = "TakenByUsError";
}
const errors: ErrorTable = new Map([
  [TakenError, { code: Code.AlreadyExists, reason: "TAKEN", metadata: ({ message }) => ({ what: message }) }],
]);

describe("a failure", () => {
  it.each([
    ["of a listed class", new TakenError("name"), Code.AlreadyExists, "name", "TAKEN"],
    ["of a subclass of a listed class", new TakenByUsError("name"), Code.AlreadyExists, "name", "TAKEN"],
    ["that is a ConnectError", new ConnectError("gone", Code.NotFound), Code.NotFound, "gone", "NOT_FOUND"],
    ["of another class", new TypeError("secret"), Code.Internal, "internal error", "INTERNAL"],
    ["that is not an error", "secret", Code.Internal, "internal error", "INTERNAL"],
  ])("%s", (_title, error, code, message, reason) => {
    const mapped = mapError(error, { errors });
    expect([mapped.code, mapped.rawMessage, mapped.findDetails(ErrorInfoSchema)[0]?.reason]).toEqual([
      code,
      message,
      reason,
    ]);
  });

  it("keeps exactly its own details where the host adds no reasons", () => {
    const mapped = mapError(new ConnectError("gone", Code.NotFound), { errors, addsReasons: false });
    expect(mapped.details).toEqual([]);
  });

  it("may give each field a reason of its own", () => {
    const violations = () => [
      { field: "a", description: "is taken" },
      { field: "b", description: "is too long", reason: "TOO_LONG" },
    ];
    const table: ErrorTable = new Map([[TakenError, { code: Code.InvalidArgument, reason: "TAKEN", violations }]]);
    const [request] = mapError(new TakenError("both"), { errors: table }).findDetails(BadRequestSchema);
    expect(request?.fieldViolations.map(({ field, reason }) => [field, reason])).toEqual([
      ["a", "TAKEN"],
      ["b", "TOO_LONG"],
    ]);
  });

  it("of fields needs no table: each problem has its field and reason, up to a hundred of them", () => {
    const problem = (index: number) => ({ field: `a[${index}]`, description: "is bad", reason: "BAD" });
    const error = mapError(new InvalidFieldsError(Array.from({ length: 101 }, (_, index) => problem(index))), {
      errors,
    });
    expect([error.code, error.rawMessage]).toEqual([Code.InvalidArgument, "a[0]: is bad (and 100 more)"]);
    expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("FIELDS_INVALID");
    const [request] = error.findDetails(BadRequestSchema);
    expect(request?.fieldViolations).toHaveLength(100);
    expect(request?.fieldViolations[99]).toMatchObject(problem(99));
  });

  it("keeps its cause for the log", () => {
    const cause = new TypeError("secret");
    expect(mapError(cause, { errors }).cause).toBe(cause);
  });

  it("of work that stopped because its call was over is the end of the call", () => {
    const signal = AbortSignal.abort(new ConnectError("too late", Code.DeadlineExceeded));
    expect(mapError(new DOMException("aborted", "AbortError"), { errors, signal }).code).toBe(Code.DeadlineExceeded);
  });
});
