import { describe, expect, it } from "vitest";
import { RefusalLog } from "./refusal-log.ts";

function logged(add: (log: RefusalLog) => void): [string, unknown][] {
  const lines: [string, unknown][] = [];
  const log = new RefusalLog({
    info: (line: unknown) => void lines.push(["info", line]),
    warn: (line: unknown) => void lines.push(["warn", line]),
  });
  add(log);
  log.close();
  return lines;
}

describe("many refusals", () => {
  it("are one line for each reason and organisation, with their number", () => {
    const lines = logged((log) => {
      for (let count = 0; count < 1_000; count += 1)
        log.add({ reason: "RATE_LIMITED", status: 429, organisationId: "a" });
      log.add({ reason: "OVERLOADED", status: 503 });
    });
    expect(lines).toEqual([
      ["info", { reason: "RATE_LIMITED", status: 429, requests: 1_000, organisation_id: "a" }],
      ["warn", { reason: "OVERLOADED", status: 503, requests: 1 }],
    ]);
  });

  it("of very many organisations are few lines all the same, and none is lost", () => {
    const lines = logged((log) => {
      for (let index = 0; index < 5_000; index += 1) {
        log.add({ reason: "OVERLOADED", status: 503, organisationId: `o${index}` });
      }
    });
    expect(lines.length).toBeLessThanOrEqual(101);
    const counts = lines.map(([, line]) => Number(Reflect.get(Object(line), "requests")));
    expect(counts.reduce((sum, count) => sum + count)).toBe(5_000);
  });
});
