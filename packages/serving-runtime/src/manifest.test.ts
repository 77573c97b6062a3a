import { describe, expect, it } from "vitest";
import { parseManifest } from "./manifest.ts";

const good = {
  runtime: "node",
  model_name: "digits",
  version: "1",
  concurrency: 1,
  timeout_ms: 1_000,
  memory_mb: 64,
  network: false,
};

describe("a manifest", () => {
  it.each([
    ["as it must be", {}],
    ["with an interface and datasets", { interface: { input: "{}", output: "true" }, datasets: [{ alias: "a" }] }],
  ])("is taken %s", (_, more) => {
    expect(parseManifest(JSON.stringify({ ...good, ...more }))).toEqual({ ...good, ...more });
  });

  it("is taken without the interface that is null", () => {
    expect(parseManifest(JSON.stringify({ ...good, interface: null }))).toEqual(good);
  });

  it.each([
    ["runtime", "python"],
    ["model_name", ""],
    ["version", 1],
    ["concurrency", 0],
    ["timeout_ms", 1.5],
    ["memory_mb", 63],
    ["network", "yes"],
    ["interface", { input: {}, output: {} }],
  ])("is refused for its %s", (name, value) => {
    expect(() => parseManifest(JSON.stringify({ ...good, [name]: value }))).toThrow(`${name} must be`);
  });

  it("is refused with everything that is wrong", () => {
    expect(() => parseManifest("{}")).toThrow(
      /runtime.*model_name.*version.*concurrency.*timeout_ms.*memory_mb.*network/,
    );
  });

  it.each(["", "[]", "null", "7"])("is no %j", (text) => {
    expect(() => parseManifest(text)).toThrow("must be a JSON object");
  });
});
