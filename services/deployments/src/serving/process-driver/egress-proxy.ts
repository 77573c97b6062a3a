import { lookup as lookupAddresses } from "node:dns";
import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { isIP, type LookupFunction, Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { AddressGuard } from "@aiplatform/guarded-fetch/address-guard";
import { AddressRefusedError } from "@aiplatform/guarded-fetch/errors";
import { guardedLookup } from "@aiplatform/guarded-fetch/guarded-lookup";

export interface EgressProxyOptions {
  /** Where it listens: a socket file, or any port of 127.0.0.1. */
  at: { path: string } | { host: "127.0.0.1"; port: 0 };
  /** Networks (CIDR) that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  /** Resolves names. Default: the system's resolver. */
  lookup?: LookupFunction;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

const maxConnections = 256;
const connectTimeoutMs = 10_000;
/** A tunnel without a byte for so long is closed, ms. */
const idleMs = 300_000;
const defaultPort = 80;
/** Of the connection to the proxy, not of the request. */
const hopByHop = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade"];

/**
 * A proxy for HTTP that reaches public addresses and the allowed networks. A name is resolved here, once, and the connection goes to
 * the very addresses that were checked.
 */
export class EgressProxy implements AsyncDisposable {
  readonly #guard: AddressGuard;
  readonly #lookup: LookupFunction;
  readonly #server: Server;
  /** Both ends of each tunnel: the server no longer knows of them. */
  readonly #tunnels = new Set<Duplex>();

  private constructor({ allowedNetworks, lookup = lookupAddresses }: EgressProxyOptions) {
    this.#guard = new AddressGuard(allowedNetworks);
    this.#lookup = guardedLookup(lookup, (address) => this.#guard.mayReach(address));
    this.#server = createServer((request, response) => this.#forward(request, response));
    this.#server.maxConnections = maxConnections;
    this.#server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) =>
      this.#tunnel(request.url ?? "", client, head),
    );
    this.#server.on("clientError", (_, client) => client.destroy());
  }

  /** @throws the listen error */
  static async start(options: EgressProxyOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    // The instance may be another user; the directory keeps others from the file.
    proxy.#server.listen({ ...options.at, readableAll: true, writableAll: true });
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** 0 where it listens on a socket file. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    for (const end of this.#tunnels) end.destroy();
    await closed;
  }

  #tunnel(authority: string, client: Socket, head: Buffer): void {
    client.on("error", () => {});
    const target = readTarget(`http://${authority}`);
    if (!target) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    const remote = this.#connect(target);
    const refuse = (error: Error) => {
      const { status, message } = failureOf(error);
      client.end(`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    };
    remote.once("error", refuse);
    remote.once("connect", () => {
      remote.off("error", refuse);
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      remote.write(head);
      for (const end of [client, remote]) {
        this.#tunnels.add(end);
        end.setTimeout(idleMs, () => end.destroy());
        end.once("close", () => this.#tunnels.delete(end));
      }
      pipeline(client, remote, client, () => {});
    });
  }

  /** A request in the clear, which names its whole address. */
  #forward(request: IncomingMessage, response: ServerResponse): void {
    const target = readTarget(request.url ?? "");
    if (!target) return void response.writeHead(400).end();
    const { pathname, search, host } = new URL(request.url ?? "");
    const named = Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name));
    const sent = httpRequest({
      method: request.method,
      path: `${pathname}${search}`,
      headers: { ...Object.fromEntries(named), host },
      createConnection: () => this.#connect(target),
    });
    sent.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => {});
    });
    sent.on("error", (error) => {
      const { status, message } = failureOf(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(Number.parseInt(status, 10)).end(message);
    });
    response.once("close", () => sent.destroy());
    pipeline(request, sent, () => {});
  }

  /** Nothing is looked up for a host that is an address already. */
  #connect({ host, port }: Target): Socket {
    const remote = new Socket();
    if (isIP(host) !== 0 && !this.#guard.mayReach(host)) {
      return remote.destroy(new AddressRefusedError(host, "is not an address that may be reached"));
    }
    remote.connect({ host, port, lookup: this.#lookup }).setTimeout(connectTimeoutMs);
    remote.once("timeout", () => remote.destroy(new Error("no connection in time")));
    remote.once("connect", () => remote.setTimeout(0).removeAllListeners("timeout"));
    return remote;
  }
}

function readTarget(text: string): Target | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  if (protocol !== "http:" || hostname === "") return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? defaultPort : Number(port) };
}

function failureOf(error: Error): { status: string; message: string } {
  return error instanceof AddressRefusedError
    ? { status: "403 Forbidden", message: "This address is not one that handlers may reach: public addresses only." }
    : { status: "502 Bad Gateway", message: "The server could not be reached." };
}
