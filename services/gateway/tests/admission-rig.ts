import {
  createCredentialExchange,
  FailedCredentialLimiter,
  type RememberingExchange,
  SessionCookie,
} from "@aiplatform/caller-identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { createLogger } from "@aiplatform/service-host";
import { createClient, type Transport } from "@connectrpc/connect";
import { createNoopMeter, trace } from "@opentelemetry/api";
import { type AdmissionControl, createAdmissionControl } from "../src/admission/admission-control.ts";
import { type Authenticator, createAuthenticator } from "../src/admission/authenticator.ts";
import { type RateLimitHeaderWriter, rateLimitHeaderWriter } from "../src/admission/rate-limit-headers.ts";
import { createRequestLimiter, type Release, type RequestLimits } from "../src/admission/request-limiter.ts";
import { observeRequests, type RequestObservation } from "../src/edge/request-observation.ts";
import { createSourceReader } from "../src/edge/source-address.ts";

/** Admission in front of an identity that a test plays. */
export interface AdmissionRig {
  readonly control: AdmissionControl;
  readonly authenticator: Authenticator;
  readonly exchange: RememberingExchange;
  readonly limiter: ReturnType<typeof createRequestLimiter>;
  readonly sourceOf: ReturnType<typeof createSourceReader>;
  readonly writeRateLimitHeaders: RateLimitHeaderWriter;
  /** Refusals that were recorded. */
  readonly refusals: CallRefused[];
  /** Permits that are held. */
  readonly taken: () => number;
}

export function createAdmissionRig(
  identity: Transport,
  { trustedProxies = [], ...given }: Partial<RequestLimits> & { trustedProxies?: readonly string[] } = {},
): AdmissionRig {
  const limits = {
    requestsPerSecond: 10_000,
    organisationConcurrency: 1_000,
    totalConcurrency: 2_000,
    anonymousPerMinute: 1_000,
    ...given,
  };
  const now = () => new Date();
  const exchange = createCredentialExchange({ client: createClient(CredentialService, identity), now });
  const limiter = createRequestLimiter(limits);
  const sourceOf = createSourceReader(trustedProxies);
  const refusals: CallRefused[] = [];
  const authenticator = createAuthenticator({
    exchange,
    sourceOf,
    sessionCookie: SessionCookie.at("https://gateway.test"),
    failedAuth: new FailedCredentialLimiter({ perMinute: 1_000 }),
    countAnonymous: (source) => limiter.countAnonymous(source),
    refusals: (refused) => void refusals.push(refused),
    now,
  });
  let taken = 0;
  const counted = async (acquiring: Promise<Release>): Promise<Release> => {
    const release = await acquiring;
    taken += 1;
    return (isUnavailable) => {
      taken -= 1;
      release(isUnavailable);
    };
  };
  const writeRateLimitHeaders = rateLimitHeaderWriter(limits.requestsPerSecond);
  const control = createAdmissionControl({
    authenticator,
    limiter: {
      acquire: (organisationId, demand, report) => counted(limiter.acquire(organisationId, demand, report)),
      acquireAnonymous: (source, demand) => counted(limiter.acquireAnonymous(source, demand)),
    },
    sourceOf,
    writeRateLimitHeaders,
  });
  return { control, authenticator, exchange, limiter, sourceOf, writeRateLimitHeaders, refusals, taken: () => taken };
}

export function silentObservation(): RequestObservation {
  const logger = createLogger({ service: "test", level: "silent" });
  return observeRequests({ meter: createNoopMeter(), tracer: trace.getTracer("test"), logger });
}
