import type { Caller } from "@aiplatform/caller-identity";
import { DeploymentService, type PredictionTarget } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { Logger } from "@aiplatform/service-host";
import { HttpError, writeError } from "@aiplatform/transcoder";
import type { AdmissionControl, AdmissionTarget, EntryPoint, Exchange } from "../admission/admission-control.ts";
import type { RequestObservation } from "../edge/request-observation.ts";
import { PredictionBody } from "./body.ts";
import { createInstanceAgent, InstanceUnreachableError, passOn, StaleTokenError } from "./hop.ts";
import { type InstanceTrust, logUntrustedInstances, UntrustedInstanceError } from "./instance-trust.ts";
import { isPredictionPath, predictionRoute, readPredictionPath } from "./path.ts";
import { chooseTarget, type PredictionRoute, type PredictionRoutes } from "./routes.ts";

/** Passes what is below a deployment's /v2 on to an instance that serves it. */
export interface PredictionProxy {
  readonly entryPoint: EntryPoint;
  /** Closes its connections to instances. */
  close(): Promise<void>;
}

export interface PredictionProxyOptions {
  readonly routes: PredictionRoutes;
  /** At least 0 and below 1; divides predictions among versions. */
  readonly random: () => number;
  readonly observation: Pick<RequestObservation, "operation">;
  readonly trust: InstanceTrust;
  readonly logger: Pick<Logger, "error">;
}

/** The permission to resolve a route lets predictions be asked for. An instance takes its time, so it is no call of a service, but work like one. */
const target: AdmissionTarget = {
  path: predictionRoute,
  method: DeploymentService.method.resolvePredictionRoute,
  isPublic: false,
  takesApiKey: false,
  takesSession: true,
  demand: "prediction",
};
/** The protocol's two, and what HTTP adds to them. */
const methods: readonly (string | undefined)[] = ["GET", "HEAD", "POST"];
const allow = [...methods, "OPTIONS"].join(", ");

type PredictionExchange = Exchange<{ readonly trace: Headers }>;

export function createPredictionProxy(control: AdmissionControl, options: PredictionProxyOptions): PredictionProxy {
  const agent = createInstanceAgent(options.trust);
  const predict = createPredict(agent, options);
  const entryPoint = control.entryPoint<PredictionExchange["match"]>({
    showsRateLimit: true,
    refundsUnavailable: false,
    match: ({ url = "" }) => (isPredictionPath(url) ? { trace: new Headers() } : undefined),
    target: (_, { method }) => (methods.includes(method) ? target : undefined),
    begin: ({ match, request }) => options.observation.operation(request, { path: predictionRoute }, match.trace),
    decline({ request, response, requestId }) {
      if (request.method === "OPTIONS") response.writeHead(204, { allow }).end();
      else writeError(request, response, methodNotAllowed(), { requestId });
    },
    serve: (exchange, { caller }) => predict(exchange, caller),
    fail({ request, response, requestId }, error) {
      // The rest of the request's body stays unread.
      if (!request.complete) response.shouldKeepAlive = false;
      writeError(request, response, error, { requestId });
    },
  });
  return { entryPoint, close: () => agent.destroy() };
}

/** Asks an instance for what was asked, and a second one where the first could not be asked. */
function createPredict(
  agent: ReturnType<typeof createInstanceAgent>,
  { routes, random, ...options }: PredictionProxyOptions,
) {
  const logUntrusted = logUntrustedInstances(options.logger);

  const instanceOf = (route: PredictionRoute, except: Set<string>): PredictionTarget => {
    const instance = chooseTarget(route.targets, random(), except);
    if (!instance) throw nothingServes();
    return instance;
  };

  return async ({ match, request, response, ...name }: PredictionExchange, caller: Caller) => {
    const path = readPredictionPath(request.url ?? "");
    if (!path) throw new HttpError(404, "Not found", "not_found");
    const { deploymentId, asked } = path;
    const unreachable = new Set<string>();
    let body: PredictionBody | undefined;
    // The second time for a route that no longer held: its instance ended, or its address is now another's.
    for (let attempt = 1; ; attempt++) {
      const route = await routes.of(caller, deploymentId, name);
      const { timeoutMs } = route;
      const instance = instanceOf(route, unreachable);
      body ??= new PredictionBody(request, Number(route.maxBodyBytes));
      const { trace } = match;
      const { requestId } = name;
      try {
        await passOn(agent, { request, response, requestId, trace, target: instance, body, asked, timeoutMs });
        return;
      } catch (error) {
        const isStale = error instanceof InstanceUnreachableError || error instanceof StaleTokenError;
        const isOurs = !(error instanceof HttpError) || error.status >= 500;
        if (isOurs) routes.forget(caller.organisationId, deploymentId);
        if (error instanceof UntrustedInstanceError) {
          logUntrusted(instance.url, error.message);
          throw untrusted();
        }
        if (!isStale) throw error;
        if (attempt > 1 || error instanceof StaleTokenError) throw nothingServes();
        unreachable.add(instance.url);
      }
    }
  };
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, "Method Not Allowed", "method_not_allowed", { allow });
}

function untrusted(): HttpError {
  return new HttpError(502, "The instance does not prove that it is one of the platform's", "instance_untrusted");
}

function nothingServes(): HttpError {
  const detail = "The deployment does not answer at the moment; try again";
  return new HttpError(503, detail, "deployment_unavailable", { "retry-after": "1" });
}
