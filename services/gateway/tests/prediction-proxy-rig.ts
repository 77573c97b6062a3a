import {
  DeploymentService,
  type PredictionTarget,
  PredictionTargetSchema,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { listenOnLoopback } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import type { InstanceTrust } from "../src/predictions/instance-trust.ts";
import { createPredictionProxy } from "../src/predictions/proxy.ts";
import { PredictionRoutes } from "../src/predictions/routes.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";

/** The only deployment that deployments knows in these tests. */
export const deploymentId: string = "0190a0a0-0000-7000-8000-00000000d0d0";
export const instanceToken: string = "token-of-the-tests-0123456789";

/** What deployments answers in these tests, and what may be changed about it. */
export interface KnownRoute {
  targets: PredictionTarget[];
  timeoutMs: number;
  maxBodyBytes: number;
  validMs: number;
  /** Says that nothing serves. */
  isDown: boolean;
}

interface UntrustedInstance {
  readonly url: string;
  readonly reason: string;
}

/** The gateway's edge in front of instances, with an identity and a deployments that answer what they are told to. */
export interface PredictionRig extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly route: KnownRoute;
  readonly caller: { permissions: string[] };
  readonly refusals: CallRefused[];
  /** What was logged of instances that were not believed. */
  readonly untrusted: readonly UntrustedInstance[];
  /** How often deployments was asked. */
  readonly resolved: () => number;
  /** Permits that are held. */
  readonly taken: () => number;
  /** As when deployments says that the deployment changed. */
  readonly changed: () => void;
  /** Asks below the deployment's path with a good credential, unless `init` has headers. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
}

export function target(url: string, o: Partial<PredictionTarget> = {}): PredictionTarget {
  const known = { weight: 100, token: instanceToken, deploymentVersionId: "v1", modelName: "digits", serverName: "" };
  const given = { url, ...known, ...o };
  return create(PredictionTargetSchema, given);
}

/** `trust`: how instances prove themselves. Default: they need not. */
export async function startPredictionRig(
  targets: PredictionTarget[],
  trust: InstanceTrust = { acceptsPlain: true },
): Promise<PredictionRig> {
  const route: KnownRoute = { targets, timeoutMs: 5_000, maxBodyBytes: 1_000_000, validMs: 60_000, isDown: false };
  const caller = { permissions: ["deployments:predict"] };
  let resolved = 0;
  const transport = createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer }) {
        if (bearer !== "good") throw new ConnectError("no", Code.Unauthenticated);
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const { permissions } = caller;
        const known = { organisationId: "o", memberId: "1", credentialId: "c", permissions, expiresAt };
        return { signedContext: "signed", caller: known };
      },
    });
    service(DeploymentService, {
      resolvePredictionRoute(asked) {
        resolved += 1;
        if (asked.deploymentId !== deploymentId) throw new ConnectError("no", Code.NotFound);
        if (route.isDown) throw new ConnectError("Nothing serves", Code.Unavailable);
        return { ...route, maxBodyBytes: BigInt(route.maxBodyBytes) };
      },
    });
  });
  const { control, refusals, taken } = createAdmissionRig(transport, {
    organisationConcurrency: 200,
    totalConcurrency: 200,
  });
  const routes = new PredictionRoutes({
    client: createClient(DeploymentService, transport),
    now: () => performance.now(),
  });
  const untrusted: UntrustedInstance[] = [];
  const proxy = createPredictionProxy(control, {
    ...{ routes, random: Math.random, observation: silentObservation(), trust },
    logger: { error: (facts: UntrustedInstance) => void untrusted.push(facts) },
  });
  const server = createEdgeServer((request, response) => {
    if (!proxy.entryPoint.handle(request, response)) response.writeHead(418).end();
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    route,
    caller,
    refusals,
    untrusted,
    resolved: () => resolved,
    taken,
    changed: () => routes.forget("o", deploymentId),
    ask: (path, init) =>
      fetch(`${url}/platform/deployments/${deploymentId}${path}`, {
        headers: { authorization: "Bearer good" },
        ...init,
      }),
    async [Symbol.asyncDispose]() {
      await stopEdgeServer(server, 100);
      await proxy.close();
    },
  };
}
