import { describe, expect, it } from "vitest";
import { importedPackages } from "./dependency-patterns.ts";
import { judged, unjudged } from "./judged-dependencies.ts";
import { slowOfPackages } from "./slow-packages.ts";

const onPath = Object.keys(judged).filter((name) => judged[name]?.isLong !== true);

describe("a package that the services load", () => {
  it("is judged, or a table says why not", () => {
    expect(importedPackages().filter((name) => !Object.hasOwn(judged, name) && !Object.hasOwn(unjudged, name))).toEqual(
      [],
    );
  });

  it("reads a request in time that grows with its text, or a table says why it is harmless", async () => {
    const { count, unlisted } = await slowOfPackages(onPath);
    expect(unlisted).toEqual([]);
    expect(count).toBeGreaterThan(150);
  }, 300_000);
});
