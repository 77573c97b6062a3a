// The gateway's edge for the conformance runner, in front of a server of the host's: what passes through it has to stay what it was.
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, runUntilSignal, type WatchedCertificate } from "@aiplatform/service-host";
import { listenOnLoopback, serviceAssertions } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { createEdgeServer, stopEdgeServer } from "../../services/gateway/src/edge/server.ts";
import { openEdgeCertificate } from "../../services/gateway/src/edge/tls.ts";
import { createRpcProxy } from "../../services/gateway/src/rpc/proxy.ts";
import { createAdmissionRig } from "../../services/gateway/tests/admission-rig.ts";
import { readMessages, writeMessage } from "./compat-messages.ts";
import { startConformanceHost } from "./conformance-host.ts";
import { readConformanceSchema, type ServerCompatRequest } from "./conformance-service.ts";

const [, , schemaPath = ""] = process.argv;
const schema = readConformanceSchema(schemaPath);
/** The suite calls from one address, without a credential. */
const unlimited = { anonymousPerMinute: 1_000_000, totalConcurrency: 10_000 };
const maxBodyBytes = 64 * 1024 * 1024;

/** What the runner's clients trust; nothing where they come without TLS. */
async function certificateOf({ useTls, serverCreds }: ServerCompatRequest): Promise<WatchedCertificate | undefined> {
  if (!useTls) return undefined;
  if (!serverCreds) throw new Error("the runner wants TLS and gave no certificate");
  await using directory = await mkdtempDisposable(join(tmpdir(), "conformance-tls-"));
  const files = {
    HTTP_TLS_CERT_FILE: join(directory.path, "tls.crt"),
    HTTP_TLS_KEY_FILE: join(directory.path, "tls.key"),
  };
  await writeFile(files.HTTP_TLS_CERT_FILE, serverCreds.cert);
  await writeFile(files.HTTP_TLS_KEY_FILE, serverCreds.key);
  return openEdgeCertificate(files, createLogger({ service: "gateway", level: "silent" }));
}

await runUntilSignal(async () => {
  const { value: wanted } = await readMessages(schema.serverRequest).next();
  if (!wanted) throw new Error("the runner wants no server");
  const service = await startConformanceHost(schema, wanted.messageReceiveLimit);
  const { control, sourceOf } = createAdmissionRig(
    createRouterTransport(() => {}),
    unlimited,
  );
  const proxy = createRpcProxy(control, {
    assertions: serviceAssertions("gateway"),
    sourceOf,
    targets: [{ upstream: "training", url: service.addresses.http, services: [schema.service] }],
    limits: { bodyBytes: maxBodyBytes, bodyTimeoutMs: 30_000 },
    maxConnectionsPerService: unlimited.totalConcurrency,
  });
  const certificate = await certificateOf(wanted);
  const edge = createEdgeServer(
    (request, response) => {
      if (!proxy.entryPoint.handle(request, response)) response.writeHead(404).end();
    },
    { takesStream: proxy.takesStream, certificate },
  );
  const port = await listenOnLoopback(edge);
  const pemCert = certificate?.options.cert ?? new Uint8Array();
  writeMessage(schema.serverResponse, create(schema.serverResponse, { host: "127.0.0.1", port, pemCert }));
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      certificate?.close();
      await stopEdgeServer(edge, 0);
      await proxy.close();
      await service[Symbol.asyncDispose]();
    },
  };
});
