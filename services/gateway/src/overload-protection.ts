import type { IncomingMessage } from "node:http";
import { type Logger, LoopDelay } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { type Admission, type AdmissionLimits, createAdmission, type Foresight } from "./admission.ts";
import { usualCallLimits } from "./call-limit.ts";
import type { GatewayConfig } from "./config.ts";
import { countPutOff } from "./count-put-off.ts";
import type { RefusedEarly } from "./early-refusal.ts";
import { overloadMetrics } from "./gateway-metrics.ts";
import { GuessLimit } from "./guess-limit.ts";
import { createOverloadGuard, type OverloadGuard } from "./overload-guard.ts";
import { RefusalLog } from "./refusal-log.ts";
import type { RequestObservation } from "./request-observation.ts";

/** What keeps more requests out than can be answered in time. */
export interface OverloadProtection {
  readonly guard: OverloadGuard;
  readonly admission: Admission;
  readonly foresight: Foresight;
  readonly guesses: Pick<GuessLimit, "attempt">;
  /** Counts a request that was refused early. */
  readonly refused: (request: IncomingMessage, refused: RefusedEarly) => void;
  close(): void;
}

interface ProtectionParts {
  readonly meter: Meter;
  readonly logger: Logger;
  readonly observation: Pick<RequestObservation, "refused">;
}

/** Calls under way to services below which the gateway is idle, however late its event loop is. */
const idleCalls = 16;

/** With the limits of the settings, and their state and refusals as metrics. */
export function protectFromOverload(
  { meter, logger, observation }: ProtectionParts,
  config: GatewayConfig,
): OverloadProtection {
  const { rate_limited_total, requests_shed_total, call_limit, calls_under_way } = createInstruments(
    meter,
    overloadMetrics,
  );
  const delay = new LoopDelay({ targetMs: config.SHED_DELAY_MS });
  const log = new RefusalLog(logger);
  const real = createAdmission(limitsOf(config), (reason) => requests_shed_total.add(1, { reason }));
  const { callLimits } = real;
  call_limit.observe((tell) => {
    for (const [service, { limit }] of callLimits) tell(limit, { service });
  });
  calls_under_way.observe((tell) => {
    for (const [service, { underWay }] of callLimits) tell(underWay, { service });
  });
  const refused: OverloadProtection["refused"] = (request, { path, organisationId, reason, shed }) => {
    const status = reason === "OVERLOADED" ? 503 : 429;
    rate_limited_total.add(1, { reason });
    if (shed) requests_shed_total.add(1, { reason: shed });
    observation.refused(request, { path, status });
    log.add({ reason, status, ...(organisationId === undefined ? {} : { organisationId }) });
  };
  // A loop may be late because others have the processor: refusing then does not help.
  const isIdle = () => {
    let underWay = 0;
    for (const limit of callLimits.values()) underWay += limit.underWay;
    return underWay < idleCalls;
  };
  const shed = (request: IncomingMessage) => refused(request, { path: "", reason: "OVERLOADED", shed: "event_loop" });
  const guard = createOverloadGuard(delay, shed, isIdle);
  const guesses = new GuessLimit({
    perMinute: config.FAILED_CREDENTIALS_PER_MINUTE,
    underWay: config.ANONYMOUS_CONCURRENCY,
  });
  const close = () => {
    delay.close();
    log.close();
  };
  return { guard, foresight: real, refused, ...countPutOff(rate_limited_total, { admission: real, guesses }), close };
}

function limitsOf(config: GatewayConfig): AdmissionLimits {
  return {
    requestsPerSecond: config.REQUESTS_PER_SECOND,
    organisationConcurrency: config.ORGANISATION_CONCURRENCY,
    totalConcurrency: config.TOTAL_CONCURRENCY,
    anonymousPerMinute: config.ANONYMOUS_REQUESTS_PER_MINUTE,
    anonymousConcurrency: config.ANONYMOUS_CONCURRENCY,
    calls: { ...usualCallLimits, slackMs: config.CALL_SLACK_MS },
  };
}
