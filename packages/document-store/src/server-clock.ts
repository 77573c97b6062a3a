import type { MongoClient } from "mongodb";

/** Difference up to which both clocks count as equal, in milliseconds: an answer may be on its way for that long. */
const toleranceMs = 500;

/** What a clock is read from, in milliseconds. */
interface LocalTime {
  /** Of the system, which may be wrong and may jump. */
  readonly system: () => number;
  /** Never jumps. */
  readonly monotonic: () => number;
}

const realTime: LocalTime = { system: Date.now, monotonic: () => performance.now() };

/**
 * The time of the database, which is the same for every replica: a replica whose own clock is wrong neither takes another's
 * lease for expired nor its own for valid. The primary's heartbeats tell it; between two of them the monotonic clock goes on.
 */
export class ServerClock {
  readonly #local: LocalTime;
  #heard: { serverMs: number; monotonicMs: number } | undefined;

  constructor(local: LocalTime = realTime) {
    this.#local = local;
  }

  /** A clock that hears the heartbeats of a client. */
  static of(client: MongoClient, local?: LocalTime): ServerClock {
    const clock = new ServerClock(local);
    client.on("serverHeartbeatSucceeded", ({ reply: { isWritablePrimary, localTime } }) => {
      if (isWritablePrimary === true && localTime instanceof Date) clock.hear(localTime);
    });
    return clock;
  }

  /** Takes what the primary's clock shows now. */
  hear(localTime: Date): void {
    this.#heard = { serverMs: localTime.getTime(), monotonicMs: this.#local.monotonic() };
  }

  /** Milliseconds by which the system's clock is ahead of the primary's; undefined before its first heartbeat. */
  get aheadMs(): number | undefined {
    if (!this.#heard) return undefined;
    return this.#local.system() - this.#heard.serverMs - (this.#local.monotonic() - this.#heard.monotonicMs);
  }

  /** The system's time where it is right, else the primary's. */
  readonly now = (): Date => {
    const ahead = this.aheadMs ?? 0;
    return new Date(this.#local.system() - (Math.abs(ahead) > toleranceMs ? ahead : 0));
  };
}
