import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { pause } from "@aiplatform/backoff";
import type { ReplicaLeases } from "@aiplatform/document-store";
import type { EventStream } from "./event-stream.ts";
import { wakeSubject } from "./subjects.ts";

/** How long a replica that was killed keeps its partitions, ms. */
const leaseMs = 5_000;
const renewMs = 1_500;
/**
 * While it is the only replica: each such renewal is announced, and a replica that hears an id it does not know renews at once. So
 * two that do not see each other's lease find each other by the announcement.
 */
const aloneRenewMs = 30_000;
const minPauseMs = 100;
/** Within this time, others are told once of all that is staged. */
const tellMs = 10;

export interface OutboxShareOptions {
  replicas: ReplicaLeases | undefined;
  stream: EventStream;
  /** Where replicas tell each other that something was staged. Without it, a scan finds that. */
  subject: string | undefined;
  /** Something was staged elsewhere that may be this replica's to publish. */
  staged: () => void;
  /** The partitions of this replica are others now. */
  changed: () => void;
}

/** The replica that publishes a partition; each knows that by itself. */
export function ownerOf(partition: string, replicas: readonly string[]): string | undefined {
  return replicas[crc32(partition) % replicas.length];
}

/** `aiplatform_wake.training.outbox.job_log` */
export function outboxSubject(service: string, outbox: string): string {
  return wakeSubject(service, "outbox", outbox);
}

/**
 * Which partitions of an outbox this replica publishes. It keeps replicas from doing the same work twice, and nothing depends on
 * it: two replicas that both take a partition for their own publish the same events in the same order.
 */
export class OutboxShare {
  readonly #options: OutboxShareOptions;
  readonly #listening: { close(): void } | undefined;
  readonly #keeping: Promise<void>;
  readonly #stop = new AbortController();
  #replicas: readonly string[] = [];
  #hurry = new AbortController();
  #telling: NodeJS.Timeout | undefined;

  constructor(options: OutboxShareOptions) {
    this.#options = options;
    const { replicas, stream, subject } = options;
    this.#listening = replicas && subject ? stream.listen(subject, ({ data }) => this.#hear(data)) : undefined;
    this.#keeping = replicas ? this.#keep(replicas) : Promise.resolve();
  }

  readonly isOwn = (partition: string): boolean => {
    const { replicas } = this.#options;
    return !replicas || ownerOf(partition, this.#replicas) === replicas.id;
  };

  /** Tells the other replicas that something of theirs was staged here. */
  tell(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#announce(this.#options.replicas?.id ?? "");
    }, tellMs);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#hurry.abort();
    this.#listening?.close();
    await this.#keeping;
    clearTimeout(this.#telling);
    // Without it the lease expires.
    await this.#options.replicas?.release().catch(() => undefined);
    this.#announce("");
  }

  #announce(id: string): void {
    const { stream, subject } = this.#options;
    if (subject) stream.announce(subject, new TextEncoder().encode(id));
  }

  /** From a replica that is new, or that has left, there is something to learn first. */
  #hear(data: Uint8Array): void {
    const id = new TextDecoder().decode(data);
    if (this.#replicas.includes(id)) this.#options.staged();
    else this.#hurry.abort();
  }

  /** Whether this is the only replica, and would hear of another. */
  get isAlone(): boolean {
    const { replicas, subject } = this.#options;
    return replicas !== undefined && subject !== undefined && this.#replicas.every((id) => id === replicas.id);
  }

  async #keep(replicas: ReplicaLeases): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#hurry = new AbortController();
      // While the database is away, nothing is staged.
      const found = await replicas.renew(leaseMs).catch(() => this.#replicas);
      const hasChanged = found.join() !== this.#replicas.join();
      this.#replicas = found;
      const { isAlone } = this;
      // Of the others each has to know this one, and one that joins has to hear of those that were there.
      if (hasChanged || isAlone) this.tell();
      if (hasChanged) this.#options.changed();
      await delay(minPauseMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      await pause(isAlone ? aloneRenewMs : renewMs, this.#hurry.signal);
    }
  }
}
