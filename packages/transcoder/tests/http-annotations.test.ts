import { create, toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTranscoder, type RpcCaller, type Transcoder } from "../src/index.ts";
import { type CompiledProto, compileProto } from "./compiled-proto.ts";
import { listen, type TestServer } from "./test-server.ts";

const library = `syntax = "proto3";
  package library.v1;
  import "google/api/annotations.proto"; import "google/protobuf/empty.proto"; import "transcoder/v1/route.proto";
  service LibraryService {
    rpc GetBook(GetBookRequest) returns (Reached) {
      option (google.api.http) = {
        get: "/v1/{name=shelves/*/books/*}"
        additional_bindings {get: "/v1/{name=archive/**}"}
      };
    }
    rpc ListBooks(ListBooksRequest) returns (Reached) {
      option (google.api.http) = {get: "/v1/{parent=shelves/*}/books"};
    }
    rpc CreateBook(CreateBookRequest) returns (Reached) {
      option (google.api.http) = {post: "/v1/{parent=shelves/*}/books" body: "book" response_body: "request"};
    }
    rpc LendBook(LendBookRequest) returns (Reached) {
      option (google.api.http) = {post: "/v1/{name=shelves/*/books/*}:lend" body: "*"};
    }
    rpc DeleteShelf(DeleteShelfRequest) returns (google.protobuf.Empty) {
      option (google.api.http) = {delete: "/v1/shelves/{number}"};
    }
    rpc Own(DeleteShelfRequest) returns (Reached) {
      option (google.api.http) = {get: "/theirs/{number}"};
      option (transcoder.v1.route) = {get: "/ours/{number}"};
    }
  }
  message GetBookRequest { string name = 1; }
  message ListBooksRequest { string parent = 1; int32 page_size = 2; repeated string order = 3; }
  message CreateBookRequest { string parent = 1; Book book = 2; bool dry_run = 3; }
  message LendBookRequest { string name = 1; string reader = 2; }
  message DeleteShelfRequest { int32 number = 1; }
  message Book { string title = 1; }
  message Reached { string rpc = 1; string request = 2; }`;

/** Answers which RPC was made, and its request. */
const call: RpcCaller = {
  async unary(method, message) {
    const request = toJsonString(method.input, message);
    const reached = method.output.typeName === "library.v1.Reached" ? { rpc: method.name, request } : {};
    return { message: create(method.output, reached), header: new Headers(), trailer: new Headers() };
  },
  clientStream: () => Promise.reject(new Error("nothing streams here")),
  serverStream: () => Promise.reject(new Error("nothing streams here")),
};

let proto: CompiledProto;
let transcoder: Transcoder;
let server: TestServer;
beforeAll(async () => {
  proto = await compileProto({ "library.proto": library });
  transcoder = createTranscoder({ services: [proto.service("library.v1.LibraryService")], call });
  server = await listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end("no route");
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function ask(line: string, body?: object): Promise<unknown> {
  const [method = "", path = ""] = line.split(" ");
  const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(server.origin + path, { method, ...sent });
  const answer = await response.text();
  return response.ok ? JSON.parse(answer) : response.status;
}

const reached = (rpc: string, request: object) => ({ rpc, request: JSON.stringify(request) });

describe("an RPC with google.api.http alone", () => {
  it.each([
    ["GET /v1/shelves/1/books/2", undefined, reached("GetBook", { name: "shelves/1/books/2" })],
    ["GET /v1/shelves/a%20b/books/%C3%BC/", undefined, reached("GetBook", { name: "shelves/a b/books/ü" })],
    ["GET /v1/archive/1999/05", undefined, reached("GetBook", { name: "archive/1999/05" })],
    ["GET /v1/archive", undefined, reached("GetBook", { name: "archive/" })],
    [
      "GET /v1/shelves/1/books?page_size=3&order=a&order=b",
      undefined,
      reached("ListBooks", { parent: "shelves/1", pageSize: 3, order: ["a", "b"] }),
    ],
    [
      "POST /v1/shelves/1/books?dry_run=true",
      { title: "Emma" },
      JSON.stringify({ parent: "shelves/1", book: { title: "Emma" }, dryRun: true }),
    ],
    [
      "POST /v1/shelves/1/books/2:lend",
      { reader: "Ada" },
      reached("LendBook", { name: "shelves/1/books/2", reader: "Ada" }),
    ],
    ["GET /v1/shelves/1/books/2:return", undefined, reached("GetBook", { name: "shelves/1/books/2:return" })],
    ["DELETE /v1/shelves/7", undefined, {}],
    ["DELETE /v1/shelves/seven", undefined, 422],
    ["POST /v1/shelves/1/books/2", {}, 405],
    ["GET /v1/shelves/1/books/2:lend", undefined, 405],
    ["GET /v1/shelves//books/2", undefined, 404],
    ["GET /v1/shelves/1/pages/2", undefined, 404],
  ])("answers %s %j", async (line, body, answer) => {
    expect(await ask(line, body)).toEqual(answer);
  });

  it("is described with a name for each place of its path", () => {
    const { paths } = JSON.parse(JSON.stringify(transcoder.openApi()));
    expect(Object.keys(paths).sort()).toEqual([
      "/ours/{number}",
      "/v1/archive/{name}",
      "/v1/shelves/{name_1}/books/{name_2}",
      "/v1/shelves/{name_1}/books/{name_2}:lend",
      "/v1/shelves/{number}",
      "/v1/shelves/{parent}/books",
    ]);
    const { operationId, parameters } = paths["/v1/shelves/{name_1}/books/{name_2}"].get;
    expect([operationId, parameters.map(({ name }: { name: string }) => name)]).toEqual([
      "getBook",
      ["name_1", "name_2"],
    ]);
    expect(paths["/v1/archive/{name}"].get.operationId).toBe("getBook_2");
  });
});

describe("an RPC with both annotations", () => {
  it("is reached by its own route alone", async () => {
    expect(await ask("GET /ours/3")).toEqual(reached("Own", { number: 3 }));
    expect(await ask("GET /theirs/3")).toBe(404);
  });
});
