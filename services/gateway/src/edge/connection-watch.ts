import { constants, type ServerHttp2Stream } from "node:http2";
import { Socket } from "node:net";

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

/** What waits for a client, and how much of it was taken. */
interface Outlet {
  readonly waiting: () => number;
  readonly taken: () => number;
  readonly end: () => void;
}

interface Watched {
  readonly openedAt: number;
  readonly outlet: Outlet;
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
  readonly #watched = new Map<Socket | ServerHttp2Stream, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = performance.now();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#intervalMs = Math.min(checkIntervalMs, limits.responseTimeoutMs / 10, limits.unusedTimeoutMs / 10);
  }

  add(socket: Socket): void {
    this.#add(socket, {
      waiting: () => socket.writableLength,
      taken: () => takenOf(socket),
      end: () => socket.destroy(),
    });
  }

  /** A stream of a connection, which a client can stop to read by itself. `written`: bytes that were given to it. */
  addStream(stream: ServerHttp2Stream, written: () => number): void {
    this.#add(stream, {
      waiting: () => stream.writableLength,
      taken: () => written() - stream.writableLength,
      end: () => stream.close(constants.NGHTTP2_CANCEL),
    });
  }

  #add(of: Socket | ServerHttp2Stream, outlet: Outlet): void {
    this.#watched.set(of, { openedAt: performance.now(), outlet, isUsed: !(of instanceof Socket), pace: undefined });
    of.once("close", () => this.#watched.delete(of));
    if (this.#timer) return;
    this.#checkedAt = performance.now();
    this.#timer = setInterval(() => this.#check(), this.#intervalMs).unref();
  }

  /** Ends the connections on which nothing was ever sent. */
  endUnused(): void {
    for (const [of, watched] of this.#watched) if (!isUsed(of, watched)) watched.outlet.end();
  }

  endAll(): void {
    for (const { outlet } of this.#watched.values()) outlet.end();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    // When this process was busy for long, no client could take anything meanwhile.
    const passedMs = Math.min(now - this.#checkedAt, 2 * this.#intervalMs);
    this.#checkedAt = now;
    for (const [of, watched] of this.#watched) {
      const isOver = isUsed(of, watched)
        ? this.#isTooSlow(watched, passedMs)
        : now - watched.openedAt >= this.#limits.unusedTimeoutMs;
      if (isOver) watched.outlet.end();
    }
    // The next connection starts it again.
    if (this.#watched.size === 0) this.stop();
  }

  #isTooSlow(watched: Watched, passedMs: number): boolean {
    const { outlet } = watched;
    if (outlet.waiting() === 0) {
      watched.pace = undefined;
      return false;
    }
    const { responseTimeoutMs, minResponseBytesPerSecond } = this.#limits;
    const taken = outlet.taken();
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

function isUsed(of: Socket | ServerHttp2Stream, watched: Watched): boolean {
  watched.isUsed ||= of instanceof Socket && of.bytesRead > 0;
  return watched.isUsed;
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
