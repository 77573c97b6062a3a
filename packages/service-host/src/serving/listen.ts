import { once } from "node:events";
import type { Server } from "node:http";

/** Starts listening and answers the port that was taken. @throws the listen error, e.g. EADDRINUSE. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
