import type { IncomingMessage } from "node:http";
import { createRouterTransport } from "@connectrpc/connect";
import {
  type CallContext,
  callerFromImplementations,
  callerFromTransport,
  createTranscoder,
  type DescribeOptions,
  type Transcoder,
  type TranscoderLimits,
} from "../src/index.ts";
import { compileProtoFile } from "./compiled-proto.ts";
import { everythingImplementation, type Seen } from "./everything-service.ts";
import { listen, type TestServer } from "./test-server.ts";

export interface EverythingApi extends AsyncDisposable {
  readonly server: TestServer;
  readonly transcoder: Transcoder;
  readonly seen: Seen;
  readonly failures: unknown[];
}

export interface EverythingOptions {
  readonly limits?: TranscoderLimits;
  readonly prepare?: (request: IncomingMessage) => Promise<CallContext>;
  readonly strict?: DescribeOptions["strict"];
  /** Whether the service is called straight, or over Connect's router transport. */
  readonly direct?: boolean;
}

/** The ways in which the same requests must have the same answers. */
export const surfaces: readonly (Pick<EverythingOptions, "direct"> & { name: string })[] = [
  { name: "a transport", direct: false },
  { name: "a direct call", direct: true },
];

/** The test service as a REST API on a real server. */
export async function startEverything({
  limits = {},
  prepare,
  strict,
  direct = false,
}: EverythingOptions = {}): Promise<EverythingApi> {
  const service = (await compileProtoFile("everything.proto")).service("everything.v1.EverythingService");
  const seen: Seen = { headers: [], timeouts: [], streamsEnded: 0, cancelled: 0, waiting: 0 };
  const failures: unknown[] = [];
  const implementation = everythingImplementation(service, seen);
  const transport = createRouterTransport(implementation);
  const transcoder = createTranscoder({
    services: [service],
    call: direct ? callerFromImplementations(implementation) : callerFromTransport(() => transport),
    limits,
    ...(strict && { describe: { title: "Everything", version: "1", strict } }),
    onFailure: (error) => failures.push(error),
    ...(prepare === undefined ? {} : { prepare: (_operation, request) => prepare(request) }),
  });
  const server = await listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end("not ours");
  });
  return { server, transcoder, seen, failures, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** What a 422 lists. */
export interface Listed {
  detail: { type: string; loc: (string | number)[]; msg: string; input?: unknown; ctx?: { error?: string } }[];
}

/** The entries of a 422. */
export async function listed(response: Response): Promise<Listed> {
  return JSON.parse(await response.text());
}
