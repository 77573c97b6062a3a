import { inspectEventStream } from "@aiplatform/event-stream";
import type { Check } from "../check.ts";
import { either, type Finding, fine, warning } from "../finding.ts";
import { inspectionOf, type NatsConfig } from "./nats.ts";

/** Caller contexts last a minute, and tokens are checked with less leeway than this. */
const maxSkewMs = 5_000;
const timeoutMs = 10_000;

export const remedy = "let every machine keep its clock by NTP: caller contexts last a minute";

/** This machine's clock against that of NATS. Finds nothing where NATS does not tell. */
export function natsClock(service: string, config: NatsConfig): Check {
  return {
    name: "clock",
    remedy,
    async run() {
      const asked = Date.now();
      const options = { ...inspectionOf(service, config), timeoutMs };
      const { now } = await inspectEventStream(options).catch(() => ({ now: undefined }));
      return now ? [skew("NATS", now.getTime(), { asked, answered: Date.now(), resolutionMs: 1 })] : [];
    },
  };
}

/** This machine's clock against that of an HTTP server. Finds nothing where the server does not tell. */
export function httpClock(whose: string, url: string): Check {
  return {
    name: "clock",
    remedy,
    async run(signal) {
      const asked = Date.now();
      const response = await fetch(url, { method: "HEAD", signal, redirect: "manual" }).catch(() => undefined);
      const date = Date.parse(response?.headers.get("date") ?? "");
      return Number.isNaN(date) ? [] : [skew(whose, date, { asked, answered: Date.now(), resolutionMs: 1_000 })];
    },
  };
}

/** A clock is wrong by at least so much: it may have been read at any moment between question and answer. */
export function skew(
  whose: string,
  then: number,
  o: { asked: number; answered: number; resolutionMs: number },
): Finding {
  const ahead = then - o.answered;
  const behind = o.asked - (then + o.resolutionMs);
  const ms = Math.max(0, ahead, behind);
  if (ms === 0) return fine(`${whose} has the same time`);
  const says = `${whose} is ${ms} ms ${ahead > 0 ? "ahead of" : "behind"} this machine`;
  return either(ms <= maxSkewMs, says, warning(says, remedy));
}
