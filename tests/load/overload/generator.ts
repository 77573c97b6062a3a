import { randomUUID } from "node:crypto";
import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RawConnection } from "./raw-connection.ts";

/** Requests of one credential. */
export interface Load {
  readonly name: string;
  readonly bearer: string;
  /** How many there are, whatever becomes of them. */
  readonly perSecond?: number;
  /** How many callers ask one request after the other instead. */
  readonly callers?: number;
  /** Taken in turns. `$KEY` in a body becomes a key of its own for each. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: string }[];
}

/** What the generator is to do. */
export interface Plan {
  readonly url: string;
  readonly seconds: number;
  readonly loads: readonly Load[];
}

/** One request: when it was due in the plan, how long after that its answer was there, and what it was. All in milliseconds. */
export interface Outcome {
  readonly load: string;
  readonly dueMs: number;
  readonly ms: number;
  /** How late the generator itself sent it: part of `ms`. */
  readonly lateMs: number;
  /** 0 where there was none. */
  readonly status: number;
  /** Why there was none. */
  readonly error?: string;
  /** False where it was not sent: the platform takes no more, however it answers. */
  readonly isSent?: boolean;
  /** Whether it said when to come again. */
  readonly saysWhen?: boolean;
}

/** A line of what the generator tells: requests that have ended, and at last the processor seconds that it took. */
export interface Told {
  readonly outcomes?: readonly Outcome[];
  readonly cpuSeconds?: number;
}

/** Longer than the gateway gives any call. */
const giveUpMs = 60_000;
const tickMs = 2;
const toldAtOnce = 5_000;
/**
 * Connections of each load, opened before anything is measured, as a load balancer keeps them. Node accepts one new connection in each
 * turn of its event loop, so that opening them under overload would be measured instead. A load that has few requests needs few.
 */
const maxConnections = 1_024;
const minConnections = 16;

/** As many requests wait for a connection as there are connections already. */
class NoConnectionError extends Error {}

/** Connections that are kept; a request that finds none free waits for one, as behind a load balancer, whose queue is bounded too. */
class Pool {
  readonly #open: () => RawConnection;
  readonly #maxWaiting: number;
  readonly #free: RawConnection[];
  readonly #waiting: ((connection: RawConnection) => void)[] = [];

  constructor({ hostname, port }: URL, connections: number) {
    this.#open = () => new RawConnection(Number(port), hostname);
    this.#maxWaiting = connections;
    this.#free = Array.from({ length: connections }, this.#open);
  }

  /** Opens all of them. */
  async open(): Promise<void> {
    const nothing = "GET /nothing-is-here HTTP/1.1\r\nhost: gateway\r\n\r\n";
    for (const connection of this.#free) await connection.send(nothing);
  }

  async send(text: string): Promise<{ status: number; saysWhen: boolean }> {
    const connection = await this.#take();
    const timer = setTimeout(() => connection.close(), giveUpMs);
    try {
      return await connection.send(text);
    } finally {
      clearTimeout(timer);
      const next = connection.isOpen ? connection : this.#open();
      const waiting = this.#waiting.shift();
      if (waiting) waiting(next);
      else this.#free.push(next);
    }
  }

  close(): void {
    for (const connection of this.#free) connection.close();
  }

  async #take(): Promise<RawConnection> {
    const free = this.#free.pop();
    if (free) return free.isOpen ? free : this.#open();
    if (this.#waiting.length >= this.#maxWaiting) throw new NoConnectionError();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Sends what is asked for, and tells what became of each request. */
class Generator {
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #seconds: number;
  readonly #report: (outcomes: readonly Outcome[]) => void;
  readonly #underWay = new Set<Promise<void>>();
  #ended: Outcome[] = [];
  readonly #startedAt = performance.now();

  /** `report` hears of every request once it has ended, of some thousand at a time. */
  constructor(pools: ReadonlyMap<string, Pool>, seconds: number, report: (outcomes: readonly Outcome[]) => void) {
    this.#pools = pools;
    this.#seconds = seconds;
    this.#report = report;
  }

  /**
   * Sends each request when it is due, not when an earlier one was answered, and counts its time from then: a server that stands
   * still is seen by every request that it made wait.
   */
  async atRates(loads: readonly (Load & { readonly perSecond: number })[]): Promise<void> {
    const sent = loads.map(() => 0);
    for (let nowMs = 0; nowMs < this.#seconds * 1_000; nowMs = performance.now() - this.#startedAt) {
      for (const [position, load] of loads.entries()) {
        const all = Math.floor(load.perSecond * this.#seconds);
        for (let index = sent[position] ?? 0; index < all; index += 1) {
          const dueMs = (index / load.perSecond) * 1_000;
          if (dueMs > nowMs) break;
          sent[position] = index + 1;
          this.#begin(load, index, dueMs);
        }
      }
      await delay(tickMs);
    }
  }

  /** Has callers ask one request after the other. */
  async inTurn(load: Load, callers: number): Promise<void> {
    let next = 0;
    const caller = async () => {
      for (let nowMs = 0; nowMs < this.#seconds * 1_000; nowMs = performance.now() - this.#startedAt) {
        await this.#begin(load, next++, performance.now() - this.#startedAt);
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
  }

  /** Resolves when every request has ended and was told of. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#report(this.#ended);
  }

  #begin(load: Load, index: number, dueMs: number): Promise<void> {
    const ended = this.#send(load, index, dueMs).then((outcome) => {
      this.#underWay.delete(ended);
      this.#ended.push(outcome);
      if (this.#ended.length < toldAtOnce) return;
      this.#report(this.#ended);
      this.#ended = [];
    });
    this.#underWay.add(ended);
    return ended;
  }

  #poolOf({ name }: Load): Pool {
    const pool = this.#pools.get(name);
    if (!pool) throw new Error(`no connections were opened for ${name}`);
    return pool;
  }

  async #send(load: Load, index: number, dueMs: number): Promise<Outcome> {
    const since = () => performance.now() - this.#startedAt - dueMs;
    const lateMs = since();
    try {
      const answer = await this.#poolOf(load).send(textOf(load, index));
      return { load: load.name, dueMs, lateMs, ms: since(), ...answer };
    } catch (error) {
      const isSent = !(error instanceof NoConnectionError);
      return { load: load.name, dueMs, lateMs, ms: since(), status: 0, error: String(error), isSent };
    }
  }
}

function textOf({ bearer, requests }: Load, index: number): string {
  const { method, path, body } = requests[index % requests.length] ?? { method: "GET", path: "/" };
  const head = `${method} ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${bearer}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = body.replace("$KEY", randomUUID());
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function connectionsOf({ callers, perSecond = 0 }: Load): number {
  return callers ?? Math.min(maxConnections, Math.max(minConnections, Math.ceil(perSecond)));
}

/** Answers the processor seconds that it took. */
async function generate(
  { url, seconds, loads }: Plan,
  report: (outcomes: readonly Outcome[]) => void,
): Promise<number> {
  const pools = new Map(loads.map((load) => [load.name, new Pool(new URL(url), connectionsOf(load))]));
  for (const pool of pools.values()) await pool.open();
  const before = process.cpuUsage();
  const generator = new Generator(pools, seconds, report);
  const atRates = loads.flatMap((load) =>
    load.perSecond === undefined ? [] : [{ ...load, perSecond: load.perSecond }],
  );
  const inTurn = loads.flatMap((load) => (load.callers === undefined ? [] : [generator.inTurn(load, load.callers)]));
  await Promise.all([generator.atRates(atRates), ...inTurn]);
  await generator.end();
  const { user, system } = process.cpuUsage(before);
  for (const pool of pools.values()) pool.close();
  return (user + system) / 1e6;
}

/** One line of JSON: millions of requests fit into no single text. */
function write(told: Told): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

/** Waiting for a processor here would be taken for slowness of the platform. Not every user may raise the priority. */
function preferOwnProcess(): void {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Then the figures show how late requests were sent.
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  preferOwnProcess();
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const plan = JSON.parse(Buffer.concat(chunks).toString());
  write({ cpuSeconds: await generate(plan, (outcomes) => write({ outcomes })) });
}
