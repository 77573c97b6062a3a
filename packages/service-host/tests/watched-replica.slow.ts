import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { eventually } from "@aiplatform/testkit";
import { Client, credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { afterAll, expect, it } from "vitest";
import { Replica } from "../src/mesh/replica.ts";

const cleanUp = new AsyncDisposableStack();
afterAll(() => cleanUp.disposeAsync());

/** A replica of a service with four connections, the first of which keeps watch, through a proxy that takes new ones as it is told. */
async function reached() {
  const server = new Server();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  cleanUp.defer(() => server.forceShutdown());
  const taken: Socket[] = [];
  /** What happens to a connection that is made. */
  const way = { take: (pass: () => void) => pass() };
  const proxy = createServer((socket) => {
    taken.push(socket);
    way.take(() => {
      const onward = connect(port, "127.0.0.1");
      for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
        one.pipe(other);
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
      }
    });
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  cleanUp.defer(() => {
    for (const socket of taken) socket.destroy();
    proxy.close();
  });
  const { port: proxied } = proxy.address() as AddressInfo;
  const readiness: boolean[] = [];
  const address = `127.0.0.1:${proxied}`;
  const replica: Replica = new Replica({
    ...{ address, isFallback: false, connections: 4 },
    open: () => new Client(`ipv4:${address}`, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }),
    changed: () => readiness.push(replica.isReady),
  });
  cleanUp.defer(() => replica.close());
  await eventually(() => taken.length === 4 && replica.isReady);
  // The first one is made before the others.
  const [watching] = taken;
  return { replica, taken, way, readiness, endWatch: () => watching?.destroy() };
}

it("gives up the connections to a peer that takes no new one, once that which keeps watch is lost", async () => {
  const { replica, way, readiness, endWatch } = await reached();
  way.take = () => {};
  endWatch();
  await eventually(() => !replica.isReady);
  expect(readiness).toEqual([true, false]);
});

it("keeps the connections to a peer that is slow to take a new one", async () => {
  const { taken, way, readiness, endWatch } = await reached();
  const passed = Promise.withResolvers<void>();
  way.take = (pass) =>
    setTimeout(() => {
      pass();
      passed.resolve();
    }, 1_500);
  endWatch();
  await passed.promise;
  await eventually(() => taken.length >= 5);
  expect(readiness).toEqual([true]);
});
