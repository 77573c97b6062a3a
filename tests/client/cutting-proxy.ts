import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";

/** A way to the platform that breaks: connections are cut when the answer has begun to arrive, as often as it is told to. */
export class CuttingProxy implements AsyncDisposable {
  readonly url: string;
  /** Answers that are still to be cut. */
  cuts = 0;
  /** Connections that were cut. */
  cut = 0;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>, port: number) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async to(target: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    let proxy: CuttingProxy | undefined;
    const server = createServer((client) => {
      const upstream = new Socket().connect(Number(port), hostname);
      for (const socket of [client, upstream])
        sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => {}));
      client.pipe(upstream);
      upstream.on("data", (bytes) => {
        if (proxy && proxy.cuts > 0) {
          proxy.cuts -= 1;
          proxy.cut += 1;
          client.destroy();
          upstream.destroy();
        } else client.write(bytes);
      });
      upstream.on("end", () => client.end());
      client.on("close", () => upstream.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    proxy = new CuttingProxy(server, sockets, typeof address === "object" && address ? address.port : 0);
    return proxy;
  }

  /** Cuts every connection there is. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.breakAll();
    this.#server.close();
    await once(this.#server, "close");
  }
}
