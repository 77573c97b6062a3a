import {
  accessInterceptor,
  authenticationInterceptor,
  callingServiceInterceptor,
  contextAudiences,
  type FailedCredentialLimiter,
  type ServiceTrust,
} from "@aiplatform/caller-identity";
import type { Interceptor } from "@connectrpc/connect";
import { createValidateInterceptor } from "@connectrpc/validate";
import type { Meter, Tracer } from "@opentelemetry/api";
import type { Callers } from "./callers.ts";
import { credentialSource } from "./interceptors/credential-source.ts";
import { deadlineInterceptor } from "./interceptors/deadline.ts";
import { type ErrorTable, errorMappingInterceptor } from "./interceptors/error-mapping.ts";
import { idNormalizationInterceptor } from "./interceptors/id-normalization.ts";
import { jsonValidationInterceptor } from "./interceptors/json-validation.ts";
import { observationInterceptor } from "./interceptors/observation.ts";
import { type RefusalRecording, refusalRecordInterceptor } from "./interceptors/refusal-record.ts";
import { requestIdInterceptor } from "./interceptors/request-id.ts";
import { traceInterceptor } from "./interceptors/trace.ts";
import type { Logger } from "./logger.ts";

export interface InterceptorParts {
  readonly tracer: Tracer;
  readonly meter: Meter;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly errors: ErrorTable;
  /** Whether an error that says no reason gets the name of its code as its reason; default true. */
  readonly addsReasons?: boolean;
  readonly callers: Callers;
  /** Counts bad credentials by the address that they come from. */
  readonly failedCredentials: Pick<FailedCredentialLimiter, "attempt">;
  /** What is asked of services that call. Absent: nothing. */
  readonly trust: ServiceTrust | undefined;
  /** Absent: refusals are not recorded. */
  readonly recording?: RefusalRecording;
}

/** One for all services of a process: what it compiles of the rules is the same for each. */
const validation = createValidateInterceptor();

/** Everything a call passes on its way to the handler, outermost first; the same on both ports, once per call. */
export function serverInterceptors(parts: InterceptorParts): { name: string; interceptor: Interceptor }[] {
  const { trust } = parts;
  const authentication = authenticationInterceptor({
    ...parts.callers,
    audiences: contextAudiences(trust),
    sourceOf: credentialSource(parts.failedCredentials),
  });
  return [
    { name: "trace", interceptor: traceInterceptor(parts.tracer) },
    { name: "request id", interceptor: requestIdInterceptor(parts.newId) },
    { name: "log and metrics", interceptor: observationInterceptor(parts) },
    ...(parts.recording ? [{ name: "refusal record", interceptor: refusalRecordInterceptor(parts.recording) }] : []),
    { name: "error mapping", interceptor: errorMappingInterceptor(parts) },
    { name: "deadline", interceptor: deadlineInterceptor() },
    ...(trust ? [{ name: "calling service", interceptor: callingServiceInterceptor(trust) }] : []),
    { name: "authentication", interceptor: authentication },
    { name: "access", interceptor: accessInterceptor() },
    { name: "validation", interceptor: validation },
    { name: "JSON validation", interceptor: jsonValidationInterceptor() },
    { name: "id normalization", interceptor: idNormalizationInterceptor() },
  ];
}
