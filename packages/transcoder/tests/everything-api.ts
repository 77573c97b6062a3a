import type { IncomingMessage } from "node:http";
import { createRouterTransport } from "@connectrpc/connect";
import {
  type ApiOptions,
  type CallContext,
  callerFromImplementations,
  callerFromTransport,
  createFetchHandler,
  createTranscoder,
  type DescribeOptions,
  type TranscoderLimits,
} from "../src/index.ts";
import { compileProtoFile } from "./compiled-proto.ts";
import { everythingImplementation, type Seen } from "./everything-service.ts";
import { fetchClient, type TestClient } from "./fetch-client.ts";
import { serverClient } from "./server-client.ts";
import { listen, type TestServer } from "./test-server.ts";

export interface EverythingApi extends TestClient, AsyncDisposable {
  readonly seen: Seen;
  readonly failures: unknown[];
}

export interface EverythingServer extends EverythingApi {
  readonly server: TestServer;
}

export interface EverythingOptions {
  readonly limits?: TranscoderLimits;
  readonly prepare?: (request: IncomingMessage | Request) => Promise<CallContext>;
  readonly strict?: DescribeOptions["strict"];
  /** Whether the service is called straight, or over Connect's router transport. */
  readonly direct?: boolean;
}

export interface Surface extends Pick<EverythingOptions, "direct"> {
  readonly form: "node:http" | "fetch";
}

/** The forms in which the same requests must have the same answers. */
export const forms: readonly Pick<Surface, "form">[] = [{ form: "node:http" }, { form: "fetch" }];

/** The ways in which they must, calls included. */
export const surfaces: readonly (Surface & { name: string })[] = forms.flatMap(({ form }) => [
  { name: `${form} and a transport`, form, direct: false },
  { name: `${form} and a direct call`, form, direct: true },
]);

/** The test service as a REST API: on a real server, or as a handler that is called with a Request. */
export async function startEverything(options: EverythingOptions & Partial<Surface> = {}): Promise<EverythingApi> {
  if (options.form !== "fetch") return startEverythingServer(options);
  const { prepare } = options;
  const { shared, seen, failures } = await everythingOptions(options);
  const handler = createFetchHandler({
    ...shared,
    ...(prepare === undefined ? {} : { prepare: ({ request }) => prepare(request) }),
  });
  return { ...fetchClient(handler), seen, failures, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** The test service as a REST API on a real server. */
export async function startEverythingServer(options: EverythingOptions = {}): Promise<EverythingServer> {
  const { prepare } = options;
  const { shared, seen, failures } = await everythingOptions(options);
  const transcoder = createTranscoder({
    ...shared,
    ...(prepare === undefined ? {} : { prepare: (_operation, request) => prepare(request) }),
  });
  const server = await listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end("not ours");
  });
  return {
    ...serverClient(server),
    server,
    seen,
    failures,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What the test service is served with, and what is seen of it. */
export async function everythingOptions({ limits = {}, strict, direct = false }: EverythingOptions) {
  const service = (await compileProtoFile("everything.proto")).service("everything.v1.EverythingService");
  const seen: Seen = { headers: [], timeouts: [], streamsEnded: 0, ticks: 0, cancelled: 0, waiting: 0, scrolls: 0 };
  const failures: unknown[] = [];
  const implementation = everythingImplementation(service, seen);
  const transport = createRouterTransport(implementation);
  const shared: ApiOptions = {
    services: [service],
    call: direct ? callerFromImplementations(implementation) : callerFromTransport(() => transport),
    limits,
    ...(strict && { describe: { title: "Everything", version: "1", strict } }),
    onFailure: (error) => failures.push(error),
  };
  return { shared, seen, failures };
}

/** What a 422 lists. */
export interface Listed {
  detail: { type: string; loc: (string | number)[]; msg: string; input?: unknown; ctx?: { error?: string } }[];
}

/** The entries of a 422. */
export async function listed(response: Response): Promise<Listed> {
  return JSON.parse(await response.text());
}
