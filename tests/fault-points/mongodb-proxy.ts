import type { Fault, FaultPoints } from "./fault-points.ts";
import { CommandNames, readHeader, readRequest, splitMessages } from "./mongodb-command.ts";
import { type Connection, type Wire, WireProxy } from "./wire-proxy.ts";

/** After how long a call that hangs is delivered although its connection is still open, ms. */
const maxHangMs = 15_000;

/**
 * Stands between a service and mongod. Each call of the service passes the point `<service>: <name of the call>`.
 */
export async function startMongodbProxy(
  service: string,
  { port, points }: { port: number; points: FaultPoints },
): Promise<WireProxy & { uri: string }> {
  // Of the service and not of the connection: a transaction may change its connection.
  const names = new CommandNames();
  const pass = (command: object) => {
    const name = names.of(command);
    return name === undefined ? undefined : points.pass(`${service}: ${name}`);
  };
  const proxy = await WireProxy.to(port, (connection) => new MongodbWire(connection, pass));
  // Direct: a driver that looked for the members of the replica set would find the way around the proxy.
  return Object.assign(proxy, { uri: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` });
}

class MongodbWire implements Wire {
  readonly #connection: Connection;
  readonly #pass: (command: object) => Fault | undefined;
  #fromService: Buffer = Buffer.alloc(0);
  #fromServer: Buffer = Buffer.alloc(0);
  /** Calls whose answers are to be lost. */
  readonly #losing = new Set<number>();
  #hung: { fault: Fault; requestId: number; messages: Buffer[]; timer: NodeJS.Timeout } | undefined;

  constructor(connection: Connection, pass: (command: object) => Fault | undefined) {
    this.#connection = connection;
    this.#pass = pass;
  }

  fromService(bytes: Buffer): void {
    const { messages, rest } = splitMessages(Buffer.concat([this.#fromService, bytes]));
    this.#fromService = rest;
    for (const message of messages) this.#request(message);
  }

  #request(message: Buffer): void {
    if (this.#hung) {
      this.#hung.messages.push(message);
      return;
    }
    const { command, requestId } = readRequest(message);
    const fault = command && this.#pass(command);
    if (fault?.mode === "before") this.#connection.cut();
    else if (fault?.mode === "hang") this.#hang(fault, requestId, message);
    else {
      if (fault?.mode === "after") this.#losing.add(requestId);
      this.#connection.toServer(message);
    }
  }

  #hang(fault: Fault, requestId: number, message: Buffer): void {
    const timer = setTimeout(() => this.#deliver(), maxHangMs);
    this.#hung = { fault, requestId, messages: [message], timer };
  }

  #deliver(): void {
    for (const message of this.#hung?.messages.splice(0) ?? []) this.#connection.toServer(message);
  }

  fromServer(bytes: Buffer): void {
    const { messages, rest } = splitMessages(Buffer.concat([this.#fromServer, bytes]));
    this.#fromServer = rest;
    for (const message of messages) this.#answer(message);
  }

  #answer(message: Buffer): void {
    const { responseTo } = readHeader(message);
    if (this.#losing.has(responseTo)) this.#connection.cut();
    else if (this.#hung?.requestId === responseTo) this.#over();
    else this.#connection.toService(message);
  }

  #over(): void {
    clearTimeout(this.#hung?.timer);
    this.#hung?.fault.delivered();
    this.#connection.cut();
  }

  serviceGone(): boolean {
    this.#deliver();
    return this.#hung !== undefined;
  }
}
