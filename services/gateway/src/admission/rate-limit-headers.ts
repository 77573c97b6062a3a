import type { ServerResponse } from "node:http";
import type { RateLimitState } from "./token-buckets.ts";

export type RateLimitHeaderWriter = (response: Pick<ServerResponse, "setHeader">, state: RateLimitState) => void;

/** Writes what is left of the organisation's rate: the fields of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaderWriter(requestsPerSecond: number): RateLimitHeaderWriter {
  const policy = `"organisation";q=${requestsPerSecond};w=1`;
  return (response, { remaining, resetMs }) => {
    response.setHeader("RateLimit-Policy", policy);
    response.setHeader("RateLimit", `"organisation";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
  };
}
