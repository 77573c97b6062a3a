import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { Health } from "@aiplatform/contract/grpc/health/v1/health";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";

let rig: MeshRig;
let mesh: MeshTransport;
let ports: Record<"gRPC" | "HTTP", Client<typeof EchoService>>;
beforeAll(async () => {
  rig = await startMeshRig();
  mesh = createMeshTransport({ addresses: rig.service.addresses.grpc });
  const http = createConnectTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" });
  ports = { gRPC: createClient(EchoService, mesh), HTTP: createClient(EchoService, http) };
});
afterAll(async () => {
  mesh.close();
  await rig[Symbol.asyncDispose]();
});

type Port = keyof typeof ports;
const bothPorts: [Port][] = [["gRPC"], ["HTTP"]];

async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  return await call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );
}

let calls = 0;
/** Makes a call under a request id of its own; answers what was recorded of it. */
async function recordsOf(call: (headers: Headers) => Promise<unknown>, shown = new Headers()): Promise<CallRefused[]> {
  calls += 1;
  const requestId = `refusal-${calls}`;
  const headers = new Headers(shown);
  headers.set("x-request-id", requestId);
  await codeOf(call(headers));
  return rig.record.refusals.filter((refused) => refused.requestId === requestId);
}

describe("a call that is refused", () => {
  it.each(bothPorts)("over %s for want of a credential is recorded with its address", async (port) => {
    const records = await recordsOf((headers) => ports[port].echo({ value: "x" }, { headers }));
    expect(records).toMatchObject([
      {
        refusedBy: "echo",
        rpc: `${EchoService.typeName}/Echo`,
        code: "unauthenticated",
        reason: "CREDENTIAL_MISSING",
        organisationId: "",
        credentialId: "",
        sourceAddress: "127.0.0.1",
      },
    ]);
  });

  it.each(bothPorts)("over %s for want of a permission is recorded with its caller", async (port) => {
    const shown = await rig.sign({ memberId: "m1", organisationId: "o7", permissions: [] });
    const records = await recordsOf((headers) => ports[port].echo({ value: "x" }, { headers }), shown);
    const caller = { organisationId: "o7", memberId: "m1", credentialId: "k1", sourceAddress: "" };
    expect(records).toMatchObject([{ code: "permission_denied", reason: "PERMISSION_MISSING", ...caller }]);
  });

  it.each(bothPorts)("over %s because the handler finds nothing is recorded", async (port) => {
    const shown = await rig.sign();
    const records = await recordsOf((headers) => ports[port].echo({ value: "absent" }, { headers }), shown);
    expect(records).toMatchObject([{ code: "not_found", organisationId: "o1" }]);
  });

  it.each(bothPorts)(
    "over %s is recorded with the address that the gateway names beside a valid context",
    async (port) => {
      const shown = await rig.sign({ permissions: [] });
      shown.set("x-source-address", "203.0.113.9");
      const records = await recordsOf((headers) => ports[port].echo({ value: "x" }, { headers }), shown);
      expect(records).toMatchObject([{ code: "permission_denied", sourceAddress: "203.0.113.9" }]);
    },
  );

  it.each(bothPorts)("over %s is not recorded with an address that no signed context vouches for", async (port) => {
    const named = { "x-source-address": "203.0.113.9" };
    const forged = { ...named, "x-caller-context": "forged" };
    const call = (shown: Record<string, string>) =>
      recordsOf((headers) => ports[port].echo({ value: "x" }, { headers }), new Headers(shown));
    expect(await call(named)).toMatchObject([{ sourceAddress: "127.0.0.1" }]);
    expect(await call(forged)).toMatchObject([{ sourceAddress: "" }]);
  });

  it("is recorded although identity was asked once only, each time it is made", async () => {
    const shown = new Headers({ authorization: "Bearer unknown-twice" });
    const call = (headers: Headers) => ports.gRPC.echo({ value: "x" }, { headers });
    expect([await recordsOf(call, shown), await recordsOf(call, shown)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it("is recorded when it is a stream", async () => {
    const consume = async (headers: Headers) => {
      for await (const _ of ports.gRPC.count({ value: 1 }, { headers }));
    };
    expect(await recordsOf(consume)).toMatchObject([{ code: "unauthenticated" }]);
  });

  it("is recorded where it was refused, not by those who pass the refusal on", async () => {
    rig.record.forward = async (value, headers) => (await ports.gRPC.echo({ value }, { headers })).value;
    const shown = await rig.sign();
    const records = await recordsOf((headers) => ports.gRPC.echo({ value: "ask ask absent" }, { headers }), shown);
    expect(records).toHaveLength(1);
  });
});

describe("a call that ends otherwise", () => {
  it.each(["x", "loud", "bug"])("(%j) is not recorded as refused", async (value) => {
    const shown = await rig.sign();
    expect(await recordsOf((headers) => ports.gRPC.echo({ value }, { headers }), shown)).toEqual([]);
  });

  it("is a question about health: the platform's own", async () => {
    const before = rig.record.refusals.length;
    expect(await codeOf(createClient(Health, mesh).check({ service: "unheard.of" }))).toBe(Code.NotFound);
    expect(rig.record.refusals).toHaveLength(before);
  });
});
