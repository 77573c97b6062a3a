import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ReportRequest, ReportRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReportSpool } from "./report-spool.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "spool-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const batch = (steps: number[], values = steps) =>
  create(ReportRequestSchema, { columns: [{ name: "loss", steps, values }] });
const counters = (spool: ReportSpool) => unconfirmed(spool).map(({ counter }) => counter);

function unconfirmed(spool: ReportSpool): ReportRequest[] {
  const batches: ReportRequest[] = [];
  for (let next = spool.offer(0); next; next = spool.offer(next.counter)) batches.push(next);
  return batches;
}

describe("the spool", () => {
  it("numbers batches from 1 and offers them in order", () => {
    const spool = new ReportSpool(directory);
    for (let step = 0; step < 12; step++) spool.add(batch([step]), { segment: 2, step });
    expect(counters(spool)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(spool.offer(3)).toMatchObject({ counter: 4, segmentIndex: 2 });
  });

  it("offers another process the same batches under the same counters, and numbers on", () => {
    const first = new ReportSpool(directory);
    for (const step of [1, 2, 3]) first.add(batch([step]), { segment: 0, step });
    first.confirm(1);
    const second = new ReportSpool(directory);
    expect(second.newest).toEqual({ counter: 3, segment: 0, step: 3 });
    second.add(batch([4]), { segment: 0, step: 4 });
    expect(unconfirmed(second)).toMatchObject([
      { counter: 2 },
      { counter: 3 },
      { counter: 4, columns: [{ steps: [4] }] },
    ]);
  });

  it("forgets what is confirmed but how far it went", () => {
    const spool = new ReportSpool(directory);
    for (const step of [10, 20]) spool.add(batch([step]), { segment: 1, step });
    spool.confirm(2);
    expect(spool.unconfirmed).toBe(0);
    expect(spool.offer(0)).toBeUndefined();
    expect(readdirSync(directory)).toEqual(["2-1-20.report"]);
    expect(new ReportSpool(directory).newest).toEqual({ counter: 2, segment: 1, step: 20 });
  });

  it("numbers above what the platform has seen", () => {
    const spool = new ReportSpool(directory);
    spool.confirm(41);
    spool.add(batch([1]), { segment: 0, step: 1 });
    expect(counters(spool)).toEqual([42]);
  });
});

describe("a spool that is never emptied", () => {
  const size = 1_000;
  const fill = (spool: ReportSpool, batches: number, extreme = -1) => {
    for (let index = 0; index < batches; index++) {
      const steps = Array.from({ length: size }, (_, at) => index * size + at);
      spool.add(
        batch(
          steps,
          steps.map((step) => (step === extreme ? -5 : step % 7)),
        ),
        { segment: 0, step: steps.at(-1) ?? 0 },
      );
    }
  };

  it("stays bounded, keeps the extreme and every newest point", () => {
    const spool = new ReportSpool(directory);
    fill(spool, 300, 1_234);
    expect(readdirSync(directory).length).toBeLessThanOrEqual(64);
    const points = unconfirmed(spool).flatMap(({ columns }) => columns.flatMap(({ steps }) => steps));
    expect(points.length).toBeLessThan(70 * size);
    expect(points).toContain(1_234);
    expect(points.slice(-size)).toEqual(Array.from({ length: size }, (_, at) => 299 * size + at));
    expect(points).toEqual(points.toSorted((a, b) => a - b));
  });

  it("never changes a batch that may have reached the platform", () => {
    const spool = new ReportSpool(directory);
    fill(spool, 3);
    const offered = unconfirmed(spool);
    fill(spool, 100);
    expect(unconfirmed(spool).slice(0, 3)).toEqual(offered);
  });
});
