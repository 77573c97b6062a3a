import { setTimeout } from "node:timers/promises";
import type { ReportRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { Code, ConnectError } from "@connectrpc/connect";
import { AttemptPauses } from "../link/attempt-pauses.ts";
import type { PlatformLink } from "../link/platform-link.ts";
import type { ReportSpool } from "./report-spool.ts";
import type { Reporter } from "./reporter.ts";

/** How long points wait for others to travel with. */
const flushMs = 400;
/** Batches on their way at a time. */
const maxUnconfirmed = 16;

interface SenderOptions {
  link: PlatformLink;
  spool: ReportSpool;
  reporter: Reporter;
}

/** Sends batches in order for as long as the platform can be reached, and forgets those that are durable there. */
export class ReportSender {
  readonly #options: SenderOptions;
  #sent = 0;
  #durable = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends until the link is closed. */
  async run(): Promise<void> {
    const { link, reporter } = this.#options;
    const pauses = new AttemptPauses();
    const flush = setInterval(() => link.connected && reporter.cut(), flushMs);
    while (!link.closed.aborted) {
      if (link.connected) await this.#stream(pauses);
      await pauses.pause(link.closed);
    }
    clearInterval(flush);
  }

  /** Everything up to this counter is durable. */
  confirm(counter: number): void {
    this.#durable = Math.max(this.#durable, counter);
    this.#options.spool.confirm(counter);
    this.#options.reporter.cutBatches.notify();
  }

  /** Resolves when everything is durable there, or after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    const { reporter, spool, link } = this.#options;
    reporter.cut();
    const end = Date.now() + withinMs;
    while (link.connected && spool.unconfirmed > 0 && Date.now() < end) await setTimeout(20);
  }

  async #stream(pauses: AttemptPauses): Promise<void> {
    const { link } = this.#options;
    const end = new AbortController();
    const signal = AbortSignal.any([link.closed, end.signal]);
    this.#sent = 0;
    try {
      for await (const { durableCounter } of link.client.report(this.#batches(signal), link.callOptions(signal))) {
        pauses.reset();
        this.confirm(durableCounter);
      }
    } catch (error) {
      this.#giveUpBad(ConnectError.from(error));
    } finally {
      end.abort();
    }
  }

  /** A batch that the platform will never take must not stand in the way of the others. */
  #giveUpBad({ code, message }: ConnectError): void {
    if (code !== Code.InvalidArgument || this.#sent === 0) return;
    this.confirm(this.#sent);
    this.#options.reporter.log(`the platform refused reports up to ${this.#sent}: ${message}`);
  }

  async *#batches(signal: AbortSignal): AsyncGenerator<ReportRequest> {
    const { spool, reporter, link } = this.#options;
    while (!signal.aborted && link.connected) {
      const batch = spool.unconfirmed > 0 && this.#inFlight() < maxUnconfirmed ? spool.offer(this.#sent) : undefined;
      if (batch) {
        this.#sent = batch.counter;
        yield batch;
      } else await reporter.cutBatches.wait(flushMs);
    }
  }

  #inFlight(): number {
    return Math.max(0, this.#sent - this.#durable);
  }
}
