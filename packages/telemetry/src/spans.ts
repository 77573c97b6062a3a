import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** What a piece of work is in a trace. */
export interface Work {
  /** Absent: no span is made. */
  readonly tracer: Tracer | undefined;
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Traces that this work belongs to without being a part of. */
  readonly links?: readonly Link[];
  /** Default: what is under way. */
  readonly parent?: Context;
}

/** Does the work within a span, which ends with it. A failure is marked by its name: its text may quote callers. */
export async function inSpan<R>(o: Work, work: (span: Span | undefined) => Promise<R>): Promise<R> {
  const parent = o.parent ?? context.active();
  if (!o.tracer) return context.with(parent, () => work(undefined));
  const span = startSpan(o.tracer, o, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Does background work, such as a sweep, as the root of a trace of its own. */
export function inBackground<R>(tracer: Tracer | undefined, name: string, work: () => Promise<R>): Promise<R> {
  return inSpan({ tracer, name, parent: ROOT_CONTEXT }, work);
}

/** Marks what failed, and with which kind of error. */
export function markFailed(span: Span, error: unknown): void {
  const kind = error instanceof Error ? error.name : "unknown";
  span.setAttribute("error.type", kind).setStatus({ code: SpanStatusCode.ERROR });
}

function startSpan(tracer: Tracer, { name, kind, attributes = {}, links = [] }: Work, parent: Context): Span {
  return tracer.startSpan(name, { ...(kind === undefined ? {} : { kind }), attributes, links: [...links] }, parent);
}
