import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isQuotaName, maxLimit, quotaTable, readLimits, readOrganisationLimits } from "./quota-table.ts";

const rows = Object.entries(quotaTable);

describe("the table of quotas", () => {
  it.each(rows)("bounds %s, and says what makes room", (name, { limit, noun, remedy }) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(Number.isInteger(limit) && limit > 0 && limit <= maxLimit).toBe(true);
    expect(noun).not.toBe("");
    expect(remedy).toMatch(/^[A-Z].*[^.]$/);
  });

  it("is the one that the page for operators shows", () => {
    const page = readFileSync(new URL("../../../docs/operations/quotas.md", import.meta.url), "utf8");
    const shown = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, limit]) => [name, Number(limit)]);
    expect(shown).toEqual(rows.map(([name, { limit }]) => [name, limit]));
  });

  it("has no name that every object has", () => {
    expect(isQuotaName("constructor")).toBe(false);
  });
});

describe("limits in the settings of a service", () => {
  it("stand in place of those of the table", () => {
    expect(readLimits({ deployments: 3 }, "deployments")).toEqual({ deployments: 3 });
  });

  it.each<[string, unknown, string]>([
    ["a list", [], "must be a JSON object"],
    ["nothing", null, "must be a JSON object"],
    [
      "a quota that there is not",
      { deployment: 3 },
      "deployment is not a quota of this service; its quotas are: deployments",
    ],
    ["what every object has", { constructor: 3 }, "constructor is not a quota of this service"],
    ["less than nothing", { deployments: -1 }, "deployments must be a whole number between 0 and"],
    ["a part", { deployments: 1.5 }, "deployments must be a whole number"],
    ["a text", { deployments: "3" }, "deployments must be a whole number"],
    ["more than can be counted", { deployments: 2 ** 53 }, "deployments must be a whole number"],
  ])("may not be %s", (_title, given, problem) => {
    expect(() => readLimits(given, "deployments")).toThrow(problem);
  });

  it("may not be of another service", () => {
    expect(() => readLimits({ deployments: 3 }, "training")).toThrow("deployments is not a quota of this service");
  });
});

describe("limits of single organisations in the settings of a service", () => {
  const id = "019C6B7E-3023-7976-a2a1-0517b4f0ff7b";

  it("are found by the organisation's id, however it is written", () => {
    const limits = readOrganisationLimits({ [id]: { deployments: 800 } }, "deployments");
    expect(limits).toEqual(new Map([[id.toLowerCase(), { deployments: 800 }]]));
  });

  it.each<[string, unknown, string]>([
    ["a list", [], "must be a JSON object"],
    ["by a name", { acme: {} }, "acme is not an organisation's id"],
    ["of another service", { [id]: { runs: 1 } }, `${id}: runs is not a quota of this service`],
  ])("may not be %s", (_title, given, problem) => {
    expect(() => readOrganisationLimits(given, "deployments")).toThrow(problem);
  });
});
