import { setTimeout } from "node:timers/promises";
import type { ReportRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { Code, ConnectError } from "@connectrpc/connect";
import { AttemptPauses } from "../link/attempt-pauses.ts";
import { type PlatformLink, reasonOf } from "../link/platform-link.ts";
import { digestsOf, type MediaFiles } from "../media/media-files.ts";
import { type PublishedArtifact, RefusedError } from "../workload.ts";
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
  files: MediaFiles;
  /** Stores a file in the platform. A RefusedError means that it will never take it. Undefined: there is nowhere to store files. */
  store: ((artifact: PublishedArtifact, signal: AbortSignal) => Promise<PublishedArtifact>) | undefined;
}

/** Sends batches in order for as long as the platform can be reached, and forgets those that are durable there. */
export class ReportSender {
  readonly #options: SenderOptions;
  /** Counters of batches on their way, oldest first. */
  #unanswered: number[] = [];
  /** 1 after a refusal: with one batch on its way it is known which one is refused. */
  #maxUnconfirmed = maxUnconfirmed;
  /** Files that batches name, by their counters, until these are durable. */
  readonly #files = new Map<number, string[]>();
  /** The batch whose media were refused: points must not be lost because something beside them is not taken. */
  #withoutMedia = 0;

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
    this.#unanswered = this.#unanswered.filter((sent) => sent > counter);
    this.#options.spool.confirm(counter);
    for (const [of, digests] of this.#files) {
      if (of > counter) continue;
      this.#options.files.remove(digests);
      this.#files.delete(of);
    }
    this.#options.reporter.cutBatches.notify();
  }

  /** Resolves when everything is durable there, or after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    const { reporter, spool, link } = this.#options;
    reporter.cut();
    const end = performance.now() + withinMs;
    while (link.connected && spool.unconfirmed > 0 && performance.now() < end) await setTimeout(20);
  }

  async #stream(pauses: AttemptPauses): Promise<void> {
    const { link } = this.#options;
    const end = new AbortController();
    const signal = AbortSignal.any([link.closed, end.signal]);
    this.#unanswered = [];
    try {
      for await (const { durableCounter } of link.client.report(this.#batches(signal), link.callOptions(signal))) {
        pauses.reset();
        this.confirm(durableCounter);
      }
    } catch (error) {
      this.#take(ConnectError.from(error));
    } finally {
      end.abort();
    }
  }

  #take(failure: ConnectError): void {
    const reason = reasonOf(failure);
    if (reason === "ATTACHMENT_LOST") this.#options.link.detach();
    if (failure.code === Code.InvalidArgument || reason === "REPORT_OUT_OF_ORDER") this.#giveUpBad(failure);
  }

  /** A batch that the platform will never take must not stand in the way of the others. */
  #giveUpBad({ message }: ConnectError): void {
    const [refused, ...others] = this.#unanswered;
    this.#maxUnconfirmed = others.length === 0 ? maxUnconfirmed : 1;
    if (refused === undefined || others.length > 0) return;
    if (this.#files.has(refused) && this.#withoutMedia !== refused) {
      this.#options.reporter.log(`the platform refused media of report ${refused}: ${message}`);
      this.#withoutMedia = refused;
      return;
    }
    this.#options.reporter.log(`the platform refused report ${refused}: ${message}`);
    this.confirm(refused);
  }

  async #storeFiles(media: ReportRequest["media"], signal: AbortSignal): Promise<void> {
    const { files, store, reporter } = this.#options;
    for (const file of store ? files.waiting(media) : []) {
      try {
        await store?.(file, signal);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        reporter.log(`a file of media is not shown: ${error.message}`);
      }
    }
  }

  async *#batches(signal: AbortSignal): AsyncGenerator<ReportRequest> {
    const { spool, reporter, link } = this.#options;
    let sent = 0;
    while (!signal.aborted && link.connected) {
      const mayGo = spool.unconfirmed > 0 && this.#unanswered.length < this.#maxUnconfirmed;
      const batch = mayGo ? spool.offer(sent) : undefined;
      if (batch) {
        sent = batch.counter;
        const media = sent === this.#withoutMedia ? [] : batch.media;
        if (media.length > 0) this.#files.set(sent, digestsOf(media));
        // Before the report: when that is durable, its files are there.
        await this.#storeFiles(media, signal);
        this.#unanswered.push(sent);
        yield { ...batch, media };
      } else await reporter.cutBatches.wait(flushMs);
    }
  }
}
