import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";

/** One connection of a service through the proxy. */
export interface Connection {
  toServer(bytes: Uint8Array): void;
  toService(bytes: Uint8Array): void;
  /** Breaks the connection; what was sent to the server before still arrives. */
  cut(): void;
}

/** Reads what passes on one connection, and passes it on or not. */
export interface Wire {
  fromService(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
  /** The service has closed the connection. Answers whether the server's side is still needed: {@link Connection.cut} ends it. */
  serviceGone(): boolean;
}

/** A TCP proxy in front of one server, whose connections are read by a {@link Wire} each. */
export class WireProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    const address = server.address();
    this.port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
    this.#sockets = sockets;
  }

  static async to(targetPort: number, open: (connection: Connection) => Wire): Promise<WireProxy> {
    const sockets = new Set<Socket>();
    const server = createServer({ noDelay: true }, (service) => {
      const upstream = new Socket().setNoDelay(true).connect(targetPort, "127.0.0.1");
      for (const socket of [service, upstream])
        sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => {}));
      connect(service, upstream, open);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WireProxy(server, sockets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function connect(service: Socket, upstream: Socket, open: (connection: Connection) => Wire): void {
  const wire = open({
    toServer: (bytes) => void (upstream.writable && upstream.write(bytes)),
    toService: (bytes) => void (service.writable && service.write(bytes)),
    cut: () => {
      service.destroy();
      upstream.end();
    },
  });
  service.on("data", (bytes: Buffer) => wire.fromService(bytes));
  upstream.on("data", (bytes: Buffer) => wire.fromServer(bytes));
  upstream.on("close", () => service.destroy());
  service.on("close", () => {
    if (!wire.serviceGone()) upstream.end();
  });
}
