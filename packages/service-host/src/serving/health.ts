import { type Health, HealthCheckResponse_ServingStatus as Status } from "@aiplatform/contract/grpc/health/v1/health";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Alternative, alternativeAt, alternativeHeader } from "../alternative-service.ts";
import type { Readiness } from "../checks/readiness.ts";

/** How often a watcher's answer is looked at again, in milliseconds; a change of phase is told at once. */
const watchEveryMs = 1_000;

interface Served {
  readonly services: ReadonlySet<string>;
  /** Where the same is served over HTTP/1.1; undefined while it is not. */
  readonly alternative: () => Alternative | undefined;
}

/**
 * grpc.health.v1 on top of readiness: `""` and each served service have the status of the whole. Over gRPC an answer names the
 * HTTP port, to which services then move their unary calls.
 */
export function healthService(readiness: Readiness, { services, alternative }: Served): ServiceImpl<typeof Health> {
  const known = (service: string) => service === "" || services.has(service);
  const status = async () => ((await readiness.isReady()) ? Status.SERVING : Status.NOT_SERVING);
  return {
    async check({ service }, { protocolName, responseHeader }) {
      const other = protocolName === "grpc" ? alternative() : undefined;
      if (other) responseHeader.set(alternativeHeader, alternativeAt(other));
      if (!known(service)) throw new ConnectError(`no service ${service} here`, Code.NotFound);
      return { status: await status() };
    },
    async list() {
      const now = { status: await status() };
      return { statuses: Object.fromEntries(["", ...services].map((service) => [service, now])) };
    },
    async *watch({ service }, { signal }) {
      let told: Status | undefined;
      while (!signal.aborted) {
        const now = known(service) ? await status() : Status.SERVICE_UNKNOWN;
        if (now !== told) yield { status: now };
        told = now;
        // The last word of a service that stops: a watcher must not hold its shutdown up.
        if (readiness.phase === "draining") return;
        await phaseOrTime(readiness, signal);
      }
    },
  };
}

function phaseOrTime(readiness: Readiness, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      subscription.close();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const timer = setTimeout(settle, watchEveryMs);
    const subscription = readiness.onPhase(settle);
    signal.addEventListener("abort", settle, { once: true });
    // The phase may have changed while the status was being sent, before this listener was added.
    if (readiness.phase === "draining") settle();
  });
}
