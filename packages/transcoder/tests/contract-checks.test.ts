import { beforeAll, describe, expect, it } from "vitest";
import { ContractError, type ContractFault, contractFaults, createTranscoder, type RpcCaller } from "../src/index.ts";
import { type CompiledProto, compileProto } from "./compiled-proto.ts";

const call: RpcCaller = {
  unary: () => Promise.reject(new Error("no RPC is made here")),
  clientStream: () => Promise.reject(new Error("no RPC is made here")),
  serverStream: () => Promise.reject(new Error("no RPC is made here")),
};

/** RPCs of a service, and what its messages hold beside what all have. */
interface Contract {
  readonly rpcs: string;
  readonly fields?: string;
  readonly more?: string;
}

function rpc(route: string, { name = "Get", request = "Request", response = "Response" } = {}): string {
  return `rpc ${name}(${request}) returns (${response}) { option (transcoder.v1.route) = {${route}}; }`;
}

const one = (route: string, fields?: string): Contract => ({
  rpcs: rpc(route),
  ...(fields === undefined ? {} : { fields }),
});
const answering = (response: string, route: string, more: string, fields?: string): Contract => ({
  ...one(route, fields),
  rpcs: rpc(route, { response }),
  more,
});

/** The same with the annotation of others. */
const foreign = (rule: string): Contract => ({
  rpcs: `rpc Get(Request) returns (Response) { option (google.api.http) = {${rule}}; }`,
});

const inGet = 'get: "/a/{id}"';
const inPost = 'post: "/a/{id}" body: "*"';
const page =
  "message Page { repeated string ids = 1; string next = 2; int32 number = 3; oneof odd { string one = 4; } }";
const paged = (options: string, fields = "string id = 1; string cursor = 2;") =>
  answering("Page", `get: "/a/{id}" response_body: "ids" ${options}`, page, fields);

/** A list of which the request has this option. */
const listed = (option: string, fields = "string filter = 1; string order_by = 2;"): Contract => ({
  rpcs: rpc('get: "/boats"', { request: "Boats" }),
  more: `message Boats { option (transcoder.v1.list) = {${option}}; ${fields} }`,
});

const good: readonly (readonly [string, Contract])[] = [
  ["nothing is contradictory", one('get: "/a/{id}" response_body: "inner"')],
  ["a list has a next page", paged('next_cursor: "next"')],
  ["a list says what it is found by", listed('fields: {path: "name" type: LIST_FIELD_TYPE_TEXT sortable: true}')],
  ["two RPCs differ in their method alone", { rpcs: rpc(inGet) + rpc('delete: "/a/{id}"', { name: "Delete" }) }],
  [
    "a text of a path stands where another route has a name",
    { rpcs: rpc(inGet) + rpc('get: "/a/all" query: "id"', { name: "All" }) },
  ],
  [
    "a stream of requests is bytes",
    {
      rpcs: 'rpc Put(stream Piece) returns (Response) { option (transcoder.v1.route) = {put: "/a/{id}" body: "data" body_length: "size"}; }',
      more: "message Piece { string id = 1; int64 size = 2; bytes data = 3; }",
    },
  ],
  ["an RPC has no route, whatever it is", { rpcs: "rpc Get(stream Request) returns (stream Response);" }],
];

const bad: readonly (readonly [string, ContractFault, Contract])[] = [
  [
    "an area whose failures have no code",
    "bad_area",
    { rpcs: `option (transcoder.v1.area) = {path: "/a" message_member: "message"}; ${rpc(inGet)}` },
  ],
  [
    "an area whose path ends in a slash",
    "bad_area",
    { rpcs: `option (transcoder.v1.area) = {path: "/a/" code_member: "c" message_member: "m"}; ${rpc(inGet)}` },
  ],
  ["a path with a wildcard before its end", "bad_path", one('get: "/a/{id=**}/b"')],
  ["a path with an unknown field", "unknown_field", one('get: "/a/{other}"')],
  ["a body that is no field", "unknown_field", one('post: "/a/{id}" body: "other"')],
  ["a response_body that is no field", "unknown_field", one('get: "/a/{id}" response_body: "other"')],
  ["a header into no field", "unknown_field", one('get: "/a/{id}" headers: {name: "X" field: "other"}')],
  ["a query of no field", "unknown_field", one('post: "/a/{id}" body: "*" query: "other"')],
  ["a list without a filter", "bad_list", listed("", "string order_by = 2;")],
  ["a list whose filter is no text", "bad_list", listed("", "int32 filter = 1; string order_by = 2;")],
  ["a field of a list without a type", "bad_list", listed('fields: {path: "name"}')],
  [
    "a field of a list of an unknown enum",
    "bad_list",
    listed('fields: {path: "a" type: LIST_FIELD_TYPE_ENUM enum: "x.Y"}'),
  ],
  [
    "an order by what an item may lack",
    "bad_list",
    listed('fields: {path: "a" type: LIST_FIELD_TYPE_TEXT optional: true sortable: true}'),
  ],
  ["a field bound twice", "unknown_field", one('post: "/a/{id}" body: "id"')],
  ["a hidden field in a path", "unknown_field", one(inGet, "string id = 1 [(transcoder.v1.json).hidden = true];")],
  ["two equal routes", "equal_routes", { rpcs: rpc(inGet) + rpc('get: "/a/{id}/"', { name: "Find" }) }],
  [
    "two routes that differ in a name alone",
    "equal_routes",
    {
      rpcs: rpc(inGet) + rpc('get: "/a/{key}"', { name: "Find", request: "Other" }),
      more: "message Other { string key = 1; }",
    },
  ],
  ["a path that does not begin with a slash", "bad_path", one('get: "a/{id}"')],
  ["a path with an empty segment", "bad_path", one('get: "/a//{id}"')],
  ["a path with a name inside a segment", "bad_path", one('get: "/a/x-{id}"')],
  ["a path with a wildcard", "bad_path", one('get: "/a/*/{id}"')],
  ["a path with a verb", "bad_path", one('get: "/a/{id}:send"')],
  ["a path with a query", "bad_path", one('get: "/a/{id}?x=1"')],
  ["a route without a path", "bad_path", one('tag: "x"')],
  ...[
    "/a/{inner.number}",
    "/a/**/b",
    "/a/b*",
    "/a/{id=**}/b",
    "/a/{id",
    "/a//b",
    "a",
    "/a:",
    "/a/{id}:send:now",
    "/a b",
  ].map((path) => [`a foreign path ${path}`, "bad_path", foreign(`get: "${path}"`)] as const),
  ["a foreign method", "bad_path", foreign('custom: {kind: "PURGE" path: "/a"}')],
  ["a field in a foreign path twice", "unknown_field", foreign('get: "/a/{id}/{id}"')],
  ["a list in a path", "path_type", one(inGet, "repeated string id = 1;")],
  ["a float in a path", "path_type", one(inGet, "double id = 1;")],
  ["a truth value in a path", "path_type", one(inGet, "bool id = 1;")],
  ["bytes in a path", "path_type", one(inGet, "bytes id = 1;")],
  ["an enum in a path", "path_type", { ...one(inGet, "Kind id = 1;"), more: "enum Kind { KIND_UNSPECIFIED = 0; }" }],
  ["a message in a path", "path_type", one(inGet, "Inner id = 1;")],
  ["a message in the query", "unbound_field", one(inGet, "string id = 1; Inner inner = 2;")],
  ["a dictionary in the query", "unbound_field", one(inGet, "string id = 1; map<string, string> more = 2;")],
  [
    "a message in a header",
    "unbound_field",
    one(`${inPost} headers: {name: "X" field: "inner"}`, "string id = 1; Inner inner = 2;"),
  ],
  [
    "a type without JSON form in a request",
    "unsupported_type",
    one(inPost, "string id = 1; google.protobuf.Duration d = 2;"),
  ],
  [
    "a type without JSON form in an answer",
    "unsupported_type",
    answering("Page", inGet, "message Page { google.protobuf.Duration d = 1; }"),
  ],
  [
    "a pattern that cannot be compiled",
    "bad_rule",
    one(inGet, 'string id = 1 [(buf.validate.field).string.pattern = "(?i)a"];'),
  ],
  [
    "a schema that no reader enforces",
    "bad_rule",
    one(inPost, `string id = 1; string text = 2 [(transcoder.v1.json).schema = '{"multipleOf":2}'];`),
  ],
  ["a status that is no success", "bad_status", one('get: "/a/{id}" status: 404')],
  ["a status that has no body", "bad_status", one('delete: "/a/{id}" status: 204')],
  ["a status that is none", "bad_status", one('get: "/a/{id}" status: 99')],
  ["a stream of requests", "unsupported_stream", { rpcs: rpc('post: "/a/{id}"', { request: "stream Request" }) }],
  ["streams of other messages over one connection", "unsupported_stream", one('post: "/a/{id}" multiplexes: true')],
  [
    "a stream of documents",
    "unsupported_stream",
    answering(
      "stream Page",
      'get: "/a/{id}" response_body: "page"',
      "message Page { transcoder.v1.Document page = 1; }",
    ),
  ],
  ["an event id without a stream", "bad_event_id", one('get: "/a/{id}" event_id: "inner.number"')],
  [
    "an event id that leads nowhere",
    "bad_event_id",
    { rpcs: rpc('get: "/a/{id}" event_id: "inner.x"', { response: "stream Response" }) },
  ],
  ["a cursor that is no field", "bad_cursor", paged('next_cursor: "other"')],
  ["a cursor that is a number", "bad_cursor", paged('next_cursor: "number"')],
  ["a cursor that is a list", "bad_cursor", paged('next_cursor: "ids"')],
  ["a cursor that is a choice", "bad_cursor", paged('next_cursor: "one"')],
  ["a next page that nothing asks for", "bad_cursor", paged('next_cursor: "next"', "string id = 1;")],
  ["a next page asked for by a number", "bad_cursor", paged('next_cursor: "next"', "string id = 1; int32 cursor = 2;")],
  [
    "a next page asked for in the body",
    "bad_cursor",
    answering("Page", `${inPost} next_cursor: "next"`, page, "string id = 1; string cursor = 2;"),
  ],
  ["a rendered body that is no field", "bad_rendered_body", one(`${inGet} rendered_body: "other"`)],
  ["a rendered body of another type", "bad_rendered_body", one(`${inGet} rendered_body: "inner"`)],
  [
    "a rendered body of a stream",
    "bad_rendered_body",
    answering("stream Page", `${inGet} rendered_body: "body"`, "message Page { transcoder.v1.RenderedBody body = 1; }"),
  ],
  ["alternatives without a rendered body", "bad_rendered_body", one(`${inGet} alternatives: "text/plain"`)],
  [
    "an alternative that is no media type",
    "bad_rendered_body",
    answering(
      "Page",
      `${inGet} rendered_body: "body" alternatives: "Text/Plain; charset=utf-8"`,
      "message Page { transcoder.v1.RenderedBody body = 1; }",
    ),
  ],
  [
    "a next page asked for in a header",
    "bad_cursor",
    paged('next_cursor: "next" headers: {name: "Cursor" field: "cursor"}'),
  ],
  [
    "a next page of a stream",
    "bad_cursor",
    answering("stream Page", 'get: "/a/{id}" next_cursor: "next"', page, "string id = 1; string cursor = 2;"),
  ],
];

/** A package of its own for each, so that one run of the compiler does for all. */
const sourceOf = ({ rpcs, fields = "string id = 1;", more = "" }: Contract, number: number) => `syntax = "proto3";
  package checks.n${number};
  import "buf/validate/validate.proto"; import "google/api/annotations.proto"; import "google/protobuf/duration.proto";
  import "transcoder/v1/json.proto"; import "transcoder/v1/route.proto";
  service ChecksService { ${rpcs} }
  message Request { ${fields} } message Response { Inner inner = 1; } message Inner { int32 number = 1; }
  ${more}`;

let proto: CompiledProto;
beforeAll(async () => {
  const contracts = [...good.map(([, contract]) => contract), ...bad.map(([, , contract]) => contract)];
  const files = contracts.map((contract, number) => [`checks${number}.proto`, sourceOf(contract, number)]);
  proto = await compileProto(Object.fromEntries(files));
});

/** What making a transcoder throws. */
function refusalOf(number: number): ContractError | undefined {
  try {
    createTranscoder({ services: [proto.service(`checks.n${number}.ChecksService`)], call });
    return undefined;
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
}

describe("a contract", () => {
  it.each(good.map(([where], number) => [where, number] as const))("is accepted where %s", (_where, number) => {
    expect(refusalOf(number)).toBeUndefined();
  });

  it.each(bad.map(([what, fault], index) => [what, fault, good.length + index] as const))(
    "with %s is refused as %s, by the name of what is wrong",
    (_what, fault, number) => {
      expect(refusalOf(number)).toMatchObject({ name: "ContractError", fault, element: expect.stringMatching(/^\S/) });
    },
  );

  it("is refused for every reason there is in one of these", () => {
    expect(new Set(bad.map(([, fault]) => fault))).toEqual(new Set(contractFaults));
  });
});
