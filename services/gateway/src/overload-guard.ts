import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoopDelay } from "@aiplatform/service-host";
import { isSmall, RecentShares } from "./recent-share.ts";
import { refusalAnswer } from "./refusal-answer.ts";
import { tryLater } from "./try-later.ts";

/** Refuses requests at the door, before their credential is looked at and their body is read. */
export interface OverloadGuard {
  /** Answers a request with 503 while the event loop is overloaded. False when it may go on. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The largest body that is read to its end, and thrown away, so that its connection can be used again. */
const maxSparedBytes = 65_536;
const overloaded = refusalAnswer(tryLater("OVERLOADED"));

/**
 * While requests wait for the event loop longer than they should, most are answered in no time instead of all of them late. Who
 * asks for little goes on: by the credential as it stands there, since finding out whose it is would cost what is short.
 */
export function createOverloadGuard(
  delay: Pick<LoopDelay, "isOverloaded">,
  /** Hears of every request that is refused, once its answer is written. */
  shed: (request: IncomingMessage) => void,
  /** Whether so little is under way that refusing more would leave services without work. Default: never. */
  isIdle: () => boolean = () => false,
): OverloadGuard {
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
