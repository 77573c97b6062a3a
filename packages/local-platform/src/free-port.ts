import { createServer, type Server } from "node:net";

const host = "127.0.0.1";

function hold(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  if (typeof address !== "object" || !address) throw new Error(`no free port on ${host}`);
  return address.port;
}

/** For each preferred port (0: any), that port when nobody listens on it, else one that the system chooses. */
export async function freePorts(preferred: readonly number[]): Promise<number[]> {
  // All are held until the last is found, so that none comes up twice.
  const held: Server[] = [];
  const ports: number[] = [];
  for (const wanted of preferred) {
    const server = (await hold(wanted)) ?? (await hold(0));
    ports.push(portOf(server));
    if (server) held.push(server);
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** One such port of 127.0.0.1. */
export async function freePort(preferred = 0): Promise<number> {
  const [port = 0] = await freePorts([preferred]);
  return port;
}
