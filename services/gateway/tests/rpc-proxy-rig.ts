import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callerContextHeader, sourceAddressHeader } from "@aiplatform/caller-identity";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { listenOnLoopback, serviceAssertions } from "@aiplatform/testkit";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  createConnectRouter,
  createRouterTransport,
  type HandlerContext,
} from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { RequestLimits } from "../src/admission/request-limiter.ts";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { createRpcProxy } from "../src/rpc/proxy.ts";
import { createAdmissionRig } from "./admission-rig.ts";

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
  /** Has the service go away. */
  readonly stopService: () => void;
}

/** Identity, to which the key `good-<organisation>` is good, and `weak-<organisation>` permits nothing. */
const identity = createRouterTransport(({ service }) => {
  service(CredentialService, {
    exchangeCredential({ bearer }) {
      const [strength, organisationId] = bearer.split("-");
      if (!organisationId || !["good", "weak"].includes(strength ?? ""))
        throw new ConnectError("no", Code.Unauthenticated);
      const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
      const permissions = strength === "good" ? ["metrics:read", "metrics:report", "models:write"] : [];
      return {
        signedContext: `of-${bearer}`,
        caller: { organisationId, credentialId: bearer, permissions, expiresAt },
      };
    },
  });
});

/** Longer than what a service sends as it is. */
const manyDetails = {
  desc: BadRequestSchema,
  value: {
    fieldViolations: Array.from({ length: 100 }, (_, at) => ({ field: `field_${at}`, description: "is wrong" })),
  },
};

async function startService(service: RpcService) {
  const note = ({ requestHeader }: HandlerContext) => service.asked.push(new Headers(requestHeader));
  const router = createConnectRouter({ grpc: false, acceptCompression: [compressionGzip] });
  router.service(RunService, {
    async getRun({ runId }, context) {
      note(context);
      if (runId === "refused") throw new ConnectError("refused", Code.NotFound, undefined, [manyDetails]);
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
  router.service(TrainerService, {
    async *report(requests, context) {
      note(context);
      service.open += 1;
      try {
        for await (const { counter } of requests) yield { durableCounter: counter };
      } finally {
        service.open -= 1;
      }
    },
  });
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const server = createServer((request, response) => {
    const handler = handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (!handler) return void response.writeHead(404).end();
    // As the host of services does: Node's HTTP/1.1 carries both directions at once.
    handler({ ...universalRequestFromNodeRequest(request, response, undefined, undefined), httpVersion: "2.0" })
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch(() => response.destroy());
  }).on("connection", () => {
    service.connections += 1;
  });
  await listenOnLoopback(server);
  return server;
}

interface RpcRigLimits extends Partial<RequestLimits> {
  readonly bodyTimeoutMs?: number;
  /** Of the edge. */
  readonly requestTimeoutMs?: number;
}

export async function startRpcRig(limits: RpcRigLimits = {}): Promise<RpcRig> {
  const service: RpcService = { asked: [], aborted: 0, open: 0, connections: 0 };
  const upstream = await startService(service);
  const { bodyTimeoutMs = 30_000, requestTimeoutMs = 30_000, ...requestLimits } = limits;
  const { control, sourceOf, refusals, taken } = createAdmissionRig(identity, {
    trustedProxies: ["127.0.0.0/8"],
    ...requestLimits,
  });
  const proxy = createRpcProxy(control, {
    assertions: serviceAssertions("gateway"),
    sourceOf,
    targets: [
      {
        upstream: "training",
        url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
        services: [RunService, RunMetricsService, ExternalOauthService, ModelService, TrainerService],
      },
    ],
    limits: { bodyBytes, bodyTimeoutMs },
    maxConnectionsPerService: limits.totalConcurrency ?? 2_000,
  });
  const server = createEdgeServer(
    (request, response) => {
      if (!proxy.entryPoint.handle(request, response)) response.writeHead(418).end();
    },
    {
      takesStream: proxy.takesStream,
      limits: { requestTimeoutMs, headersTimeoutMs: Math.min(requestTimeoutMs, 10_000) },
    },
  );
  const port = await listenOnLoopback(server);
  const stopService = () => {
    upstream.close();
    upstream.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    service,
    refusals,
    taken,
    stopService,
    async [Symbol.asyncDispose]() {
      await stopEdgeServer(server, 0);
      await proxy.close();
      stopService();
    },
  };
}

/** What a call brings that the gateway passed on, of what only the mesh may say. */
export function saidByTheMesh(asked: Headers | undefined): (string | null | undefined)[] {
  return [asked?.get(callerContextHeader), asked?.get(sourceAddressHeader)];
}
