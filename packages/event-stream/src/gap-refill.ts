import type { Logger, StoredMark, StreamMark } from "@aiplatform/document-store";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { relayMetrics } from "./event-metrics.ts";
import type { EventStream } from "./event-stream.ts";
import type { Examination } from "./examine-stream.ts";
import type { OutboxSource } from "./outbox-source.ts";
import type { Acknowledged } from "./publish-events.ts";

const silent: Logger = { info: () => undefined, warn: () => undefined };

/** Whose events are looked for, and where. */
export interface GapRefillOptions {
  source: OutboxSource;
  stream: EventStream;
  logger?: Logger;
  /** Shows how much waits, and what was lost. */
  meter?: Meter;
  /** What the outbox is called in the metrics. Default `outbox`. */
  name?: string;
}

interface Republishing extends GapRefillOptions {
  /** Marks what is published: only what is marked is found again. */
  beforeRepublishing: () => Promise<void>;
}

/** Looks whether the stream still has what this source has published, and makes pending again what it may have lost. */
export class GapRefill {
  readonly #options: Republishing;
  readonly #logger: Logger;
  readonly #counted: (refilled: number, gaps: number) => void;
  #acknowledged: Acknowledged | undefined;
  #known: StoredMark | undefined;
  #looking: Promise<boolean> | undefined;

  constructor(options: Republishing) {
    const { meter, logger = silent, name: outbox = "outbox" } = options;
    this.#options = options;
    this.#logger = logger;
    const { event_stream_gaps_total, events_refilled_total } = createInstruments(meter, {
      event_stream_gaps_total: relayMetrics.event_stream_gaps_total,
      events_refilled_total: relayMetrics.events_refilled_total,
    });
    this.#counted = (refilled, gaps) => {
      event_stream_gaps_total.add(gaps, { outbox });
      events_refilled_total.add(refilled, { outbox });
    };
    this.#counted(0, 0);
  }

  /** NATS has acknowledged what was published; this was the newest. */
  acknowledged(newest: Acknowledged | undefined): void {
    if (newest && newest.sequence > (this.#acknowledged?.sequence ?? 0)) this.#acknowledged = newest;
  }

  /** One look at a time. Answers whether there is more to look at. `thorough` after each connection. */
  async look({ thorough }: { thorough: boolean }): Promise<boolean> {
    // One under way may have begun before the connection did.
    if (thorough) await this.#looking?.catch(() => false);
    this.#looking ??= this.#look(thorough).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(thorough: boolean): Promise<boolean> {
    const { source, stream } = this.#options;
    const { marks } = source;
    if (!marks || stream.incarnation() === undefined) return false;
    this.#known ??= await marks.read();
    const { mark: before, revision } = this.#known;
    const acknowledged = this.#acknowledged;
    const examination = await stream.examine({ mark: before, acknowledged, thorough });
    await this.#refill(examination);
    // Sequences begin again where a stream has lost its newest events, or was made again.
    if (examination.losses.length > 0) this.#acknowledged = undefined;
    if (before && sameMark(before, examination.mark)) return examination.more;
    const stored = await marks.replace(examination.mark, revision);
    this.#known = stored ? { mark: examination.mark, revision: revision + 1 } : undefined;
    return examination.more;
  }

  async #refill({ losses }: Examination): Promise<void> {
    const { source, beforeRepublishing } = this.#options;
    if (losses.length === 0) return;
    await beforeRepublishing();
    let refilled = 0;
    for (const loss of losses) refilled += (await source.republish?.(loss)) ?? 0;
    this.#counted(refilled, losses.length);
    this.#logger.warn({ gaps: losses.length, refilled }, "the event stream lost events; publishing them again");
  }
}

function sameMark(one: StreamMark, other: StreamMark): boolean {
  return one.incarnation === other.incarnation && one.verified === other.verified && one.last === other.last;
}
