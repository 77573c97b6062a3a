import { beforeEach, describe, expect, it } from "vitest";
import type { QuotaLimits } from "./quota-table.ts";
import { RememberedLimits } from "./remembered-limits.ts";

let now: number;
let stored: QuotaLimits | undefined;
let reads: number;
let remembered: RememberedLimits;
beforeEach(() => {
  now = 1_000_000;
  stored = { runs: 1 };
  reads = 0;
  remembered = new RememberedLimits(() => now);
});

const find = (organisationId = "acme") =>
  remembered.find(organisationId, async () => {
    reads += 1;
    return stored;
  });

describe("limits that were read a moment ago", () => {
  it.each<[string, QuotaLimits | undefined]>([
    ["limits", { runs: 1 }],
    ["that there are none", undefined],
  ])("are remembered for five seconds: %s", async (_what, limits) => {
    stored = limits;
    expect([await find(), await find(), reads]).toEqual([limits, limits, 1]);
    now += 5_001;
    stored = { runs: 2 };
    expect([await find(), reads]).toEqual([{ runs: 2 }, 2]);
  });

  it("are those of one organisation", async () => {
    await find("acme");
    stored = { runs: 2 };
    expect(await find("globex")).toEqual({ runs: 2 });
    expect(await find("acme")).toEqual({ runs: 1 });
  });
});

describe("limits that have changed", () => {
  it("are read at once, and each time until a slower replica has stored them", async () => {
    await find();
    remembered.changed("acme");
    expect([await find(), reads]).toEqual([{ runs: 1 }, 2]);
    stored = { runs: 2 };
    expect([await find(), reads]).toEqual([{ runs: 2 }, 3]);
    now += 5_001;
    expect([await find(), await find(), reads]).toEqual([{ runs: 2 }, { runs: 2 }, 4]);
  });

  it("are not remembered by a read that was under way", async () => {
    const read = Promise.withResolvers<QuotaLimits>();
    const reading = remembered.find("acme", () => read.promise);
    remembered.changed("acme");
    read.resolve({ runs: 1 });
    expect(await reading).toEqual({ runs: 1 });
    stored = { runs: 2 };
    expect(await find()).toEqual({ runs: 2 });
  });

  it("are forgotten for one organisation alone", async () => {
    await find("acme");
    await find("globex");
    remembered.changed("globex");
    await find("acme");
    expect(reads).toBe(2);
  });
});
