import { errorDomain } from "@aiplatform/caller-identity";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";

type Method = DescMethodUnary<typeof StringValueSchema, typeof StringValueSchema>;

let rig: MeshRig;
let headers: Headers;
beforeAll(async () => {
  rig = await startMeshRig({ CALL_TIMEOUT_MS: "300", MAX_MESSAGE_BYTES: "1024" });
  headers = await rig.sign();
});
afterAll(() => rig[Symbol.asyncDispose]());

const transports = {
  gRPC: () => createGrpcTransport({ baseUrl: `http://${rig.service.addresses.grpc}` }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" }),
  Connect: () => createConnectTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" }),
};
const { echo, hold } = EchoService.method;
/** Methods that a newer client knows. */
const unknown: Method = { ...echo, name: "Unheard" };
const ofUnknownService: Method = { ...echo, parent: { ...EchoService, typeName: "echo.v1.Unheard" } };

async function failureOf(transport: Transport, method: Method, value: string): Promise<ConnectError> {
  const call = transport.unary(method, undefined, undefined, headers, { value });
  return ConnectError.from(
    await call.then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

describe.each(Object.entries(transports))("an error over %s", (_, transportOf) => {
  it.each([
    ["of a handler that has a bug", echo, "bug", Code.Internal, "INTERNAL"],
    ["that a handler throws without details", echo, "absent", Code.NotFound, "NOT_FOUND"],
    ["that a handler throws with another detail", echo, "details", Code.OutOfRange, "OUT_OF_RANGE"],
    ["of the service's table", echo, "loud", Code.FailedPrecondition, "ECHO_TOO_LOUD"],
    ["of a call that took too long", hold, "x", Code.DeadlineExceeded, "DEADLINE_EXCEEDED"],
    ["of a method that the service does not have", unknown, "x", Code.Unimplemented, "UNIMPLEMENTED"],
    ["of a service that is not there", ofUnknownService, "x", Code.Unimplemented, "UNIMPLEMENTED"],
  ] satisfies [string, Method, string, Code, string][])(
    "%s has its reason",
    async (_title, method, value, code, reason) => {
      const error = await failureOf(transportOf(), method, value);
      expect([error.code, error.findDetails(ErrorInfoSchema)]).toMatchObject([code, [{ reason, domain: errorDomain }]]);
    },
  );
});

describe("an error that grpc-js makes itself", () => {
  it("of a message that is too large has its reason", async () => {
    const error = await failureOf(transports.gRPC(), echo, "x".repeat(2_000));
    const [info] = error.findDetails(ErrorInfoSchema);
    expect([error.code, info?.reason]).toEqual([Code.ResourceExhausted, "RESOURCE_EXHAUSTED"]);
  });

  it("of bytes that are no message has its reason", async () => {
    const input = EchoService.method.count.input;
    const ofAnotherType = { ...echo, input, output: echo.output };
    const transport = transports.gRPC();
    const call = transport.unary(ofAnotherType, undefined, undefined, headers, { value: 1 });
    const error = ConnectError.from(await call.catch((thrown: unknown) => thrown));
    const [info] = error.findDetails(ErrorInfoSchema);
    expect([error.code, info?.reason]).toEqual([Code.Internal, "INTERNAL"]);
  });
});
