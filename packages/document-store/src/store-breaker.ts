import { setTimeout as delay } from "node:timers/promises";
import { createInstruments, type Measuring } from "@aiplatform/telemetry";
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import { type MongoClient, MongoServerError, type TopologyDescriptionChangedEvent } from "mongodb";
import { driverFailure } from "./driver-failures.ts";
import { StoreRefusedError, StoreTimeoutError } from "./errors.ts";
import { type Logger, silentLogger } from "./logger.ts";
import { storeMetrics } from "./store-metrics.ts";
import { startLimit, type TimeLimit, within } from "./within.ts";

/** Failures in a row, without a success between them, after which calls are refused although the database answers pings. */
const maxFailures = 20;
/** How long calls are then refused before one is let through to see, ms. */
const halfOpenAfterMs = 1_000;
/** A call that takes a third of its time leads to a ping: both end together where the database hangs. */
const pingLimitMs = 2_000;
/** How long a topology may be without a primary, as in a planned change, ms. */
const primaryLimitMs = 1_000;
const pauseBetweenPingsMs = 250;
const maxTimeExpired = 50;
const primaryTypes: ReadonlySet<string> = new Set(["RSPrimary", "Mongos", "LoadBalancer", "Standalone"]);

export interface StoreBreakerOptions extends Pick<Measuring, "meter"> {
  /** Its topology tells whether there is a primary. */
  client: MongoClient;
  /** Opens a client of its own for pings, which must not wait for a connection behind the calls that they judge. */
  openProbe: () => MongoClient;
  /** Longest a call may take while pings are not answered, ms; three times as long while they are. */
  callTimeoutMs: number;
  logger?: Logger | undefined;
}

/**
 * The circuit breaker of the database. A slow or failed call leads to a ping. When neither that nor any call is answered in time,
 * or the topology has had no primary for a second, every call is refused at once with {@link StoreRefusedError} until a ping is
 * answered.
 */
export class StoreBreaker implements AsyncDisposable {
  readonly #options: StoreBreakerOptions;
  readonly #circuit = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(maxFailures),
  });
  readonly #closing = new AbortController();
  readonly #refused: { add(by: number): void };
  readonly #slow = () => void this.#watch();
  /** A database that answers anything is busy, and not away. */
  readonly #mayGoOn = (sinceMs: number) => this.#answeredAt > sinceMs;
  /** When a ping or a call was answered last. */
  #answeredAt = 0;
  #isWatching = false;
  #probe: MongoClient | undefined;
  #lost: NodeJS.Timeout | undefined;

  constructor(options: StoreBreakerOptions) {
    this.#options = options;
    const instruments = createInstruments(options.meter, {
      mongodb_circuit_open: storeMetrics.mongodb_circuit_open,
      mongodb_calls_refused_total: storeMetrics.mongodb_calls_refused_total,
    });
    this.#refused = instruments.mongodb_calls_refused_total;
    instruments.mongodb_circuit_open.observe((report) => report(this.#circuit.state === CircuitState.Closed ? 0 : 1));
    this.#circuit.onStateChange((state) => this.#log(state));
    options.client.on("topologyDescriptionChanged", this.#topologyChanged);
  }

  /** Whether calls are refused just now. */
  get isOpen(): boolean {
    return this.#circuit.state !== CircuitState.Closed;
  }

  /**
   * Makes a call of the driver, for `limitMs` at most.
   * @throws StoreRefusedError without making it; StoreTimeoutError, after which it may still have its effect; what it throws
   */
  async run<R>(call: () => Promise<R>, limitMs: number = this.#options.callTimeoutMs): Promise<R> {
    try {
      const result = await this.#circuit.execute(() => within(call, this.#limit(limitMs)));
      this.#answeredAt = performance.now();
      return result;
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        this.#refused.add(1);
        throw new StoreRefusedError();
      }
      this.suspect(error);
      throw error;
    }
  }

  /**
   * Calls `expired` when something has taken as long as a call may, and pings are not answered meanwhile; answers how to stop
   * that.
   */
  startLimit(expired: () => void): () => void {
    return startLimit(this.#limit(this.#options.callTimeoutMs), expired);
  }

  /** To be told of failures of calls that are not made by `run`, such as a commit. */
  suspect(error: unknown): void {
    if (isOutage(error)) void this.#watch();
  }

  /** @throws StoreRefusedError while calls are refused */
  assertClosed(): void {
    if (this.#circuit.state !== CircuitState.Isolated) return;
    this.#refused.add(1);
    throw new StoreRefusedError();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#lost);
    this.#options.client.off("topologyDescriptionChanged", this.#topologyChanged);
    await this.#probe?.close();
  }

  readonly #topologyChanged = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const hasPrimary = [...newDescription.servers.values()].some(({ type }) => primaryTypes.has(type));
    if (hasPrimary) {
      clearTimeout(this.#lost);
      this.#lost = undefined;
    } else this.#lost ??= setTimeout(() => void this.#watch({ isLost: true }), primaryLimitMs).unref();
  };

  /** A ping that is answered clears the suspicion; one that is not opens the circuit until another is. */
  async #watch({ isLost = false } = {}): Promise<void> {
    if (this.#isWatching || this.#closing.signal.aborted) return;
    this.#isWatching = true;
    try {
      if (!isLost && !(await this.#isAway())) return;
      using hold = new DisposableStack();
      hold.adopt(this.#circuit.isolate(), (isolation) => isolation.dispose());
      while (!this.#closing.signal.aborted && !(await this.#answers())) {
        await this.#pause();
      }
    } finally {
      this.#isWatching = false;
    }
  }

  /** Whether neither a ping nor any call was answered: on a busy machine a ping alone may come too late. */
  async #isAway(): Promise<boolean> {
    while (!this.#closing.signal.aborted) {
      const since = performance.now();
      if (await this.#answers()) return false;
      if (this.#answeredAt <= since) return true;
      await this.#pause();
    }
    return false;
  }

  async #pause(): Promise<void> {
    await delay(pauseBetweenPingsMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #limit(limitMs: number): TimeLimit {
    return { limitMs, slow: this.#slow, mayGoOn: this.#mayGoOn };
  }

  #answers(): Promise<boolean> {
    const ping = async () => {
      this.#probe ??= this.#options.openProbe();
      // Asked each time: a client that could not connect once stays closed until it is told to.
      await this.#probe.connect();
      await this.#probe.db("admin").command({ ping: 1 });
    };
    return within(ping, { limitMs: pingLimitMs }).then(
      () => {
        this.#answeredAt = performance.now();
        return true;
      },
      () => this.#closing.signal.aborted,
    );
  }

  #log(state: CircuitState): void {
    const { logger = silentLogger } = this.#options;
    if (this.#closing.signal.aborted) return;
    if (state === CircuitState.Closed) logger.info({}, "MongoDB answers again");
    if (state === CircuitState.Isolated || state === CircuitState.Open) {
      logger.warn({}, "MongoDB does not answer; calls are refused until it does");
    }
  }
}

/** Whether a failure is a sign that the database is away; a call that was merely long, or met another's, is none. */
function isOutage(error: unknown): boolean {
  if (error instanceof StoreTimeoutError) return true;
  if (error instanceof MongoServerError && error.code === maxTimeExpired) return false;
  // Our own burst of calls; the database may be well.
  if (error instanceof Error && error.name === "MongoWaitQueueTimeoutError") return false;
  return driverFailure(error) === "unavailable";
}
