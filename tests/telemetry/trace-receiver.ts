import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A span as it arrived, with the service that sent it. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 2: server, 3: client, 4: producer, 5: consumer. */
  kind: number;
  attributes: Readonly<Record<string, unknown>>;
  links: readonly { traceId: string }[];
  /** The span as it was sent, to look for what must not be in it. */
  text: string;
}

/** What takes traces by OTLP over HTTP, as a collector does. */
export interface TraceReceiver extends AsyncDisposable {
  url: string;
  readonly spans: readonly ReceivedSpan[];
}

interface SentAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: SentAttribute[];
  links?: { traceId: string }[];
}

interface SentTraces {
  resourceSpans: { resource: { attributes: SentAttribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

/** Listens on any free port until it is disposed of. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/v1/traces") spans.push(...spansOf((await json(request)) as SentTraces));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: SentTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)["service.name"]);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        ...{ service, traceId: span.traceId, spanId: span.spanId, name: span.name, kind: span.kind },
        parentSpanId: span.parentSpanId || undefined,
        attributes: valuesOf(span.attributes),
        links: span.links ?? [],
        text: JSON.stringify(span),
      }));
  });
}

function valuesOf(attributes: readonly SentAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
