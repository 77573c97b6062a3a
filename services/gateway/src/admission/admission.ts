import type { IncomingMessage, ServerResponse } from "node:http";
import { FailedCredentialLimiter, type RememberingExchange, rateLimitError } from "@aiplatform/caller-identity";
import { type Logger, LoopDelay } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { ConnectError } from "@connectrpc/connect";
import type { Meter } from "@opentelemetry/api";
import type { RequestObservation } from "../edge/request-observation.ts";
import { type AdmissionControl, createAdmissionControl, type EntryPoint } from "./admission-control.ts";
import { type Authenticator, type AuthenticatorOptions, createAuthenticator } from "./authenticator.ts";
import { createEarlyRefusal, type RefusedEarly } from "./early-refusal.ts";
import { createLoadShedder, type RefusalAnswer } from "./load-shedder.ts";
import { admissionMetrics } from "./metrics.ts";
import { shedError } from "./permits.ts";
import { rateLimitHeaderWriter } from "./rate-limit-headers.ts";
import { rateLimitCounter } from "./rate-limit-metrics.ts";
import { RefusalLog } from "./refusal-log.ts";
import { type CallLimitsByUpstream, createRequestLimiter, type RequestLimits } from "./request-limiter.ts";

/** All that decides which requests work is done for. */
export interface Admission {
  readonly control: AdmissionControl;
  readonly authenticator: Authenticator;
  /**
   * Answers requests that are refused before anything is done for them: while the event loop is late, and for these entry points
   * those of known callers beyond a limit. The function returns false for a request that may go on.
   */
  earlyRefusal(entryPoints: readonly EntryPoint[]): (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): void;
}

export interface AdmissionLimits extends RequestLimits {
  /** Lateness of the event loop from which on requests are shed, ms. */
  readonly shedDelayMs: number;
  readonly failedCredentialsPerMinute: number;
}

export interface AdmissionOptions extends Pick<AuthenticatorOptions, "sourceOf" | "sessionCookie" | "refusals"> {
  readonly limits: AdmissionLimits;
  readonly exchange: RememberingExchange;
  /** Makes the answer for a refusal that many requests get. */
  readonly refusalAnswer: (error: ConnectError) => RefusalAnswer;
  readonly meter: Meter;
  readonly logger: Logger;
  readonly observation: Pick<RequestObservation, "refused">;
}

type AdmissionInstruments = ReturnType<typeof createInstruments<typeof admissionMetrics>>;

/** Calls in flight to services below which the gateway is idle, however late its event loop is. */
const idleCalls = 16;

export function createAdmission(options: AdmissionOptions): Admission {
  const { limits, exchange, sourceOf, sessionCookie } = options;
  const instruments = createInstruments(options.meter, admissionMetrics);
  const { rate_limited_total, requests_shed_total } = instruments;
  const delay = new LoopDelay({ targetMs: limits.shedDelayMs });
  const log = new RefusalLog(options.logger);
  const limiter = createRequestLimiter(limits, (reason) => requests_shed_total.add(1, { reason }));
  const { callLimits } = limiter;
  observeCalls(instruments, callLimits);
  const authenticator = createAuthenticator({
    ...{ exchange, sourceOf, sessionCookie, refusals: options.refusals },
    failedAuth: failedAuthLimiter(limits),
    countAnonymous: (source) => limiter.countAnonymous(source),
    now: () => new Date(),
  });
  const writeRateLimitHeaders = rateLimitHeaderWriter(limits.requestsPerSecond);
  const refused = (request: IncomingMessage, { path, organisationId, reason, shed }: RefusedEarly) => {
    const status = reason === "OVERLOADED" ? 503 : 429;
    rate_limited_total.add(1, { reason });
    if (shed) requests_shed_total.add(1, { reason: shed });
    options.observation.refused(request, { path, status });
    log.add({ reason, status, ...(organisationId === undefined ? {} : { organisationId }) });
  };
  const answers = {
    rate: options.refusalAnswer(rateLimitError("RATE_LIMITED")),
    calls: options.refusalAnswer(shedError("calls")),
    total: options.refusalAnswer(shedError("total")),
  };
  // A loop may be late because others have the processor: refusing then does not help.
  const isIdle = () => callsInFlight(callLimits) < idleCalls;
  const shedder = createLoadShedder({
    ...{ delay, isIdle },
    overloaded: options.refusalAnswer(rateLimitError("OVERLOADED")),
    shed: (request) => refused(request, { path: "", reason: "OVERLOADED", shed: "event_loop" }),
  });
  const control = createAdmissionControl({
    ...{ authenticator, limiter, sourceOf, writeRateLimitHeaders },
    refused: rateLimitCounter(rate_limited_total),
  });
  return {
    control,
    authenticator,
    earlyRefusal(entryPoints) {
      const known = exchange.known.bind(exchange);
      const early = createEarlyRefusal({
        entryPoints,
        preview: limiter.preview,
        known,
        sessionCookie,
        answers,
        writeRateLimitHeaders,
        refused,
      });
      return (request, response) => shedder.refuse(request, response) || early.refuse(request, response);
    },
    close() {
      delay.close();
      log.close();
    },
  };
}

function failedAuthLimiter({
  failedCredentialsPerMinute,
  anonymousConcurrency,
}: AdmissionLimits): FailedCredentialLimiter {
  const bound = anonymousConcurrency === undefined ? {} : { maxInFlight: anonymousConcurrency };
  return new FailedCredentialLimiter({ perMinute: failedCredentialsPerMinute, ...bound });
}

function observeCalls(
  { call_limit, calls_under_way }: Pick<AdmissionInstruments, "call_limit" | "calls_under_way">,
  callLimits: CallLimitsByUpstream,
): void {
  call_limit.observe((report) => {
    for (const [service, { limit }] of callLimits) report(limit, { service });
  });
  calls_under_way.observe((report) => {
    for (const [service, { inFlight }] of callLimits) report(inFlight, { service });
  });
}

function callsInFlight(callLimits: CallLimitsByUpstream): number {
  let calls = 0;
  for (const { inFlight } of callLimits.values()) calls += inFlight;
  return calls;
}
