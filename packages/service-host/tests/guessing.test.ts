import { randomUUID } from "node:crypto";
import { ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";

let rig: MeshRig;
let mesh: MeshTransport;
let overGrpc: Client<typeof EchoService>;
let overHttp: Client<typeof EchoService>;
beforeAll(async () => {
  rig = await startMeshRig();
  mesh = createMeshTransport({ addresses: rig.service.addresses.grpc });
  overGrpc = createClient(EchoService, mesh);
  overHttp = createClient(
    EchoService,
    createConnectTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" }),
  );
});
afterAll(async () => {
  mesh.close();
  await rig[Symbol.asyncDispose]();
});

const showing = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

async function refusalOf(client: Client<typeof EchoService>, key: string): Promise<ConnectError> {
  return await client.echo({ value: "x" }, showing(key)).then(
    () => new ConnectError("it succeeded", Code.Unknown),
    (error: unknown) => ConnectError.from(error),
  );
}

describe("keys that are guessed at the ports of a service", () => {
  const good = `aip_${randomUUID()}`;
  const codes: Code[] = [];
  beforeAll(async () => {
    rig.credentials.set(good, { organisationId: "o1", permissions: ["echo:use"] });
    await overGrpc.echo({ value: "x" }, showing(good));
    for (let guess = 0; guess < 40; guess += 1) {
      const client = guess % 2 === 0 ? overGrpc : overHttp;
      codes.push((await refusalOf(client, `aip_${randomUUID()}`)).code);
    }
  });

  it("are rejected from the twentieth in a minute on, over both ports together", () => {
    expect(codes.slice(0, 19)).toEqual(Array(19).fill(Code.Unauthenticated));
    expect(codes.slice(19)).toEqual(Array(21).fill(Code.ResourceExhausted));
  });

  it("cost identity nothing from then on", () => {
    expect(rig.exchanges).toHaveLength(1 + 19);
  });

  it("are told when to come back", async () => {
    const refused = await refusalOf(overGrpc, `aip_${randomUUID()}`);
    expect(refused.findDetails(ErrorInfoSchema)[0]?.reason).toBe("TOO_MANY_FAILED_CREDENTIALS");
    expect(Number(refused.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds)).toBeGreaterThan(0);
  });

  it("do not keep out a caller of the same address who was known before", async () => {
    expect((await overGrpc.echo({ value: "x" }, showing(good))).value).toBe("x");
  });
});
