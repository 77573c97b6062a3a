import { promisify } from "node:util";
import { Client, credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { MeshConnection } from "../src/mesh/mesh-connection.ts";

describe("a connection that is stopped by what hears that it is there", () => {
  it("ends without an error", async () => {
    const server = new Server();
    const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    await promisify(client.waitForReady.bind(client))(Date.now() + 10_000);
    let changes = 0;
    const connection = new MeshConnection(
      () => client,
      () => {
        changes += 1;
        connection.stop();
      },
    );

    expect(() => connection.start()).not.toThrow();
    expect(changes).toBe(1);
    expect(connection.ready).toBeUndefined();
    server.forceShutdown();
  });
});
