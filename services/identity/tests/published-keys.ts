import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWK } from "jose";

/** A server that answers a key set at every path, and counts who asks. */
export interface PublishedKeys extends AsyncDisposable {
  url: string;
  /** How often it was asked. */
  asked(): number;
}

/** Publishes the public halves of the keys on loopback. */
export async function publishKeys(keys: JWK[]): Promise<PublishedKeys> {
  const privateMembers = new Set(["d", "p", "q", "dp", "dq", "qi"]);
  const isPublic = ([member]: [string, unknown]) => !privateMembers.has(member);
  const body = JSON.stringify({ keys: keys.map((key) => Object.fromEntries(Object.entries(key).filter(isPublic))) });
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.shouldKeepAlive = false;
    response.setHeader("content-type", "application/json").end(body);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
