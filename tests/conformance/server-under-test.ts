// A server of the host's for the conformance runner: reads on standard input what is wanted, says on standard output
// where it is, and serves until it is told to stop.
import { readFileSync } from "node:fs";
import { hostSettings, readSettings, runUntilSignal, startService } from "@aiplatform/service-host";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { conformanceRpc, hostTimeoutMs } from "./conformance-rpc.ts";
import { protocolGrpc, readConformanceSchema } from "./conformance-service.ts";

const [, , schemaPath = ""] = process.argv;
const schema = readConformanceSchema(schemaPath);
const lengthBytes = 4;
const wanted = fromBinary(schema.serverRequest, readFileSync(process.stdin.fd).subarray(lengthBytes));

await runUntilSignal(async () => {
  const noCaller = { verify: () => Promise.reject(new ConnectError("no caller is known here", Code.Unauthenticated)) };
  const service = await startService({
    name: "conformance",
    config: readSettings(hostSettings, {
      HOST: "127.0.0.1",
      GRPC_PORT: "0",
      HTTP_PORT: "0",
      ADMIN_PORT: "0",
      LOG_LEVEL: "silent",
      CALL_TIMEOUT_MS: String(hostTimeoutMs),
      ...(wanted.messageReceiveLimit > 0 ? { MAX_MESSAGE_BYTES: String(wanted.messageReceiveLimit) } : {}),
    }),
    services: [schema.service],
    errors: new Map(),
    callers: { verifier: noCaller },
    start: async () => ({
      checks: {},
      close: [],
      routes: (router) => router.service(schema.service, conformanceRpc(schema)),
    }),
  });
  const { grpc, http } = service.addresses;
  const url = new URL(wanted.protocol === protocolGrpc ? `http://${grpc}` : http);
  const answer = create(schema.serverResponse, { host: url.hostname, port: Number(url.port) });
  const bytes = toBinary(schema.serverResponse, answer);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.length);
  process.stdout.write(Buffer.concat([length, bytes]));
  return service;
});
