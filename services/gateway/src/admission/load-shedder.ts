import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoopDelay } from "@aiplatform/service-host";
import { isSmall, RecentShares } from "./recent-share.ts";

/** Answers a request with a refusal, in the form in which it was made. */
export type RefusalAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Refuses requests as they arrive, before their credential is looked at and their body is read. */
export interface LoadShedder {
  /** Answers a request with 503 while the event loop is overloaded. False when it may go on. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface LoadShedderOptions {
  readonly delay: Pick<LoopDelay, "isOverloaded">;
  /** Answers with 503. */
  readonly overloaded: RefusalAnswer;
  /** Hears of every request that is refused, once its answer is written. */
  readonly shed: (request: IncomingMessage) => void;
  /** Whether so little is in flight that refusing more would leave services without work. Default: never. */
  readonly isIdle?: () => boolean;
}

/** The largest body that is read to its end, and thrown away, so that its connection can be used again. */
const maxSparedBytes = 65_536;

/**
 * While requests wait for the event loop longer than they should, most are answered in no time instead of all of them late. A
 * caller that asks for little goes on: known by its credential as it stands there, since an exchange would cost what is short.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { delay, overloaded, shed, isIdle = () => false } = options;
  const shares = new RecentShares();
  return {
    refuse(request, response) {
      const share = shares.add(callerOf(request));
      if (!delay.isOverloaded || isSmall(share) || isIdle()) return false;
      spareConnection(request, response);
      overloaded(request, response);
      shed(request);
      return true;
    },
  };
}

function callerOf({ headers }: IncomingMessage): string {
  const { authorization = "", "api-key": apiKey = "" } = headers;
  return authorization + apiKey;
}

/** Keeps the connection of a request that is refused, unless reading the rest of its body would cost more than a new one. */
export function spareConnection({ headers }: IncomingMessage, response: ServerResponse): void {
  const isSpared =
    headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= maxSparedBytes;
  if (!isSpared) response.shouldKeepAlive = false;
}
