import { withRequestId } from "@aiplatform/telemetry";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";

/** The line that `work` logs, as it is written. */
function lineOf(work: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  work(createLogger({ service: "x", level: "info", destination: { write: (line) => void lines.push(line) } }));
  return lines.join("");
}

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

describe("a log line", () => {
  const names = ["authorization", "api-key", "apiKey", "x-caller-context", "signedContext", "bearer", "cookie"];

  it.each(names)("hides %s at any of the usual depths", (name) => {
    const secret = { [name]: "s3cret" };
    const line = lineOf((logger) => logger.info({ ...secret, headers: secret, request: { headers: secret } }, "x"));
    expect(line).not.toContain("s3cret");
    expect(line.split("[secret]")).toHaveLength(4);
  });

  it("names the request and the trace that it belongs to, and nothing outside of both", () => {
    const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
    const within = trace.setSpanContext(withRequestId(ROOT_CONTEXT, "r1"), span);
    const about = (line: string) => {
      const { request_id, trace_id, span_id } = JSON.parse(line);
      return { request_id, trace_id, span_id };
    };
    expect(about(context.with(within, () => lineOf((logger) => logger.info("x"))))).toEqual({
      request_id: "r1",
      trace_id: span.traceId,
      span_id: span.spanId,
    });
    expect(about(lineOf((logger) => logger.info("x")))).toEqual({});
  });
});
