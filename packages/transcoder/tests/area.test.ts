import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTranscoder, type RpcCaller, type Transcoder } from "../src/index.ts";
import { type CompiledProto, compileProto } from "./compiled-proto.ts";
import { listen, type TestServer } from "./test-server.ts";

const shop = `syntax = "proto3";
  package shop.v1;
  import "buf/validate/validate.proto"; import "transcoder/v1/route.proto";
  service OldShopService {
    option (transcoder.v1.area) = {
      path: "/old"
      code_member: "error_code"
      message_member: "message"
      codes: [{status: 404 code: "NO_SUCH_THING"}, {reason: "ENDPOINT_NOT_FOUND" code: "NO_SUCH_CALL"}, {status: 422 code: "BAD_VALUE"}]
      absences: [{path: "/carts" message: "Carts are gone: order at once"}, {message: "Not a part of the old shop"}]
    };
    rpc GetThing(Request) returns (Thing) { option (transcoder.v1.route) = {get: "/old/things/{path=**}"}; }
  }
  service NewShopService {
    rpc GetOther(Request) returns (Thing) { option (transcoder.v1.route) = {get: "/new/things/{path}"}; }
    rpc GetOld(Request) returns (Thing) { option (transcoder.v1.route) = {get: "/old/others/{path}"}; }
  }
  message Request { string path = 1 [(buf.validate.field).string.max_len = 9]; int32 number = 2; }
  message Thing { string path = 1; }`;

const call: RpcCaller = {
  async unary(method, message) {
    const path = "path" in message ? String(message.path) : "";
    if (path === "none") throw new ConnectError("", Code.NotFound);
    if (path === "taken") throw new ConnectError("It is taken", Code.AlreadyExists);
    return { message: create(method.output, { path }), header: new Headers(), trailer: new Headers() };
  },
  clientStream: () => Promise.reject(new Error("nothing streams here")),
  serverStream: () => Promise.reject(new Error("nothing streams here")),
};

let proto: CompiledProto;
let transcoder: Transcoder;
let server: TestServer;
beforeAll(async () => {
  proto = await compileProto({ "shop.proto": shop });
  const services = [proto.service("shop.v1.OldShopService"), proto.service("shop.v1.NewShopService")];
  transcoder = createTranscoder({ services, call });
  server = await listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end('"no route"');
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function ask(path: string, init: RequestInit = {}): Promise<[number, unknown]> {
  const response = await fetch(server.origin + path, init);
  return [response.status, await response.json()];
}

describe("an area", () => {
  it.each([
    ["/old/things/none", 404, { error_code: "NO_SUCH_THING", message: "Not found" }],
    ["/old/things/taken", 409, { error_code: "ALREADY_EXISTS", message: "It is taken" }],
    [
      "/old/things/much%20too%20long?number=x",
      422,
      {
        error_code: "BAD_VALUE",
        message:
          "path: String should have at most 9 characters; number: Input should be a valid integer, unable to parse string as an integer",
      },
    ],
    ["/old/others/none", 404, { error_code: "NO_SUCH_THING", message: "Not found" }],
    ["/old/carts/7", 404, { error_code: "NO_SUCH_THING", message: "Carts are gone: order at once" }],
    ["/old", 404, { error_code: "NO_SUCH_THING", message: "Not a part of the old shop" }],
    ["/new/things/none", 404, { detail: "Not found" }],
    ["/older/things", 404, "no route"],
  ])("answers failures in its form, and no other does: %s", async (path, status, body) => {
    expect(await ask(path)).toEqual([status, body]);
  });

  it("answers what its paths are not asked with", async () => {
    const refusal = { error_code: "METHOD_NOT_ALLOWED", message: "Method Not Allowed" };
    expect(await ask("/old/things/a", { method: "PUT" })).toEqual([405, refusal]);
  });

  it("answers by RFC 9457 who prefers that", async () => {
    const [, body] = await ask("/old/things/none", { headers: { accept: "application/problem+json" } });
    expect(body).toMatchObject({ status: 404, detail: "Not found" });
  });

  it("is described with its form", () => {
    const { paths, components } = JSON.parse(JSON.stringify(transcoder.openApi()));
    expect(paths["/old/others/{path}"].get.responses[422].$ref).toBe(
      "#/components/responses/UnprocessableContentInOld",
    );
    const { schema, example } = components.responses.UnprocessableContentInOld.content["application/json"];
    expect(schema.required).toEqual(["error_code", "message"]);
    expect(example.error_code).toBe("BAD_VALUE");
    expect(paths["/new/things/{path}"].get.responses[422].$ref).toBe("#/components/responses/UnprocessableContent");
  });
});

describe("a path that ends in a field of all segments that are left", () => {
  it.each([
    ["/old/things/a/b/c", "a/b/c"],
    ["/old/things/a%2Fb", "a/b"],
    ["/old/things/a", "a"],
    ["/old/things", ""],
  ])("takes them with their slashes: %s", async (path, value) => {
    expect(await ask(path)).toEqual([200, { path: value }]);
  });

  it("is described with its name alone", () => {
    expect(Object.keys(JSON.parse(JSON.stringify(transcoder.openApi())).paths)).toContain("/old/things/{path}");
  });
});
