import {
  DeploymentChangedSchema,
  DeploymentDeletedSchema,
  DeploymentStatusChangedSchema,
  RolloutEndedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";

/** Events after which a deployment is to be read again. */
const announcing = [
  DeploymentChangedSchema,
  DeploymentDeletedSchema,
  DeploymentStatusChangedSchema,
  RolloutEndedSchema,
];

/**
 * Notifies whatever waits for a deployment to change: this process at once, other replicas through their events. A signal
 * may get lost: who waits reads again after a while.
 */
export class DeploymentChanges implements Disposable {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #drain = new AbortController();
  readonly #listening: { close(): void }[];

  constructor(stream: Pick<EventStream, "listen">) {
    this.#listening = announcing.map((schema) =>
      stream.listen(eventSubject(schema), ({ data }) => this.notify(decodeEvent(schema, data).deploymentId)),
    );
  }

  /** Whether waiting is over because this replica drains. */
  get draining(): boolean {
    return this.#drain.signal.aborted;
  }

  notify(deploymentId: string): void {
    for (const notify of this.#waiting.get(deploymentId) ?? []) notify();
  }

  /** Begins to listen: a change between now and {@link ChangeListener.next} is not missed. */
  listen(deploymentId: string): ChangeListener {
    const listeners = this.#waiting.get(deploymentId) ?? new Set();
    this.#waiting.set(deploymentId, listeners);
    return new ChangeListener(this.#drain.signal, listeners, () => {
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

class ChangeListener implements Disposable {
  readonly #drain: AbortSignal;
  readonly #listeners: Set<() => void>;
  readonly #onDispose: () => void;
  #changed = Promise.withResolvers<void>();
  readonly #notify = () => this.#changed.resolve();

  constructor(drain: AbortSignal, listeners: Set<() => void>, left: () => void) {
    this.#drain = drain;
    this.#listeners = listeners;
    this.#onDispose = left;
    listeners.add(this.#notify);
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
    this.#listeners.delete(this.#notify);
    this.#onDispose();
  }
}
