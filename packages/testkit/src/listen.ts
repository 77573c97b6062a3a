import { once } from "node:events";
import type { Server } from "node:net";

/** Has a server listen on loopback, and answers its port. Default: any free one. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
