import { createServer } from "node:net";

function listensOn(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === "object" && address ? address.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}

/** A port of 127.0.0.1 that nobody listens on: `preferred` when it is free, else one that the system chooses. */
export async function freePort(preferred = 0): Promise<number> {
  const port = (await listensOn(preferred)) ?? (await listensOn(0));
  if (port === undefined) throw new Error("no free port on 127.0.0.1");
  return port;
}
