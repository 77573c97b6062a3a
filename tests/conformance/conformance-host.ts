import { hostSettings, type RunningService, readSettings, startService } from "@aiplatform/service-host";
import { Code, ConnectError } from "@connectrpc/connect";
import { conformanceRpc, hostTimeoutMs } from "./conformance-rpc.ts";
import type { ConformanceSchema } from "./conformance-service.ts";

/** Starts the host that every service runs in, with the suite's service. `maxMessageBytes` 0 stands for the host's default. */
export function startConformanceHost(schema: ConformanceSchema, maxMessageBytes: number): Promise<RunningService> {
  const noCaller = { verify: () => Promise.reject(new ConnectError("no caller is known here", Code.Unauthenticated)) };
  return startService({
    name: "conformance",
    config: readSettings(hostSettings, {
      HOST: "127.0.0.1",
      GRPC_PORT: "0",
      HTTP_PORT: "0",
      ADMIN_PORT: "0",
      LOG_LEVEL: "silent",
      CALL_TIMEOUT_MS: String(hostTimeoutMs),
      ...(maxMessageBytes > 0 ? { MAX_MESSAGE_BYTES: String(maxMessageBytes) } : {}),
    }),
    services: [schema.service],
    errors: new Map(),
    // The suite compares details exactly.
    addsReasons: false,
    callers: { verifier: noCaller },
    start: async () => ({
      checks: {},
      close: [],
      routes: (router) => router.service(schema.service, conformanceRpc(schema)),
    }),
  });
}
