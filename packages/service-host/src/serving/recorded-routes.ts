import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  type ConnectRouter,
  createMethodImplSpec,
  createServiceImplSpec,
  type MethodImplSpec,
  type ServiceImplSpec,
} from "@connectrpc/connect";

/** What a service implements, recorded once so that two servers can serve the same objects. */
export interface RecordedRoutes {
  readonly services: readonly ServiceImplSpec[];
  /** Registers everything with a router of Connect's. */
  readonly replay: (router: ConnectRouter) => void;
}

/** An RPC is declared for serving but has no implementation, or the other way round. */
class RoutesMismatchError extends Error {
  override name = "RoutesMismatchError";
}

/** Runs `routes` once and keeps what it registers. @throws RoutesMismatchError when it differs from `declared`. */
export function recordRoutes(
  routes: (router: ConnectRouter) => void,
  declared: readonly DescService[],
): RecordedRoutes {
  const methods = new Map<DescMethod, MethodImplSpec>();
  const registered = new Set<DescService>();
  const router: ConnectRouter = {
    handlers: [],
    service(service, implementation) {
      registered.add(service);
      for (const spec of Object.values(createServiceImplSpec(service, implementation).methods)) {
        methods.set(spec.method, spec);
      }
      return router;
    },
    rpc(method, implementation) {
      registered.add(method.parent);
      methods.set(method, createMethodImplSpec(method, implementation));
      return router;
    },
  };
  routes(router);
  assertSame(registered, declared);
  const services = [...registered].map((service) => ({ service, methods: methodsOf(service, methods) }));
  return {
    services,
    replay(target) {
      for (const spec of methods.values()) target.rpc(spec.method, spec.impl);
    },
  };
}

function methodsOf(
  service: DescService,
  methods: ReadonlyMap<DescMethod, MethodImplSpec>,
): Record<string, MethodImplSpec> {
  const found = service.methods.flatMap((method) => {
    const spec = methods.get(method);
    return spec ? [[method.localName, spec] as const] : [];
  });
  return Object.fromEntries(found);
}

function assertSame(registered: ReadonlySet<DescService>, declared: readonly DescService[]): void {
  const missing = declared.filter((service) => !registered.has(service)).map((service) => service.typeName);
  const extra = [...registered].filter((service) => !declared.includes(service)).map((service) => service.typeName);
  if (missing.length > 0) throw new RoutesMismatchError(`declared but not implemented: ${missing.join(", ")}`);
  if (extra.length > 0) throw new RoutesMismatchError(`implemented but not declared: ${extra.join(", ")}`);
}
