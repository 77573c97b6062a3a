import { InvalidListRequestError } from "@aiplatform/list-filter";
import { describe, expect, it } from "vitest";
import type { ColumnKind, VersionColumn } from "../dataset-versions/dataset-version.ts";
import { rowCondition, type SqlValue } from "./row-condition.ts";
import { readRowRequest } from "./row-list.ts";

const column = (name: string, kind: ColumnKind, type = ""): VersionColumn => ({ name, kind, type, nullable: true });
const columns = [
  column("name", "string"),
  column("stops", "integer"),
  column("price", "number"),
  column("late", "boolean"),
  column("day", "date"),
  column("at", "date_time", "TIMESTAMP"),
  column("seen", "date_time", "TIMESTAMP WITH TIME ZONE"),
  column("tags", "list"),
  column('odd "name".x', "string"),
];

function conditionOf(filter: string) {
  const { condition } = readRowRequest(columns, { filter });
  return condition && rowCondition(condition, columns);
}

describe("a filter of rows as SQL", () => {
  const rows: readonly { filter: string; sql: string; parameters: SqlValue[] }[] = [
    { filter: 'name = "a"', sql: '("name" = $1)', parameters: ["a"] },
    { filter: "name != a", sql: '("name" <> $1)', parameters: ["a"] },
    { filter: "stops >= 9007199254740993", sql: '("stops" >= $1)', parameters: [9_007_199_254_740_993n] },
    { filter: "stops = -3", sql: '("stops" = $1)', parameters: [-3n] },
    { filter: "stops < 9223372036854775808", sql: '("stops" < $1)', parameters: [2 ** 63] },
    { filter: "price < 0.5", sql: '("price" < $1)', parameters: [0.5] },
    { filter: "late = true", sql: '("late" = $1)', parameters: [true] },
    { filter: "day > 2026-03-02", sql: '("day" > CAST($1 AS DATE))', parameters: ["2026-03-02"] },
    {
      filter: "at <= 2026-03-02T10:00:00+01:00",
      sql: '("at" <= CAST($1 AS TIMESTAMP))',
      parameters: ["2026-03-02T09:00:00.000Z"],
    },
    {
      filter: "seen < 2026-03-02T09:00:00Z",
      sql: '("seen" < CAST($1 AS TIMESTAMPTZ))',
      parameters: ["2026-03-02T09:00:00.000Z"],
    },
    { filter: "tags:*", sql: '("tags" IS NOT NULL)', parameters: [] },
    { filter: "NOT name:*", sql: '((("name" IS NOT NULL)) IS NOT TRUE)', parameters: [] },
    {
      filter: "price > 1 AND (name = a OR name = b)",
      sql: '(("price" > $1) AND (("name" = $2) OR ("name" = $3)))',
      parameters: [1n, "a", "b"],
    },
    { filter: `'odd "name".x' = "'; DROP"`, sql: '("odd ""name"".x" = $1)', parameters: ["'; DROP"] },
  ];

  it.each(rows)("writes $filter", ({ filter, sql, parameters }) => {
    expect(conditionOf(filter)).toEqual({ sql, parameters });
  });

  it("is absent for an empty filter", () => {
    expect(conditionOf("")).toBeUndefined();
  });
});

describe("a filter that does not fit the columns", () => {
  const refusals: readonly (readonly [filter: string, why: string])[] = [
    ["colour = red", "no such field: use one of name, stops"],
    ["stops > many", "stops is compared with a number"],
    ["late > true", "late cannot be compared by >"],
    ["tags = a", "tags cannot be compared by ="],
    ["day = 2026-02-31", "day is compared with a day"],
    ["day = yesterday", "day is compared with a day"],
    ["at = 2026-03-02", "at is compared with a time with its zone"],
    ["name:a", "name: takes * alone"],
  ];

  it.each(refusals)("refuses %s", (filter, why) => {
    expect(() => conditionOf(filter)).toThrow(InvalidListRequestError);
    expect(() => conditionOf(filter)).toThrow(why);
  });
});

describe("an order of rows", () => {
  it("names one column that has an order", () => {
    const { order } = readRowRequest(columns, { orderBy: "price desc" });
    expect(order).toMatchObject({ field: { path: "price" }, isDescending: true });
  });

  it.each(["tags", "colour", "price, name"])("refuses %s", (orderBy) => {
    expect(() => readRowRequest(columns, { orderBy })).toThrow(InvalidListRequestError);
  });
});
