import { describe, expect, it } from "vitest";
import { experimentFields, runFields } from "./search-fields.ts";
import { listFilterOf, listOrderOf } from "./search-filter.ts";

describe("a filter of MLflow", () => {
  it.each([
    ["", ""],
    ["metrics.loss < 0.5", 'metrics."loss" < 0.5'],
    ["metric.`val loss` >= -1e-3", 'metrics."val loss" >= -1e-3'],
    [`params.lr = '1e-05' and params."a b" != "adam"`, 'parameters."lr" = 1e-05 AND parameters."a b" != "adam"'],
    [`tags.path = 'a\\b"c'`, 'tags."path" = "a\\\\b\\"c"'],
    ["tags.mlflow.parentRunId = 'x'", 'tags."mlflow.parentRunId" = "x"'],
    ["tags.mlflow.runName = 'first'", 'name = "first"'],
    ["attributes.status = 'finished'", "(jobs.state = completed)"],
    ["status != 'KILLED'", "NOT (jobs.state = aborted)"],
    ["params.o IN ('a', 'b')", '(parameters."o" = "a" OR parameters."o" = "b")'],
    ["params.id = '007'", 'parameters."id" = "007"'],
    ["params.o NOT IN ('a')", 'NOT (parameters."o" = "a")'],
    ["metrics.loss IS NULL AND params.o is not null", 'NOT metrics:"loss" AND parameters:"o"'],
    ["attributes.start_time > 1700000000000", "created_at > 2023-11-14T22:13:20.000Z"],
  ])("is one of ours: %s", (filter, expected) => {
    expect(listFilterOf(filter, runFields)).toBe(expected);
  });

  it.each([
    ["tags.a LIKE 'x%'", "compares by LIKE"],
    ["attributes.run_id = 'x'", "compares attributes.run_id"],
    ["metrics.loss = 'low'", "no number"],
    ["attributes.status = 'GONE'", "no status"],
    ["attributes.status < 'FINISHED'", "compares the status by <"],
    ["attributes.start_time > 'now'", "no number of milliseconds"],
    ["attributes.run_name IS NULL", "always has a value"],
    ["params.a = 'x' OR params.b = 'y'", "by AND alone"],
    ["params.a = 'x", "not closed, at character 12"],
    ["params.a IN 'x'", "no list behind IN"],
    ["params.a IN ('x'", "not closed"],
    ["params.a =", "no word where one is expected"],
    ["params.a IS 3", "IS without NULL"],
  ])("is refused with the reason: %s", (filter, reason) => {
    expect(() => listFilterOf(filter, runFields)).toThrow(reason);
  });

  it("of experiments compares names, times and tags", () => {
    const filter = "name = 'digits' AND tags.team = 'vision' AND attribute.creation_time > 0";
    const expected = 'name = "digits" AND annotations."team" = "vision" AND created_at > 1970-01-01T00:00:00.000Z';
    expect(listFilterOf(filter, experimentFields)).toBe(expected);
    expect(() => listFilterOf("metrics.loss < 1", experimentFields)).toThrow("compares metrics.loss");
  });
});

describe("an order of MLflow", () => {
  it.each([
    [[], ""],
    [["metrics.loss ASC"], 'metrics."loss"'],
    [["metrics.`val loss` desc"], 'metrics."val loss" desc'],
    [["start_time DESC"], "created_at desc"],
    [["attributes.run_name"], "name"],
  ])("is one of ours: %j", (orders, expected) => {
    expect(listOrderOf(orders, runFields)).toBe(expected);
  });

  it.each([
    [["metrics.a", "metrics.b"], "several orders"],
    [["tags.a"], "not ordered by"],
    [["metrics.a sideways"], "more than a name"],
    [["metrics.`a"], "a text that is not closed"],
    [[","], "no word where one is expected"],
  ])("is refused with the reason, which names the argument: %j", (orders, reason) => {
    expect(() => listOrderOf(orders, runFields)).toThrow(new RegExp(`^order_by: .*${reason}`));
  });
});
