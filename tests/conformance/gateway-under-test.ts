// The gateway's edge for the conformance runner, in front of a server of the host's: what passes through it has to stay what it was.
import { runUntilSignal } from "@aiplatform/service-host";
import { listenOnLoopback } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { createEdgeServer, stopEdgeServer } from "../../services/gateway/src/edge/server.ts";
import { createRpcProxy } from "../../services/gateway/src/rpc/proxy.ts";
import { createAdmissionRig } from "../../services/gateway/tests/admission-rig.ts";
import { readMessages, writeMessage } from "./compat-messages.ts";
import { startConformanceHost } from "./conformance-host.ts";
import { readConformanceSchema } from "./conformance-service.ts";

const [, , schemaPath = ""] = process.argv;
const schema = readConformanceSchema(schemaPath);
/** The suite calls from one address, without a credential. */
const unlimited = { anonymousPerMinute: 1_000_000, totalConcurrency: 10_000 };
const maxBodyBytes = 64 * 1024 * 1024;

await runUntilSignal(async () => {
  const { value: wanted } = await readMessages(schema.serverRequest).next();
  if (!wanted) throw new Error("the runner wants no server");
  const service = await startConformanceHost(schema, wanted.messageReceiveLimit);
  const { control, sourceOf } = createAdmissionRig(
    createRouterTransport(() => {}),
    unlimited,
  );
  const proxy = createRpcProxy(control, {
    sourceOf,
    targets: [{ upstream: "training", url: service.addresses.http, services: [schema.service] }],
    limits: { bodyBytes: maxBodyBytes, bodyTimeoutMs: 30_000 },
    maxConnectionsPerService: unlimited.totalConcurrency,
  });
  const edge = createEdgeServer(
    (request, response) => {
      if (!proxy.entryPoint.handle(request, response)) response.writeHead(404).end();
    },
    { takesStream: proxy.takesStream },
  );
  const port = await listenOnLoopback(edge);
  writeMessage(schema.serverResponse, create(schema.serverResponse, { host: "127.0.0.1", port }));
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await stopEdgeServer(edge, 0);
      await proxy.close();
      await service[Symbol.asyncDispose]();
    },
  };
});
