import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "@aiplatform/caller-identity";
import { DeploymentService, type PredictionTarget } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { HttpError, requestIdOf, writeError } from "@aiplatform/transcoder";
import { type Entrance, enterKnown } from "./admit-caller.ts";
import { PredictionBody } from "./prediction-proxy-body.ts";
import { createInstanceAgent, InstanceUnreachableError, passOn, StaleTokenError } from "./prediction-proxy-hop.ts";
import { isPredictionPath, readPredictionPath } from "./prediction-proxy-path.ts";
import { chooseTarget, type PredictionRoute, type PredictionRoutes } from "./prediction-proxy-routes.ts";

/** Passes what is below a deployment's /v2 on to an instance that serves it. */
export interface PredictionProxy {
  /** Takes a request when it is for a prediction. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Closes its connections to instances. */
  close(): Promise<void>;
}

export interface PredictionProxyParts extends Entrance {
  readonly routes: PredictionRoutes;
  /** At least 0 and below 1; divides predictions among versions. */
  readonly random: () => number;
  /** Told of each request before it is answered; puts the trace into the headers. */
  readonly observe?: (request: IncomingMessage, metadata: Headers) => void;
}

/** The RPC whose permission lets predictions be asked for. */
const method = DeploymentService.method.resolvePredictionRoute;

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly trace: Headers;
}

export function createPredictionProxy(parts: PredictionProxyParts): PredictionProxy {
  const agent = createInstanceAgent();

  const serve = async (visit: Visit) => {
    const { request, response, requestId } = visit;
    try {
      const { caller, leave } = await enterKnown(parts, { request, requestId, method, response });
      try {
        await predict(visit, caller);
      } finally {
        leave();
      }
    } catch (error) {
      // The rest of the request's body stays unread.
      if (!request.complete) response.shouldKeepAlive = false;
      writeError(request, response, error, { requestId });
    }
  };

  const predict = async (visit: Visit, caller: Caller) => {
    const { request, requestId } = visit;
    const path = readPredictionPath(request.url ?? "");
    if (!path) throw new HttpError(404, "Not found", "not_found");
    const { deploymentId, asked } = path;
    const unreachable = new Set<string>();
    let body: PredictionBody | undefined;
    // The second time for a route that no longer held: its instance ended, or its address is now another's.
    for (let attempt = 1; ; attempt++) {
      const route = await parts.routes.of(caller, deploymentId, requestId);
      const { timeoutMs } = route;
      const target = targetOf(route, unreachable);
      body ??= new PredictionBody(request, Number(route.maxBodyBytes));
      try {
        await passOn(agent, { ...visit, target, body, asked, timeoutMs });
        return;
      } catch (error) {
        const isStale = error instanceof InstanceUnreachableError || error instanceof StaleTokenError;
        const isOurs = !(error instanceof HttpError) || error.status >= 500;
        if (isOurs) parts.routes.forget(caller.organisationId, deploymentId);
        if (!isStale) throw error;
        if (attempt > 1 || error instanceof StaleTokenError) throw nothingServes();
        unreachable.add(target.url);
      }
    }
  };

  const targetOf = (route: PredictionRoute, except: Set<string>): PredictionTarget => {
    const target = chooseTarget(route.targets, parts.random(), except);
    if (!target) throw nothingServes();
    return target;
  };

  return {
    handle(request, response) {
      if (!isPredictionPath(request.url ?? "")) return false;
      const trace = new Headers();
      parts.observe?.(request, trace);
      const requestId = requestIdOf(request.headers["x-request-id"]);
      if (request.method === "OPTIONS") response.writeHead(204, { allow }).end();
      else if (isAllowed(request)) void serve({ request, response, requestId, trace });
      else writeError(request, response, methodNotAllowed(), { requestId });
      return true;
    },
    close: () => agent.destroy(),
  };
}

/** The protocol's two, and what HTTP adds to them. */
const allow = "GET, HEAD, POST, OPTIONS";

function isAllowed({ method = "" }: IncomingMessage): boolean {
  return allow.split(", ").includes(method);
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, "Method Not Allowed", "method_not_allowed", { allow });
}

function nothingServes(): HttpError {
  const detail = "The deployment does not answer at the moment; try again";
  return new HttpError(503, detail, "deployment_unavailable", { "retry-after": "1" });
}
