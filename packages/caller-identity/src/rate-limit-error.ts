import { ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorDomain } from "./refusal.ts";

/** What admission refuses for a while; RESOURCE_EXHAUSTED is the caller's budget, UNAVAILABLE is ours. */
const rateLimits = {
  OVERLOADED: { code: Code.Unavailable, text: "The platform is busy; try again in a moment" },
  STREAMS_FULL: {
    code: Code.Unavailable,
    text: "The gateway has as many streams and long polls open as it may have; try again in a moment",
  },
  TOO_MANY_CONCURRENT: {
    code: Code.ResourceExhausted,
    text: "Too many of your requests are under way; wait for some to end",
  },
  TOO_MANY_STREAMS: {
    code: Code.ResourceExhausted,
    text: "Too many of your streams are open; end some",
  },
  RATE_LIMITED: { code: Code.ResourceExhausted, text: "Too many requests; slow down" },
  TOO_MANY_FAILED_CREDENTIALS: {
    code: Code.ResourceExhausted,
    text: "Too many bad credentials came from your address; wait before trying another",
  },
} satisfies Record<string, { code: Code; text: string }>;

/** Refuses a request that has had no effect and may be repeated after `afterMs` (default one second). `text` names what is full. */
export function rateLimitError(
  reason: keyof typeof rateLimits,
  { afterMs = 1_000, text = rateLimits[reason].text }: { afterMs?: number; text?: string } = {},
): ConnectError {
  const { code } = rateLimits[reason];
  const seconds = BigInt(Math.max(1, Math.ceil(afterMs / 1_000)));
  return new ConnectError(text, code, undefined, [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: errorDomain }) },
    { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay: { seconds, nanos: 0 } }) },
  ]);
}

/** Milliseconds for which a source may try no other credential, if that is what the error says. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const isForSource = error
    .findDetails(ErrorInfoSchema)
    .some(({ reason }) => reason === ("TOO_MANY_FAILED_CREDENTIALS" satisfies keyof typeof rateLimits));
  if (!isForSource) return undefined;
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay ? Number(delay.seconds) * 1_000 : undefined;
}
