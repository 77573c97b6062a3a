import { type ServiceAssertions, serviceAssertionHeader } from "@aiplatform/caller-identity";
import type { Interceptor } from "@connectrpc/connect";

/** Proves to each service of the platform that is called which service this is. */
export function assertionInterceptor(assertions: ServiceAssertions): Interceptor {
  return (next) => async (request) => {
    const audience = ownerOf(request.service.typeName);
    if (audience !== undefined) request.header.set(serviceAssertionHeader, await assertions.for(audience));
    return next(request);
  };
}

/** The service that answers the RPCs of `aiplatform.<service>.v1`; undefined for RPCs that others have declared. */
function ownerOf(typeName: string): string | undefined {
  return /^aiplatform\.([a-z]+)\./.exec(typeName)?.[1];
}
