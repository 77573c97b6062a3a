import {
  DeploymentChangedSchema,
  DeploymentDeletedSchema,
  DeploymentStatusChangedSchema,
  RolloutEndedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";

/** Events after which a deployment is to be looked at again. */
const telling = [DeploymentChangedSchema, DeploymentDeletedSchema, DeploymentStatusChangedSchema, RolloutEndedSchema];

/**
 * Wakes those who wait for a deployment to change: told by this process at once, by other replicas through their events. A hint
 * that may get lost: who waits looks again after a while.
 */
export class DeploymentChanges implements Disposable {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #drain = new AbortController();
  readonly #listening: { close(): void }[];

  constructor(stream: Pick<EventStream, "listen">) {
    this.#listening = telling.map((schema) =>
      stream.listen(eventSubject(schema), ({ data }) => this.tell(decodeEvent(schema, data).deploymentId)),
    );
  }

  /** Whether waiting is over because this replica goes. */
  get draining(): boolean {
    return this.#drain.signal.aborted;
  }

  /** The deployment is another. */
  tell(deploymentId: string): void {
    for (const wake of this.#waiting.get(deploymentId) ?? []) wake();
  }

  /** Begins to listen: a change between now and {@link ChangeWait.next} is not missed. */
  listen(deploymentId: string): ChangeWait {
    const listeners = this.#waiting.get(deploymentId) ?? new Set();
    this.#waiting.set(deploymentId, listeners);
    return new ChangeWait(this.#drain.signal, listeners, () => {
      if (listeners.size === 0 && this.#waiting.get(deploymentId) === listeners) this.#waiting.delete(deploymentId);
    });
  }

  /** Ends every wait, now and later. */
  drain(): void {
    this.#drain.abort();
  }

  [Symbol.dispose](): void {
    for (const listening of this.#listening) listening.close();
  }
}

/** One who waits. */
export class ChangeWait implements Disposable {
  readonly #drain: AbortSignal;
  readonly #listeners: Set<() => void>;
  readonly #left: () => void;
  #changed = Promise.withResolvers<void>();
  readonly #wake = () => this.#changed.resolve();

  constructor(drain: AbortSignal, listeners: Set<() => void>, left: () => void) {
    this.#drain = drain;
    this.#listeners = listeners;
    this.#left = left;
    listeners.add(this.#wake);
  }

  /** Resolves at the first change since the last call, after `ms`, on abort or drain: whichever comes first. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const timer = setTimeout(end, ms);
    const signals = [signal, this.#drain];
    for (const each of signals) each.addEventListener("abort", end, { once: true });
    if (!signals.some(({ aborted }) => aborted)) await Promise.race([over, this.#changed.promise]);
    clearTimeout(timer);
    for (const each of signals) each.removeEventListener("abort", end);
    this.#changed = Promise.withResolvers<void>();
  }

  [Symbol.dispose](): void {
    this.#listeners.delete(this.#wake);
    this.#left();
  }
}
