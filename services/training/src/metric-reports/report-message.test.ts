import { type ReportRequest, ReportRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create, fromBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeReport, encodeReport, reportOf } from "./report-message.ts";

const anyColumn = fc.record({
  name: fc.string({ minLength: 1 }),
  steps: fc.array(fc.nat(0xffffffff)),
  values: fc.array(fc.double()),
  observedAtMs: fc.double({ noNaN: true, min: 0 }),
  agesMs: fc.array(fc.nat(0xffffffff)),
});

const anyRequest = fc
  .record({
    columns: fc.array(anyColumn),
    counter: fc.nat(),
    logs: fc.array(fc.record({ message: fc.string(), source: fc.string() })),
    heartbeat: fc.option(fc.record({ source: fc.integer({ min: 0, max: 3 }) }), { nil: undefined }),
  })
  .map(
    ({ heartbeat, ...rest }): ReportRequest =>
      create(ReportRequestSchema, { ...rest, ...(heartbeat ? { heartbeat } : {}) }),
  );

function plain(report: ReturnType<typeof reportOf>) {
  const columns = report.columns.map(({ name, steps, values, observedAtMs, agesMs = [] }) => ({
    name,
    observedAtMs,
    steps: Array.from(steps),
    values: Array.from(values),
    agesMs: Array.from(agesMs),
  }));
  return { ...report, columns };
}

describe("a stored batch", () => {
  it("is an ordinary ReportRequest", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(fromBinary(ReportRequestSchema, encodeReport(request))).toEqual(request);
      }),
    );
  });

  it("comes back as it was taken", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(plain(decodeReport(encodeReport(request)))).toEqual(plain(reportOf(request)));
      }),
    );
  });

  it("comes back from a driver's buffer, wherever in it the bytes lie", () => {
    fc.assert(
      fc.property(anyRequest, fc.nat(16), (request, offset) => {
        const buffer = Buffer.concat([Buffer.alloc(offset, 255), encodeReport(request)]).subarray(offset);
        expect(plain(decodeReport(buffer))).toEqual(plain(reportOf(request)));
      }),
    );
  });
});
