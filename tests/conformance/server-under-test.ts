// A server of the host's for the conformance runner: reads on standard input what is wanted, says on standard output
// where it is, and serves until it is told to stop.
import { runUntilSignal } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { readMessages, writeMessage } from "./compat-messages.ts";
import { startConformanceHost } from "./conformance-host.ts";
import { protocolGrpc, readConformanceSchema } from "./conformance-service.ts";

const [, , schemaPath = ""] = process.argv;
const schema = readConformanceSchema(schemaPath);

await runUntilSignal(async () => {
  const { value: wanted } = await readMessages(schema.serverRequest).next();
  if (!wanted) throw new Error("the runner wants no server");
  const service = await startConformanceHost(schema, wanted.messageReceiveLimit);
  const { grpc, http } = service.addresses;
  const url = new URL(wanted.protocol === protocolGrpc ? `http://${grpc}` : http);
  writeMessage(schema.serverResponse, create(schema.serverResponse, { host: url.hostname, port: Number(url.port) }));
  return service;
});
