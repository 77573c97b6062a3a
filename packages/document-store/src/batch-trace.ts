import { type Context, context, createContextKey, isSpanContextValid, type Link, trace } from "@opentelemetry/api";

const linksKey = createContextKey("aiplatform batch links");

/** Runs the write of a batch in the trace of its first part, linked with those of the others. */
export function withinBatch<R>(parts: readonly Context[], write: () => R): R {
  const [first = context.active(), ...others] = parts;
  const links = others.flatMap((part): Link[] => {
    const span = trace.getSpan(part);
    return span?.isRecording() && isSpanContextValid(span.spanContext()) ? [{ context: span.spanContext() }] : [];
  });
  if (links.length === 0) return context.with(first, write);
  return context.with(first.setValue(linksKey, links), write);
}

/** The traces that the write under way is linked with. */
export function batchLinks(active: Context): Link[] {
  const links = active.getValue(linksKey);
  return Array.isArray(links) ? links : [];
}
