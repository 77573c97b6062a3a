import { rateLimitError } from "@aiplatform/caller-identity";
import type { ConnectError } from "@connectrpc/connect";
import type { Upstream } from "../upstreams/upstreams.ts";
import type { CallLimit } from "./call-limit.ts";
import { FairSemaphore } from "./fair-semaphore.ts";
import { Semaphore } from "./semaphore.ts";

/** A call that a service answers as soon as it can; no stream, and nothing that waits because its caller asked for it. */
export interface PromptCall {
  readonly upstream: Upstream;
  /** Name of what is done: calls of one name take about the same time. One of few. */
  readonly operation: string;
  /** When all of the request was there, by `performance.now()`; undefined while it is not. Default: it was from the start. */
  readonly arrivedAt?: () => number | undefined;
}

/**
 * What a request takes while it is under way: a call of a service, a prediction, a `watch` (what waits for news or lasts as long
 * as its caller wants: streams, long polls, notebooks), or a `work_stream` (a stream that has an effect: trainers, uploads).
 */
export type Demand = PromptCall | keyof typeof places;

/** Why the platform refused a request: a service's calls, or all work or all streams there may be. */
export type ShedReason = "calls" | "total" | "streams";

export interface PermitLimits {
  /** Predictions of one organisation under way at once. */
  readonly organisationConcurrency: number;
  /** Calls and predictions of all callers under way at once. */
  readonly totalConcurrency: number;
  /** Watches of one organisation at once, and as many of its work streams. Default 512. */
  readonly organisationStreams?: number;
  /** Watches and work streams of all callers at once. Default 4096. */
  readonly totalStreams?: number;
  /** Requests without a credential that one source may have under way at once. Default 512. */
  readonly anonymousConcurrency?: number;
}

/** What is no call of a service: the total that it counts in, and what an organisation that has all its permits is told. */
const places = {
  prediction: {
    total: "total",
    reason: "TOO_MANY_CONCURRENT",
    text: "Too many predictions of your organisation are under way; wait for some to end",
  },
  watch: {
    total: "streams",
    reason: "TOO_MANY_STREAMS",
    text: "Too many streams, long polls and notebook connections of your organisation are open; end some",
  },
  work_stream: {
    total: "streams",
    reason: "TOO_MANY_STREAMS",
    text: "Too many trainer and upload streams of your organisation are open; end some",
  },
} as const;

const shedErrors: Readonly<Record<ShedReason, () => ConnectError>> = {
  calls: () =>
    rateLimitError("OVERLOADED", {
      text: "The service has as many calls as it can answer in time; try again in a moment",
    }),
  total: () =>
    rateLimitError("OVERLOADED", {
      text: "The gateway has as many requests under way as it may have; try again in a moment",
    }),
  streams: () => rateLimitError("STREAMS_FULL"),
};

/** A refusal of ours, which names what is full. */
export function shedError(reason: ShedReason): ConnectError {
  return shedErrors[reason]();
}

/** Each function but `isFull` and `canWork` takes one permit, and answers what releases it. @throws ConnectError that names what is full */
export type Permits = ReturnType<typeof createPermits>;

/**
 * Work and streams have totals of their own, so that what lasts takes no place of what is soon over. Both are divided fairly
 * among organisations. So are an organisation's watches and work streams: watchers do not keep its trainers from reporting.
 */
export function createPermits(
  limits: PermitLimits,
  { callLimits, shed }: { callLimits: ReadonlyMap<Upstream, CallLimit>; shed: (reason: ShedReason) => void },
) {
  const { organisationStreams = 512, totalStreams = 4_096, anonymousConcurrency = 512 } = limits;
  const sources = new Semaphore(anonymousConcurrency);
  const own = {
    prediction: new Semaphore(limits.organisationConcurrency),
    watch: new Semaphore(organisationStreams),
    work_stream: new Semaphore(organisationStreams),
  };
  const totals = { total: new FairSemaphore(), streams: new FairSemaphore() };
  const totalLimits = { total: limits.totalConcurrency, streams: totalStreams };
  const overloaded = (reason: ShedReason) => {
    shed(reason);
    return shedError(reason);
  };

  return {
    /** A permit of those of all callers. */
    total(organisationId: string, demand: Demand): () => void {
      const kind = typeof demand === "string" ? places[demand].total : "total";
      const holder = demand === "work_stream" ? `${demand} ${organisationId}` : organisationId;
      if (!totals[kind].tryAcquire(holder, totalLimits[kind])) throw overloaded(kind);
      return () => totals[kind].release(holder);
    },
    call(organisationId: string, call: PromptCall): () => void {
      const release = callLimits.get(call.upstream)?.begin(organisationId, call);
      if (!release) throw overloaded("calls");
      return release;
    },
    /** One of the organisation's own. */
    place(organisationId: string, demand: keyof typeof places): () => void {
      const release = own[demand].tryAcquire(organisationId);
      if (release) return release;
      const { reason, text } = places[demand];
      throw rateLimitError(reason, { text });
    },
    source(source: string): () => void {
      const release = sources.tryAcquire(source);
      if (release) return release;
      const text = "Too many requests without a credential come from your address at once; wait for some to end";
      throw rateLimitError("TOO_MANY_CONCURRENT", { text });
    },
    /** Whether only an organisation with less than its share gets a permit for work. */
    get isFull(): boolean {
      return totals.total.total >= totalLimits.total;
    },
    canWork: (organisationId: string): boolean => totals.total.canAcquire(organisationId, totalLimits.total),
  };
}
