import type { ServerResponse } from "node:http";
import type { RateBudget } from "./rate-buckets.ts";

/** Says on an answer what is left of the organisation's rate: the fields of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(
  requestsPerSecond: number,
): (response: Pick<ServerResponse, "setHeader">, budget: RateBudget) => void {
  const policy = `"organisation";q=${requestsPerSecond};w=1`;
  return (response, { remaining, endsInMs }) => {
    response.setHeader("RateLimit-Policy", policy);
    response.setHeader("RateLimit", `"organisation";r=${remaining};t=${Math.ceil(endsInMs / 1_000)}`);
  };
}
