import { type Link, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { TraceSampler, type TraceSampling } from "./trace-sampler.ts";

const spanOf = (isRemote: boolean, wanted: boolean) => ({
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: wanted ? 1 : 0,
  isRemote,
});
type Parent = ReturnType<typeof spanOf> | undefined;

function sampling(settings: Partial<TraceSampling>, random = 0.5) {
  const clock = { now: 0 };
  const complete = { ratio: 1, perSecond: 2, followsCallers: true, ...settings };
  const sampler = new TraceSampler(complete, { now: () => clock.now, random: () => random });
  const isKept = (parent: Parent, links: Link[] = []) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const { decision } = sampler.shouldSample(context, parent?.traceId ?? "", "x", SpanKind.SERVER, {}, links);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  return { clock, isKept };
}

describe("whether a trace is kept", () => {
  it.each([
    ["begun here, by chance", { ratio: 0.6 }, undefined, true],
    ["begun here, by chance", { ratio: 0.4 }, undefined, false],
    ["within a span of this process that is", { ratio: 0 }, spanOf(false, true), true],
    ["within a span of this process that is not", { ratio: 1 }, spanOf(false, false), false],
    ["of a service that keeps it", { ratio: 0 }, spanOf(true, true), true],
    ["of a service that does not", { ratio: 1 }, spanOf(true, false), false],
    ["of a caller who wants it kept, at the edge", { ratio: 0.4, followsCallers: false }, spanOf(true, true), false],
    ["of a caller who does not, at the edge", { ratio: 0.6, followsCallers: false }, spanOf(true, false), true],
  ] as const)("%s (%j)", (_, settings, parent, kept) => {
    expect(sampling(settings).isKept(parent)).toBe(kept);
  });

  it("follows, for work on several messages, any that is", () => {
    const { isKept } = sampling({ ratio: 0 });
    expect(isKept(undefined, [{ context: spanOf(true, false) }, { context: spanOf(true, true) }])).toBe(true);
    expect(isKept(undefined, [{ context: spanOf(true, false) }])).toBe(false);
  });
});

describe("in one second", () => {
  it("no more are begun than the bound, and again as many in the next", () => {
    const { clock, isKept } = sampling({ perSecond: 2 });
    expect([1, 2, 3].map(() => isKept(undefined))).toEqual([true, true, false]);
    clock.now = 1_000;
    expect(isKept(undefined)).toBe(true);
  });

  it("callers can have no more followed than ten times the bound", () => {
    const { isKept } = sampling({ perSecond: 2 });
    const kept = Array.from({ length: 30 }, () => isKept(spanOf(true, true))).filter(Boolean);
    expect(kept).toHaveLength(20);
  });
});
