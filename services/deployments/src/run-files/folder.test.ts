import { describe, expect, it } from "vitest";
import { entriesOf, folderNamed } from "./folder.ts";
import { assertFilePath, runNamed } from "./run-file.ts";

const files = ["a.txt", "model/a.txt", "model/deep/b.txt", "model/deep/c.txt"].map((path, sizeBytes) => ({
  path,
  sizeBytes,
}));

describe("a folder of a run's files", () => {
  it.each([
    ["pipeline/run", { pipelineId: "pipeline", runId: "run", folder: "" }],
    ["pipeline/run/", { pipelineId: "pipeline", runId: "run", folder: "" }],
    ["pipeline/run/model/deep", { pipelineId: "pipeline", runId: "run", folder: "model/deep" }],
  ])("is named by pipeline, run and path: %s", (path, named) => {
    expect(folderNamed(path)).toEqual(named);
  });

  it("is refused without a run", () => {
    expect(() => folderNamed("pipeline")).toThrow("begins with the ids");
  });

  it("has files and folders, by name", () => {
    expect(entriesOf("", files)).toEqual([
      { name: "a.txt", sizeBytes: 0 },
      { name: "model", sizeBytes: undefined },
    ]);
    expect(entriesOf("model", files.slice(1))).toEqual([
      { name: "a.txt", sizeBytes: 1 },
      { name: "deep", sizeBytes: undefined },
    ]);
  });
});

describe("a file's path", () => {
  it.each(["a", "a/b.c", "é ü/ß", ".hidden", "a..b"])("may be %s", (path) => {
    expect(() => assertFilePath(path)).not.toThrow();
  });

  it.each(["", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\\b", "a\u0000b", "a\nb"])(
    "may not be %j",
    (path) => {
      expect(() => assertFilePath(path)).toThrow("names separated by single slashes");
    },
  );
});

describe("a run that files are stored of", () => {
  it("is named by two ids, in small letters", () => {
    const [pipelineId, runId] = ["019C6B92-0C55-7A31-9B1E-6F0D2C7A4E18", "019c6b93-5d10-7e42-8c2f-1b9e8d3a5f07"];
    expect(runNamed({ pipelineId, runId })).toEqual({ pipelineId: pipelineId.toLowerCase(), runId });
    expect(() => runNamed({ pipelineId: "none", runId })).toThrow("pipeline_id");
  });
});
