import { serviceNames } from "@aiplatform/service-keys";
import type { DescMethod } from "@bufbuild/protobuf";
import { createContextKey, type Interceptor } from "@connectrpc/connect";
import { isInternal, servicesThatMayCall } from "./access-rule.ts";
import { refusal, serviceNotAllowed } from "./refusal.ts";
import { type ServiceAssertions, serviceAssertionHeader } from "./service-assertion.ts";
import { meshAudience } from "./signed-context.ts";

/** The service that exchanges credentials for callers from outside, and passes on what they ask. */
const edge = "gateway";

/** What a service asks of the services that call it. */
export interface ServiceTrust {
  readonly assertions: ServiceAssertions;
  /** Whether calls without an assertion pass, while services of a version that makes none still run. */
  readonly acceptsMissing: boolean;
}

/** Where the interceptor leaves which service calls, for what comes after it. */
export const callingServiceKey = createContextKey<string | undefined>(undefined, { description: "calling service" });

/** Finds out which service calls, and lets an internal RPC be called only by those that the contract names. */
export function callingServiceInterceptor({ assertions, acceptsMissing }: ServiceTrust): Interceptor {
  return (next) => async (request) => {
    const assertion = request.header.get(serviceAssertionHeader);
    const service = assertion === null ? undefined : await assertions.verify(assertion);
    request.contextValues.set(callingServiceKey, service);
    if (isForServices(request.method) && !(service === undefined && acceptsMissing)) {
      assertMayCall(service, request.method);
    }
    return next(request);
  };
}

/** The audiences for which a service believes the signed context of a call. */
export type ContextAudiences = (method: DescMethod, callingService: string | undefined) => readonly string[];

/**
 * The gateway has a context for each service. Another service has its own, and calls with it what the contract lets it
 * call. Without `trust` nothing is asked of the caller, and contexts are for all of the mesh.
 * @throws ConnectError UNAUTHENTICATED, PERMISSION_DENIED
 */
export function contextAudiences(trust: ServiceTrust | undefined): ContextAudiences {
  if (!trust) return () => [meshAudience];
  const { assertions, acceptsMissing } = trust;
  const mesh = acceptsMissing ? [meshAudience] : [];
  return (method, service) => {
    if (service === undefined && acceptsMissing) return mesh;
    if (service === edge) return [assertions.service, ...mesh];
    assertMayCall(service, method);
    return [service, ...mesh];
  };
}

/** Whom contexts are signed for that a service asks for: each service that it calls with them. */
export function audiencesOf(service: string | undefined): readonly string[] {
  if (service === edge) return serviceNames.filter((each) => each !== edge);
  return service === undefined ? [] : [service];
}

function isForServices(method: DescMethod): boolean {
  return isInternal(method) && servicesThatMayCall(method).length > 0;
}

function assertMayCall(service: string | undefined, method: DescMethod): asserts service is string {
  if (service === undefined) throw refusal("SERVICE_ASSERTION_MISSING");
  if (!servicesThatMayCall(method).includes(service)) throw serviceNotAllowed(service);
}
