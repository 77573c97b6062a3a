import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callerContextHeader, createCredentialExchange, sourceAddressHeader } from "@aiplatform/caller-identity";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  createClient,
  createConnectRouter,
  createRouterTransport,
  type HandlerContext,
} from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { type AdmissionLimits, createAdmission } from "../src/admission.ts";
import { createDoor } from "../src/door.ts";
import { createEdgeServer, stopEdgeServer } from "../src/edge-server.ts";
import { GuessLimit } from "../src/guess-limit.ts";
import { rateLimitHeaders } from "../src/rate-limit-headers.ts";
import { createRpcProxy } from "../src/rpc-proxy.ts";
import { createSourceReader } from "../src/source-address.ts";

export const bodyBytes = 100_000;

/** What the service was asked, and what it does about it. */
export interface RpcService {
  /** Metadata of each call that reached a handler. */
  readonly asked: Headers[];
  /** Calls whose abort a handler has seen. */
  aborted: number;
  /** Streams that are open. */
  open: number;
  /** Connections that were ever made. */
  connections: number;
}

/** The gateway's edge in front of a service of real Connect handlers, with an identity that knows keys by the organisation. */
export interface RpcRig extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly service: RpcService;
  readonly refusals: CallRefused[];
  /** Requests under way in all. */
  readonly taken: () => number;
}

/** Identity, to which the key `good-<organisation>` is good, and `weak-<organisation>` permits nothing. */
const identity = createRouterTransport(({ service }) => {
  service(CredentialService, {
    exchangeCredential({ bearer }) {
      const [strength, organisationId] = bearer.split("-");
      if (!organisationId || !["good", "weak"].includes(strength ?? ""))
        throw new ConnectError("no", Code.Unauthenticated);
      const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
      const permissions = strength === "good" ? ["metrics:read", "models:write"] : [];
      return {
        signedContext: `of-${bearer}`,
        caller: { organisationId, credentialId: bearer, permissions, expiresAt },
      };
    },
  });
});

async function startService(service: RpcService) {
  const note = ({ requestHeader }: HandlerContext) => service.asked.push(new Headers(requestHeader));
  const router = createConnectRouter({ grpc: false });
  router.service(RunService, {
    async getRun({ runId }, context) {
      note(context);
      if (runId !== "waits") return { run: { id: runId } };
      service.open += 1;
      await once(context.signal, "abort");
      service.open -= 1;
      service.aborted += 1;
      throw new ConnectError("aborted", Code.Canceled);
    },
  });
  router.service(RunMetricsService, {
    async *watchRunMetrics(_, context) {
      note(context);
      service.open += 1;
      yield {};
      await once(context.signal, "abort");
      service.open -= 1;
      service.aborted += 1;
    },
  });
  router.service(ExternalOauthService, {
    completeExternalLink(_, context) {
      note(context);
      return {};
    },
  });
  router.service(ModelService, {
    async uploadArtifact(requests, context) {
      note(context);
      let bytes = 0;
      for await (const { data } of requests) bytes += data.length;
      return { sizeBytes: BigInt(bytes) };
    },
  });
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const server = createServer((request, response) => {
    const handler = handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (!handler) return void response.writeHead(404).end();
    handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch(() => response.destroy());
  }).on("connection", () => {
    service.connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

export async function startRpcRig(limits: Partial<AdmissionLimits> & { bodyTimeoutMs?: number } = {}): Promise<RpcRig> {
  const service: RpcService = { asked: [], aborted: 0, open: 0, connections: 0 };
  const upstream = await startService(service);
  const refusals: CallRefused[] = [];
  const admitted = {
    ...{
      requestsPerSecond: 10_000,
      organisationConcurrency: 1_000,
      totalConcurrency: 2_000,
      anonymousPerMinute: 1_000,
    },
    ...limits,
  };
  const real = createAdmission(admitted);
  let taken = 0;
  const counted = async (entering: Promise<() => void>) => {
    const leave = await entering;
    taken += 1;
    return () => {
      taken -= 1;
      leave();
    };
  };
  const door = createDoor({
    exchange: createCredentialExchange({ client: createClient(CredentialService, identity), now: () => new Date() }),
    guesses: new GuessLimit({ perMinute: 1_000 }),
    sourceOf: createSourceReader(["127.0.0.0/8"]),
    countAnonymous: (source) => real.countAnonymous(source),
    refusals: (refused) => void refusals.push(refused),
    now: () => new Date(),
  });
  const proxy = createRpcProxy({
    door,
    admission: {
      enter: (organisationId, tell, call) => counted(real.enter(organisationId, tell, call)),
      enterAnonymous: (source, call) => counted(real.enterAnonymous(source, call)),
    },
    tellBudget: rateLimitHeaders(admitted.requestsPerSecond),
    targets: [
      {
        url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
        services: [RunService, RunMetricsService, ExternalOauthService, ModelService],
      },
    ],
    limits: { bodyBytes, bodyTimeoutMs: limits.bodyTimeoutMs ?? 30_000 },
    connections: admitted.totalConcurrency,
  });
  const server = createEdgeServer((request, response) => {
    if (!proxy.handle(request, response)) response.writeHead(418).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    service,
    refusals,
    taken: () => taken,
    async [Symbol.asyncDispose]() {
      await stopEdgeServer(server, 0);
      await proxy.close();
      upstream.close();
      upstream.closeAllConnections();
    },
  };
}

/** What a call brings that the gateway passed on, of what only the mesh may say. */
export function saidByTheMesh(asked: Headers | undefined): (string | null | undefined)[] {
  return [asked?.get(callerContextHeader), asked?.get(sourceAddressHeader)];
}
