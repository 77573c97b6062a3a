import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A door in front of an API server, which can be shut: connections break, and new ones are refused. */
export class ApiServerDoor {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((inside) => this.#pass(inside));
  }

  static async open(target: string): Promise<ApiServerDoor> {
    const door = new ApiServerDoor(new URL(target));
    await door.reopen();
    return door;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Lets callers through again, at the same address. */
  async reopen(): Promise<void> {
    this.#server = createServer((inside) => this.#pass(inside));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address: AddressInfo | string | null = this.#server.address();
    if (typeof address === "object" && address) this.#port = address.port;
  }

  /** As if the API server had been killed. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #pass(caller: Socket): void {
    const server = connect(Number(this.#target.port || 443), this.#target.hostname);
    for (const [socket, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
