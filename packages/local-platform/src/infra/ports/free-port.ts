import { createServer, type Server } from "node:net";
import { claimPortBlock, type PortBlock } from "./port-block.ts";

const host = "127.0.0.1";

/** Listens on the port, so that no other process can; undefined when one already does. */
export function holdPort(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error(`no free port on ${host}`);
  return address.port;
}

let block: PortBlock | undefined;

function nextPort(): number {
  block ??= claimPortBlock();
  const port = block.next();
  if (port !== undefined) return port;
  block = undefined;
  return nextPort();
}

async function holdAny(): Promise<Server> {
  for (;;) {
    const server = await holdPort(nextPort());
    if (server) return server;
  }
}

/** For each preferred port (0: any), that port when it is free, else any free port. */
export async function freePorts(preferred: readonly number[]): Promise<number[]> {
  // All are held until the last is found, so that none comes up twice.
  const held: Server[] = [];
  const ports: number[] = [];
  for (const wanted of preferred) {
    const server = (wanted > 0 ? await holdPort(wanted) : undefined) ?? (await holdAny());
    ports.push(portOf(server));
    held.push(server);
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** One such port of 127.0.0.1. */
export async function freePort(preferred = 0): Promise<number> {
  const [port = 0] = await freePorts([preferred]);
  return port;
}
