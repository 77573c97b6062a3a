import type { Fault, FaultPoints } from "./fault-points.ts";
import { type NatsFrame, splitFrames } from "./nats-frame.ts";
import { type Connection, type Wire, WireProxy } from "./wire-proxy.ts";

/** After how long a publication that hangs is delivered, ms: longer than its publisher waits for the acknowledgement. */
const hangMs = 6_000;

/** Stands between a service and nats-server. Each publication passes the point `<service>: publish <what>`. */
export async function startNatsProxy(
  service: string,
  { port, points }: { port: number; points: FaultPoints },
): Promise<WireProxy & { url: string }> {
  const pass = (frame: NatsFrame) => {
    const what = publicationOf(frame);
    return what === undefined ? undefined : points.pass(`${service}: ${what}`);
  };
  const proxy = await WireProxy.to(port, (connection) => new NatsWire(connection, pass));
  return Object.assign(proxy, { url: `nats://127.0.0.1:${proxy.port}` });
}

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Undefined for what a client of NATS sends to manage its connection, streams and consumers, or as an answer. */
function publicationOf({ verb, subject = "", payload }: NatsFrame): string | undefined {
  if (verb !== "PUB" && verb !== "HPUB") return undefined;
  if (subject.startsWith("$JS.ACK.")) {
    const [, , , consumer = ""] = subject.split(".");
    return `${payload?.toString("latin1").split(" ")[0] || "+ACK"} ${consumer}`;
  }
  if (subject.startsWith("$") || subject.startsWith("_INBOX.")) return undefined;
  // An event's subject ends with the organisation and the entity, behind its version.
  return `publish ${subject.replace(/(\.v\d+)\..*$/, "$1").replace(id, "*")}`;
}

class NatsWire implements Wire {
  readonly #connection: Connection;
  readonly #pass: (frame: NatsFrame) => Fault | undefined;
  #fromService: Buffer = Buffer.alloc(0);
  #fromServer: Buffer = Buffer.alloc(0);
  /** Inboxes at which an acknowledgement is awaited that is to be lost. */
  readonly #losing = new Set<string>();
  #isCut = false;

  constructor(connection: Connection, pass: (frame: NatsFrame) => Fault | undefined) {
    this.#connection = connection;
    this.#pass = pass;
  }

  fromService(bytes: Buffer): void {
    const { frames, rest } = splitFrames(Buffer.concat([this.#fromService, bytes]));
    this.#fromService = rest;
    for (const frame of frames) if (!this.#isCut) this.#sent(frame);
  }

  #sent(frame: NatsFrame): void {
    const fault = this.#pass(frame);
    if (fault?.mode === "before") this.#cut();
    else if (fault?.mode === "hang") this.#hang(fault, frame);
    else {
      this.#connection.toServer(frame.bytes);
      if (fault?.mode === "after") this.#loseAnswer(frame);
    }
  }

  #loseAnswer({ reply }: NatsFrame): void {
    if (reply === undefined) this.#cut();
    else this.#losing.add(reply);
  }

  #hang(fault: Fault, frame: NatsFrame): void {
    setTimeout(() => {
      this.#connection.toServer(frame.bytes);
      fault.delivered();
    }, hangMs);
  }

  fromServer(bytes: Buffer): void {
    const { frames, rest } = splitFrames(Buffer.concat([this.#fromServer, bytes]));
    this.#fromServer = rest;
    for (const frame of frames) {
      if (frame.subject !== undefined && this.#losing.has(frame.subject)) this.#cut();
      if (!this.#isCut) this.#connection.toService(frame.bytes);
    }
  }

  #cut(): void {
    this.#isCut = true;
    this.#connection.cut();
  }

  serviceGone(): boolean {
    return false;
  }
}
