import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { createClient } from "@connectrpc/connect";
import { createWritableIterable } from "@connectrpc/connect/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";

let rig: MeshRig;
let way: Server;
let connections = 0;

/** A way to the service that counts the connections on it. */
beforeAll(async () => {
  rig = await startMeshRig({ CONNECTION_AGE_MS: "1000" });
  const [host = "", port = ""] = rig.service.addresses.grpc.split(":");
  way = createServer((socket) => {
    connections += 1;
    const onward = connect({ host, port: Number(port) });
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  way.close();
  await rig[Symbol.asyncDispose]();
});

function openMesh(): ReturnType<typeof createMeshTransport> {
  const address = way.address();
  return createMeshTransport({
    addresses: `127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    channels: 1,
    overHttp: false,
  });
}

describe("a gRPC connection that has reached its age", () => {
  it("gives way to a new one, and no call fails by it", async () => {
    const mesh = openMesh();
    const client = createClient(EchoService, mesh);
    const headers = await rig.sign();
    const before = connections;
    let calls = 0;
    while (connections < before + 4) {
      expect((await client.echo({ value: String(calls) }, { headers })).value).toBe(String(calls));
      calls += 1;
    }
    expect(calls).toBeGreaterThan(3);
    mesh.close();
  });

  it("carries the streams that are under way to their end", async () => {
    const mesh = openMesh();
    const client = createClient(EchoService, mesh);
    const headers = await rig.sign();
    const said = createWritableIterable<{ value: string }>();
    const answers = client.converse(said, { headers })[Symbol.asyncIterator]();
    const before = connections;
    let exchanges = 0;
    // Calls beside the stream: they are what the new connections are made for.
    while (connections < before + 4) {
      await client.echo({ value: "beside it" }, { headers });
      const [, { value }] = await Promise.all([said.write({ value: String(exchanges) }), answers.next()]);
      expect(value?.value).toBe(`${exchanges}!`);
      exchanges += 1;
    }
    said.close();
    expect(await answers.next()).toMatchObject({ done: true });
    mesh.close();
  });
});
