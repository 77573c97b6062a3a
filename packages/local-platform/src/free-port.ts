import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

const host = "127.0.0.1";

/**
 * Below the range from which systems take the ports of outgoing connections (32768 on Linux, 49152 on macOS): one of
 * those could occupy a port between our choosing it and a process of ours listening there.
 */
const lowest = 10_240;
const highest = 32_767;
const attempts = 200;

/** Listens on the port, so that nobody else does; undefined when somebody does. */
export function holdPort(port: number): Promise<Server | undefined> {
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

async function holdAny(): Promise<Server | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const server = await holdPort(randomInt(lowest, highest + 1));
    if (server) return server;
  }
  return undefined;
}

/** For each preferred port (0: any), that port when nobody listens on it, else any that is free. */
export async function freePorts(preferred: readonly number[]): Promise<number[]> {
  // All are held until the last is found, so that none comes up twice.
  const held: Server[] = [];
  const ports: number[] = [];
  for (const wanted of preferred) {
    const server = (wanted > 0 ? await holdPort(wanted) : undefined) ?? (await holdAny());
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
