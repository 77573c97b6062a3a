import { type Caller, credentialHeaders } from "@aiplatform/caller-identity";
import type {
  DeploymentService,
  PredictionTarget,
  ResolvePredictionRouteResponse,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { nameRequest, type RequestName } from "@aiplatform/service-host";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";

/** Where the predictions of one deployment go. */
export type PredictionRoute = ResolvePredictionRouteResponse;

type Deployments = Pick<Client<typeof DeploymentService>, "resolvePredictionRoute">;

/** An instance may have to be started first. */
const resolveTimeoutMs = 60_000;
const maxRoutes = 10_000;

/** Routes of the deployments asked for last. Each is kept for as long as deployments says that it holds. */
export class PredictionRoutes {
  readonly #client: Deployments;
  readonly #now: () => number;
  readonly #routes = new LRUCache<string, { route: Promise<PredictionRoute>; until: number }>({ max: maxRoutes });

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(o: { client: Deployments; now: () => number }) {
    this.#client = o.client;
    this.#now = o.now;
  }

  /** The caller has been allowed to ask. @throws ConnectError as ResolvePredictionRoute does */
  of(caller: Caller, deploymentId: string, request: RequestName): Promise<PredictionRoute> {
    const key = keyOf(caller.organisationId, deploymentId);
    const known = this.#routes.get(key);
    if (known && this.#now() < known.until) return known.route;
    const route = this.#ask(caller, deploymentId, request);
    // While it is asked for, all wait for the one answer.
    const entry = { route, until: Number.POSITIVE_INFINITY };
    this.#routes.set(key, entry);
    route.then(
      ({ validMs }) => {
        entry.until = this.#now() + validMs;
      },
      () => {
        if (this.#routes.peek(key) === entry) this.#routes.delete(key);
      },
    );
    return route;
  }

  /** What is known of a deployment holds no more. */
  forget(organisationId: string, deploymentId: string): void {
    this.#routes.delete(keyOf(organisationId, deploymentId));
  }

  async #ask(caller: Caller, deploymentId: string, request: RequestName): Promise<PredictionRoute> {
    const headers = credentialHeaders(caller, "deployments");
    nameRequest(headers, request);
    return await this.#client.resolvePredictionRoute({ deploymentId }, { headers, timeoutMs: resolveTimeoutMs });
  }
}

function keyOf(organisationId: string, deploymentId: string): string {
  return `${organisationId} ${deploymentId}`;
}

/**
 * One of the targets, each as often as its weight says; undefined when there is none but those in `except`. `random` is at
 * least 0 and below 1.
 */
export function chooseTarget(
  targets: readonly PredictionTarget[],
  random: number,
  except: ReadonlySet<string> = new Set(),
): PredictionTarget | undefined {
  const candidates = targets.filter(({ url, weight }) => weight > 0 && !except.has(url));
  let left = random * candidates.reduce((sum, { weight }) => sum + weight, 0);
  return candidates.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}
