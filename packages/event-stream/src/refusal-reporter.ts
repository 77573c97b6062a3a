import { randomUUIDv7 } from "node:crypto";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import type { Logger, OutboxRecord } from "@aiplatform/document-store";
import { createInstruments } from "@aiplatform/telemetry";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Meter } from "@opentelemetry/api";
import { streamMetrics } from "./event-metrics.ts";
import { eventRecord } from "./event-record.ts";
import type { EventStream } from "./event-stream.ts";
import { RefusalWindows } from "./refusal-windows.ts";

export interface RefusalReporterOptions {
  logger: Logger;
  /** Counts what was reported and what was dropped. */
  meter?: Meter;
  /** Refusals kept while they cannot be published; more are dropped. Default 20 000, some 10 MiB. */
  maxWaiting?: number;
  /** Refusals that are alike are announced together after this time, ms. Default 10 000; the first one at once. */
  windowMs?: number;
  /** Different refusals of one organisation that are told apart within that time. Default 200. */
  maxKinds?: number;
}

/** Announces refused calls without keeping their callers waiting. */
export interface RefusalReporter extends AsyncDisposable {
  /** Takes the refusal over: never throws, never waits. */
  report(refused: CallRefused): void;
  /** Publishes what is left, for up to two seconds. */
  close(): Promise<void>;
}

/** Stands in a subject for the organisation of a caller of whom none is known. */
const installationToken = "installation";

const batchSize = 256;
const restMs = 20;
const publishing: Backoff = { minMs: 400, maxMs: 5_000 };
const closingMs = 2_000;
const closingPauseMs = 200;
const dropReportMs = 60_000;
const lookAtWindowsMs = 500;

/** What waits to be published. */
interface Waiting {
  record: OutboxRecord;
  /** How many refusals it tells of. */
  refusals: number;
}

/**
 * Publishes refused calls as events, in batches, from a bounded buffer; those that are alike are counted and announced together. Kept in memory alone: a caller must not be able to
 * make the database write by being refused. What NATS being away outlasts, or a process takes along when it is killed, is
 * lost; what is dropped is counted, and told in the log once a minute.
 */
export function createRefusalReporter(stream: EventStream, options: RefusalReporterOptions): RefusalReporter {
  const reporter = new BufferedReporter(stream, options);
  const close = () => reporter.close();
  return { report: (refused) => reporter.report(refused), close, [Symbol.asyncDispose]: close };
}

class BufferedReporter {
  readonly #stream: EventStream;
  readonly #logger: Logger;
  readonly #maxWaiting: number;
  readonly #count: (outcome: "reported" | "dropped", by: number) => void;
  readonly #readiness: { close(): void };
  readonly #windows: RefusalWindows;
  #windowTimer: NodeJS.Timeout | undefined;
  readonly #lookEveryMs: number;
  #isClosed = false;
  #waiting: Waiting[] = [];
  #dropped = 0;
  #droppedReportedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> | undefined;

  constructor(stream: EventStream, { logger, meter, maxWaiting = 20_000, ...options }: RefusalReporterOptions) {
    this.#stream = stream;
    this.#logger = logger;
    this.#maxWaiting = maxWaiting;
    const { audit_refusals_total } = createInstruments(meter, {
      audit_refusals_total: streamMetrics.audit_refusals_total,
    });
    this.#count = (outcome, by) => audit_refusals_total.add(by, { outcome });
    this.#readiness = stream.onReady(() => this.#publishIn(0));
    const { windowMs = 10_000, maxKinds = 200 } = options;
    this.#windows = new RefusalWindows({ windowMs, maxKinds });
    this.#lookEveryMs = Math.min(windowMs, lookAtWindowsMs);
  }

  report(refused: CallRefused): void {
    const now = this.#windows.take(refused, performance.now());
    if (!this.#isClosed) this.#windowTimer ??= setInterval(() => this.#lookAtWindows(), this.#lookEveryMs).unref();
    if (now) this.#enqueue([now]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#readiness.close();
    clearInterval(this.#windowTimer);
    this.#enqueue(this.#windows.due(Number.POSITIVE_INFINITY));
    const deadline = performance.now() + closingMs;
    for (;;) {
      clearTimeout(this.#timer);
      await this.#publish();
      if (this.#waiting.length === 0 || performance.now() >= deadline) break;
      await new Promise((resolve) => setTimeout(resolve, closingPauseMs));
    }
    clearTimeout(this.#timer);
    this.#drop(sumOf(this.#waiting.splice(0)));
    this.#reportDropped();
  }

  /** Until none is open. */
  #lookAtWindows(): void {
    this.#enqueue(this.#windows.due(performance.now()));
    if (!this.#windows.isEmpty) return;
    clearInterval(this.#windowTimer);
    this.#windowTimer = undefined;
  }

  #enqueue(refusals: readonly CallRefused[]): void {
    for (const refused of refusals) {
      if (this.#waiting.length < this.#maxWaiting)
        this.#waiting.push({ record: refusalRecord(refused), refusals: refused.count });
      else this.#drop(refused.count);
    }
    if (refusals.length > 0 && !this.#timer && !this.#publishing) this.#publishIn(restMs);
  }

  #publishIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#publish(), ms).unref();
  }

  #publish(): Promise<void> {
    this.#publishing ??= this.#publishWaiting().finally(() => {
      this.#publishing = undefined;
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#publishIn(backoffMs(publishing, this.#failures));
    });
    return this.#publishing;
  }

  async #publishWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, batchSize);
        await this.#stream.publish(batch.map(({ record }) => record));
        this.#waiting.splice(0, batch.length);
        this.#count("reported", sumOf(batch));
        this.#failures = 0;
      }
    } catch {
      // The batch stays: publishing it again is safe, because a repeat is recognised by its id.
      this.#failures += 1;
    }
  }

  #drop(refusals: number): void {
    this.#dropped += refusals;
    this.#count("dropped", refusals);
    if (performance.now() - this.#droppedReportedAt >= dropReportMs) this.#reportDropped();
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#droppedReportedAt = performance.now();
    this.#logger.warn(
      { dropped: this.#dropped },
      "refused calls are missing from the audit log: NATS took none in time",
    );
    this.#dropped = 0;
  }
}

function sumOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { refusals }) => sum + refusals, 0);
}

function refusalRecord(refused: CallRefused): OutboxRecord {
  const { organisationId, memberId, credentialId, requestId, requestIdSource, refusedAt } = refused;
  const id = randomUUIDv7();
  return eventRecord(CallRefusedSchema, refused, {
    id,
    organisationId: organisationId || installationToken,
    entityId: requestId || id,
    time: refusedAt ? timestampDate(refusedAt) : new Date(),
    cause: {
      ...(memberId === "" ? {} : { memberId }),
      ...(credentialId === "" ? {} : { credentialId }),
      ...(requestId === "" ? {} : { requestId }),
      ...(requestIdSource === "" ? {} : { requestIdSource }),
    },
  });
}
