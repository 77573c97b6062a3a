import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A real server on a free port of this machine. */
export interface TestServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
}

export async function listen(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
