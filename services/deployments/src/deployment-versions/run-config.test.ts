import { describe, expect, it } from "vitest";
import { defaultRunConfig, readRunConfig } from "./run-config.ts";

describe("a run configuration", () => {
  it.each([
    ["", {}],
    ["{}", {}],
    ['{"min":0,"cpu":"2"}', {}],
    ['{"min_instances":null}', {}],
    ['{"min_instances":0,"idle_seconds":60}', { minInstances: 0, idleSeconds: 60 }],
    ['{"min_instances":3}', { minInstances: 3, maxInstances: 3 }],
    ['{"min_instances":2,"max_instances":4}', { minInstances: 2, maxInstances: 4 }],
    [
      '{"concurrency":1,"timeout_seconds":600,"memory_mb":64,"network":true}',
      {
        concurrency: 1,
        timeoutSeconds: 600,
        memoryMb: 64,
        network: true,
      },
    ],
    ['{"max_instances":2.0}', { maxInstances: 2 }],
  ])("%s is read", (text, expected) => {
    expect(readRunConfig(text, { mayConnect: true })).toEqual({
      config: { ...defaultRunConfig, ...expected },
      violations: [],
    });
  });

  it.each([
    ['{"min_instances":-1}', "min_instances", "GREATER_THAN_EQUAL"],
    ['{"min_instances":17}', "min_instances", "LESS_THAN_EQUAL"],
    ['{"max_instances":0}', "max_instances", "GREATER_THAN_EQUAL"],
    ['{"min_instances":3,"max_instances":2}', "max_instances", "GREATER_THAN_EQUAL"],
    ['{"idle_seconds":"60"}', "idle_seconds", "INT_TYPE"],
    ['{"idle_seconds":86401}', "idle_seconds", "LESS_THAN_EQUAL"],
    ['{"concurrency":1.5}', "concurrency", "INT_TYPE"],
    ['{"timeout_seconds":0}', "timeout_seconds", "GREATER_THAN_EQUAL"],
    ['{"memory_mb":true}', "memory_mb", "INT_TYPE"],
    ['{"network":1}', "network", "BOOL_TYPE"],
  ])("%s is refused", (text, key, reason) => {
    const { violations } = readRunConfig(text, { mayConnect: true });
    expect(violations).toMatchObject([{ field: `serverless_run_config.${key}`, reason }]);
  });

  it("may not ask for the network where the operator does not allow it", () => {
    const { violations } = readRunConfig('{"network":true}', { mayConnect: false });
    expect(violations).toMatchObject([{ field: "serverless_run_config.network", reason: "NETWORK_NOT_ALLOWED" }]);
    expect(readRunConfig('{"network":false}', { mayConnect: false }).violations).toEqual([]);
  });

  it("is told all that is wrong with it", () => {
    const { violations } = readRunConfig('{"min_instances":-1,"max_instances":99,"network":"no"}', {
      mayConnect: true,
    });
    expect(violations.map(({ field }) => field)).toEqual([
      "serverless_run_config.min_instances",
      "serverless_run_config.max_instances",
      "serverless_run_config.network",
    ]);
  });
});
