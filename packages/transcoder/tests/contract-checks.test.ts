import { describe, expect, it } from "@jest/globals";
import { ContractError, createTranscoder, type RpcCaller } from "../src/index.ts";
import { compileProto } from "./compiled-proto.ts";

const call: RpcCaller = {
  unary: () => Promise.reject(new Error("no RPC is made here")),
  serverStream: () => Promise.reject(new Error("no RPC is made here")),
};

/** Compiles a service with these RPCs and answers what making a transcoder of it throws. */
async function faultOf(rpcs: string, fields = "string id = 1;", more = ""): Promise<string | undefined> {
  const text = `syntax = "proto3"; package checks.v1;
    import "buf/validate/validate.proto"; import "google/protobuf/duration.proto"; import "transcoder/v1/json.proto"; import "transcoder/v1/route.proto";
    service ChecksService { ${rpcs} }
    message Request { ${fields} } message Response { Inner inner = 1; } message Inner { int32 number = 1; }
    ${more}`;
  const proto = await compileProto({ "checks.proto": text });
  try {
    createTranscoder({ services: [proto.service("checks.v1.ChecksService")], call });
    return undefined;
  } catch (error) {
    if (error instanceof ContractError) return error.fault;
    throw error;
  }
}

function rpc(route: string, { name = "Get", request = "Request", response = "Response" } = {}): string {
  return `rpc ${name}(${request}) returns (${response}) { option (transcoder.v1.route) = {${route}}; }`;
}

describe("a contract", () => {
  it("is accepted when nothing is contradictory", async () => {
    expect(await faultOf(rpc('get: "/a/{id}" response_body: "inner"'))).toBeUndefined();
  });

  it.each([
    ["a path with an unknown field", rpc('get: "/a/{other}"'), "unknown_field"],
    ["a body that is no field", rpc('post: "/a/{id}" body: "other"'), "unknown_field"],
    ["a response_body that is no field", rpc('get: "/a/{id}" response_body: "other"'), "unknown_field"],
    ["a header into no field", rpc('get: "/a/{id}" headers: {name: "X" field: "other"}'), "unknown_field"],
    ["a query of no field", rpc('post: "/a/{id}" body: "*" query: "other"'), "unknown_field"],
    ["a field bound twice", rpc('post: "/a/{id}" body: "id"'), "unknown_field"],
    ["two equal routes", rpc('get: "/a/{id}"') + rpc('get: "/a/{id}/"', { name: "Find" }), "equal_routes"],
    ["a path that is none", rpc('get: "a/{id}"'), "bad_path"],
    ["a route without a path", rpc('tag: "x"'), "bad_path"],
    ["a stream of requests", rpc('post: "/a/{id}"', { request: "stream Request" }), "unsupported_stream"],
    ["an event id without a stream", rpc('get: "/a/{id}" event_id: "inner.number"'), "bad_event_id"],
    [
      "an event id that leads nowhere",
      rpc('get: "/a/{id}" event_id: "inner.x"', { response: "stream Response" }),
      "bad_event_id",
    ],
  ])("with %s is refused", async (_what, rpcs, fault) => {
    expect(await faultOf(rpcs)).toBe(fault);
  });

  it.each([
    ["a message in the query", 'get: "/a/{id}"', "string id = 1; Inner inner = 2;", "unbound_field"],
    ["a list in a path", 'get: "/a/{id}"', "repeated string id = 1;", "path_type"],
    ["a float in a path", 'get: "/a/{id}"', "double id = 1;", "path_type"],
    ["a message in a path", 'get: "/a/{id}"', "Inner id = 1;", "path_type"],
    [
      "a type without JSON form",
      'post: "/a/{id}" body: "*"',
      "string id = 1; google.protobuf.Duration d = 2;",
      "unsupported_type",
    ],
    [
      "a pattern that cannot be compiled",
      'get: "/a/{id}"',
      'string id = 1 [(buf.validate.field).string.pattern = "(?i)a"];',
      "bad_rule",
    ],
  ])("with %s is refused", async (_what, route, fields, fault) => {
    expect(await faultOf(rpc(route), fields)).toBe(fault);
  });

  const list = (options = "") => rpc(`get: "/a/{id}" response_body: "ids" ${options}`, { response: "Page" });
  const page =
    "message Page { repeated string ids = 1; string next = 2; int32 number = 3; oneof odd { string one = 4; } }";
  const cursor = "string id = 1; string cursor = 2;";

  it("is accepted when a list has a next page", async () => {
    expect(await faultOf(list('next_cursor: "next"'), cursor, page)).toBeUndefined();
  });

  it.each([
    ["a cursor that is no field", list('next_cursor: "other"'), cursor],
    ["a cursor that is a number", list('next_cursor: "number"'), cursor],
    ["a cursor that is a list", list('next_cursor: "ids"'), cursor],
    ["a cursor that is a choice", list('next_cursor: "one"'), cursor],
    ["a next page that nothing asks for", list('next_cursor: "next"'), "string id = 1;"],
    ["a next page asked for by a number", list('next_cursor: "next"'), "string id = 1; int32 cursor = 2;"],
    [
      "a next page asked for in the body",
      rpc('post: "/a/{id}" body: "*" next_cursor: "next"', { response: "Page" }),
      cursor,
    ],
    [
      "a next page asked for in a header",
      list('next_cursor: "next" headers: {name: "Cursor" field: "cursor"}'),
      cursor,
    ],
    ["a next page of a stream", rpc('get: "/a/{id}" next_cursor: "next"', { response: "stream Page" }), cursor],
  ])("with %s is refused", async (_what, rpcs, fields) => {
    expect(await faultOf(rpcs, fields, page)).toBe("bad_cursor");
  });

  it("with a stream of documents is refused", async () => {
    const document = "message Page { transcoder.v1.Document page = 1; }";
    const rpcs = rpc('get: "/a/{id}" response_body: "page"', { response: "stream Page" });
    expect(await faultOf(rpcs, undefined, document)).toBe("unsupported_stream");
  });
});
