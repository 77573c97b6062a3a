import { describe, expect, it } from "vitest";
import { artifactsOf, type VersionFile } from "./dataset-version.ts";

const file = (sha256: string): VersionFile => ({ sha256, name: "a.csv", format: "csv", sizeBytes: 1 });
const data = { columns: [], rowCount: 0, sizeBytes: 1, sha256: "c" };

describe("the artifacts of a version", () => {
  it.each([
    ["are its files and its data", { files: [file("a"), file("b")], data }, ["a", "b", "c"]],
    ["are its files alone before it is read", { files: [file("a")] }, ["a"]],
    ["are none of files that are not copied yet", { files: [file(""), file("b")] }, ["b"]],
  ])("%s", (_, version, expected) => {
    expect(artifactsOf(version)).toEqual(expected);
  });
});
