import { describe, expect, it } from "vitest";
import { limitOf } from "./limit-of.ts";
import { type QuotaLimits, quotaTable } from "./quota-table.ts";

const organisationId = "019c6b7e-3023-7976-a2a1-0517b4f0ff7b";

describe("the limit of an organisation", () => {
  it.each<[of: string, set: QuotaLimits, ofSingle: QuotaLimits, ofAll: QuotaLimits, expected: number]>([
    ["the operation, before all settings", { runs: 1 }, { runs: 2 }, { runs: 3 }, 1],
    ["the operation, where it is 0", { runs: 0 }, { runs: 2 }, { runs: 3 }, 0],
    ["ORGANISATION_QUOTAS, before QUOTAS", {}, { runs: 2 }, { runs: 3 }, 2],
    ["ORGANISATION_QUOTAS, where the operation set another quota", { pipelines: 1 }, { runs: 2 }, { runs: 3 }, 2],
    ["QUOTAS, where nothing names the organisation", {}, {}, { runs: 3 }, 3],
    ["QUOTAS, where the settings name another quota of it", {}, { pipelines: 2 }, { runs: 3 }, 3],
    ["the table, where nothing else says one", {}, {}, { pipelines: 3 }, quotaTable.runs.limit],
  ])("is that of %s", (_of, set, ofSingle, ofAll, expected) => {
    const config = { QUOTAS: ofAll, ORGANISATION_QUOTAS: new Map([[organisationId, ofSingle]]) };
    expect(limitOf("runs", { organisationId, set }, config)).toBe(expected);
  });

  it("is that of the table without any settings", () => {
    expect(limitOf("runs", { organisationId, set: undefined }, {})).toBe(quotaTable.runs.limit);
  });
});
