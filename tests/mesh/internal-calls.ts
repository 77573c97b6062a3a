import { join } from "node:path";
import { isInternal, ServiceAssertions, servicesThatMayCall } from "@aiplatform/caller-identity";
import { assertionInterceptor } from "@aiplatform/service-host";
import { keepServiceKeys, ServiceKeys } from "@aiplatform/service-keys";
import type { Interceptor } from "@connectrpc/connect";

/** Proves to be a service of a local platform, with the key that its directory holds. */
export function assertionsOf(directory: string, service: string): ServiceAssertions {
  const keysOf = keepServiceKeys(join(directory, "secrets", "service-keys"));
  return new ServiceAssertions(new ServiceKeys(keysOf(service), { service }), () => new Date());
}

/** Calls each internal RPC as a service that may call it, and every other RPC as a caller from outside. */
export function internalCalls(directory: string): Interceptor {
  const byService = new Map<string, Interceptor>();
  return (next) => (request) => {
    const [service] = isInternal(request.method) ? servicesThatMayCall(request.method) : [];
    if (service === undefined) return next(request);
    const calling = byService.get(service) ?? assertionInterceptor(assertionsOf(directory, service));
    byService.set(service, calling);
    return calling(next)(request);
  };
}
