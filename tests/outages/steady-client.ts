import { setTimeout as delay } from "node:timers/promises";
import { until } from "../mesh/rest.ts";
import type { OperationNumber } from "./outage-table.ts";
import { type Ending, type Operation, type Send, succeeded } from "./twelve-operations.ts";

/** One use of an operation, as its client saw it. */
export interface Sample {
  readonly operation: OperationNumber;
  /** By `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  readonly ending: Ending;
}

/** An answer that takes longer hangs: a transaction is given up after ten seconds. */
const timeoutMs = 15_000;

/** Sends over HTTP with the organisation's credential. What is not answered in time has no status. */
export function senderTo(gateway: string, bearer: string): Send {
  return async (method, path, body) => {
    try {
      const response = await fetch(gateway + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const parsed = text === "" ? undefined : JSON.parse(text);
      const retryAfter = response.headers.get("retry-after") ?? undefined;
      return { status: response.status, code: parsed?.code, retryAfter, body: parsed, text };
    } catch (error) {
      return { status: undefined, code: undefined, retryAfter: undefined, body: undefined, text: String(error) };
    }
  };
}

/** Uses each operation at its own pace, whatever became of the uses before. */
export class SteadyClient implements AsyncDisposable {
  readonly samples: Sample[] = [];
  /** Ids of uses that were answered, by operation. */
  readonly answered = new Map<OperationNumber, string[]>();
  readonly #operations: Readonly<Record<OperationNumber, Operation>>;
  readonly #send: Send;
  readonly #stopping = new AbortController();
  readonly #paces: Promise<void>[];
  readonly #underWay = new Set<Promise<void>>();

  constructor(operations: Readonly<Record<OperationNumber, Operation>>, send: Send) {
    this.#operations = operations;
    this.#send = send;
    this.#paces = this.numbers.map((number) => this.#keepPace(number));
  }

  get numbers(): OperationNumber[] {
    return Object.keys(this.#operations).map((number) => Number(number) as OperationNumber);
  }

  since(at: number): Sample[] {
    return this.samples.filter((sample) => sample.at >= at);
  }

  /** Resolves when every operation was answered once since then. */
  async allAnswered(since: number): Promise<void> {
    const isAnswered = (number: OperationNumber) =>
      this.since(since).some(({ operation, ending }) => operation === number && succeeded(ending));
    const missing = async () => this.numbers.filter((number) => !isAnswered(number));
    await until("every operation to be answered", 60, missing, ({ length }) => length === 0);
  }

  /** Resolves when the last use has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#paces);
    await Promise.all(this.#underWay);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #keepPace(number: OperationNumber): Promise<void> {
    const { everyMs } = this.#operations[number];
    const { signal } = this.#stopping;
    // Not all in the same instant.
    let wait = (everyMs * number) / 12;
    while (await delay(wait, true, { signal }).catch(() => false)) {
      const use = this.#use(number).finally(() => this.#underWay.delete(use));
      this.#underWay.add(use);
      wait = everyMs;
    }
  }

  async #use(number: OperationNumber): Promise<void> {
    const at = performance.now();
    const { ending, id } = await this.#operations[number].use(this.#send);
    this.samples.push({ operation: number, at, ms: performance.now() - at, ending });
    if (succeeded(ending)) this.answered.set(number, [...(this.answered.get(number) ?? []), id]);
  }
}
