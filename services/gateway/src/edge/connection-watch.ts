import type { Socket } from "node:net";

export interface ConnectionLimits {
  /** So long a client may fall behind the least rate, and so long it may take nothing of what waits for it. */
  readonly responseTimeoutMs: number;
  /** Bytes that a client must take in a second, on average, of what waits for it. */
  readonly minResponseBytesPerSecond: number;
  /** So long a connection may be open on which nothing was ever sent. */
  readonly unusedTimeoutMs: number;
}

/** How a client takes what waits for it. */
interface Pace {
  /** Time that it may still fall behind, ms. What it takes adds to it, and time that passes uses it up. */
  creditMs: number;
  /** Bytes of the connection that were taken when it was last looked at. */
  taken: number;
}

interface Watched {
  readonly openedAt: number;
  isUsed: boolean;
  /** Absent while nothing waits. */
  pace: Pace | undefined;
}

/** How often connections are looked at, at most. */
const checkIntervalMs = 1_000;
/** A client that was fast may pause for this many times the time that a slow one has. */
const maxCredit = 2;

/**
 * Ends connections whose clients do not read, and those on which nothing was ever sent. It looks at all connections now and
 * then, so that an answer costs nothing; answers, streams and websockets are the same to it.
 */
export class ConnectionWatch {
  readonly #limits: ConnectionLimits;
  readonly #intervalMs: number;
  readonly #connections = new Map<Socket, Watched>();
  readonly #timer: NodeJS.Timeout;
  #checkedAt = performance.now();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#intervalMs = Math.min(checkIntervalMs, limits.responseTimeoutMs / 10, limits.unusedTimeoutMs / 10);
    this.#timer = setInterval(() => this.#check(), this.#intervalMs).unref();
  }

  add(socket: Socket): void {
    this.#connections.set(socket, { openedAt: performance.now(), isUsed: false, pace: undefined });
    socket.once("close", () => this.#connections.delete(socket));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    // When this process was busy for long, no client could take anything meanwhile.
    const passedMs = Math.min(now - this.#checkedAt, 2 * this.#intervalMs);
    this.#checkedAt = now;
    for (const [socket, watched] of this.#connections) {
      watched.isUsed ||= socket.bytesRead > 0;
      const isOver = watched.isUsed
        ? this.#isTooSlow(socket, watched, passedMs)
        : now - watched.openedAt >= this.#limits.unusedTimeoutMs;
      if (isOver) socket.destroy();
    }
  }

  #isTooSlow(socket: Socket, watched: Watched, passedMs: number): boolean {
    if (socket.writableLength === 0) {
      watched.pace = undefined;
      return false;
    }
    const { responseTimeoutMs, minResponseBytesPerSecond } = this.#limits;
    const taken = takenOf(socket);
    const { pace } = watched;
    if (!pace) {
      watched.pace = { creditMs: responseTimeoutMs, taken };
      return false;
    }
    const earnedMs = ((taken - pace.taken) * 1_000) / minResponseBytesPerSecond;
    pace.creditMs = Math.min(pace.creditMs + earnedMs - passedMs, maxCredit * responseTimeoutMs);
    pace.taken = taken;
    return pace.creditMs <= 0;
  }
}

/**
 * Bytes that a connection has taken. Node's own count has a write as taken when it begins; how much of it is still waiting only
 * the handle tells, as Node reads it for the time limits of sockets.
 */
function takenOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return 0;
  const [begun, waiting]: unknown[] = [Reflect.get(handle, "bytesWritten"), Reflect.get(handle, "writeQueueSize")];
  if (typeof begun === "number" && typeof waiting === "number") return begun - waiting;
  return socket.bytesWritten - socket.writableLength;
}
