import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";

/** A server on loopback that counts who comes. */
export interface ListeningServer extends AsyncDisposable {
  port: number;
  /** Connections so far, whatever came over them. */
  connections(): number;
}

/** Serves HTTP on loopback; port 0 takes any. */
export async function listenHttp(listener: RequestListener, host = "127.0.0.1"): Promise<ListeningServer> {
  const server = createServer(listener);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Takes connections on loopback and gives each to `onConnection`. */
export async function listenTcp(onConnection: (socket: Socket) => void): Promise<ListeningServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("no port is listened on");
  return address.port;
}
