import { describe, expect, it } from "vitest";
import { serviceNameOf, serviceNames } from "./service-name.ts";

const label = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const id = "0199f3a1-0000-7000-8000-0123456789ab";

describe("a service name", () => {
  it.each([
    ["MNIST", "mnist"],
    ["Price model (v2)", "price-model-v2"],
    ["Crème brûlée", "creme-brulee"],
    ["--a--b--", "a-b"],
    ["7 days", "d-7-days"],
    ["日本", "deployment"],
    ["", "deployment"],
    ["x".repeat(200), "x".repeat(63)],
    [`${"x".repeat(62)} y`, "x".repeat(62)],
  ])("of %j is %j", (name, expected) => {
    expect(serviceNameOf(name)).toBe(expected);
    expect(serviceNameOf(name)).toMatch(label);
  });

  it.each(["mnist", "x".repeat(63), `${"x".repeat(60)}-yz`])(
    "that is taken ends otherwise, and stays a label: %s",
    (name) => {
      const names = serviceNames(name, id);
      expect(names).toHaveLength(new Set(names).size);
      expect(names[0]).toBe(name);
      for (const each of names) expect(each).toMatch(label);
      expect(names.at(-1)).toMatch(/-00000123456789ab$|-80000123456789ab$/);
    },
  );
});
