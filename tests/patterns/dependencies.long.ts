import { describe, expect, it } from "vitest";
import { dependencyExceptions, judged } from "./judged-dependencies.ts";
import { slowOfPackages } from "./slow-packages.ts";

describe("a package that reads anything from outside", () => {
  it("takes time that grows with the text, or a table says why it is harmless", async () => {
    const { count, found, unlisted } = await slowOfPackages(Object.keys(judged));
    expect(unlisted).toEqual([]);
    expect(count).toBeGreaterThan(400);
    // What is no longer there leaves the table.
    expect(Object.keys(dependencyExceptions).filter((pattern) => !found.has(pattern))).toEqual([]);
  });
});
