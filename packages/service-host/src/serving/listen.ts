import { once } from "node:events";
import type { Server } from "node:http";

/**
 * Connections that wait to be accepted, at most; the system may have a lower bound (`net.core.somaxconn`, 4,096 on Linux). Node's
 * own 511 is full within a second of a busy loop, and then clients that connect hear nothing instead of a refusal.
 */
const backlog = 4_096;

/** Starts listening and answers the port that was taken. @throws the listen error, e.g. EADDRINUSE. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  server.listen({ port, host, backlog });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
