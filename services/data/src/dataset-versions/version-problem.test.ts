import { EngineLimitError, EngineStoppedError, InvalidQueryError, UnreadableFileError } from "@aiplatform/data-engine";
import { QuotaExceededError } from "@aiplatform/quotas";
import { describe, expect, it } from "vitest";
import { ArtifactLostError, ArtifactsUnavailableError } from "../other-services/stored-artifacts.ts";
import { CacheFullError, CacheTooSmallError } from "../parquet-cache/parquet-cache.ts";
import { PredecessorGoneError } from "./dataset-version.ts";
import { maxStops, problemOf } from "./version-problem.ts";

const stops = (count: number) => async () => count;
const never = () => Promise.reject(new Error("a process that stopped was counted"));
const fault = {
  file: "a.csv",
  line: 7,
  column: "price",
  rule: "type" as const,
  message: "It is no number.",
  remedy: "Correct it.",
};

const predecessor = { versionId: "v", number: 1, matchingRows: "keep", sizeBytes: 1 } as const;

describe("a failure to read the files of a version", () => {
  const final: readonly (readonly [string, Error, object])[] = [
    ["a file that breaks a rule", new UnreadableFileError(fault), fault],
    ["a limit of a request", new EngineLimitError("memory", "too much memory"), { rule: "memory" }],
    ["a quota", new QuotaExceededError({ name: "dataset_bytes", limit: 1, used: 1 }, 5), { rule: "quota" }],
    ["a cache that is too small", new CacheTooSmallError(200, 100), { rule: "size" }],
    ["a predecessor that is purged", new PredecessorGoneError(predecessor), { rule: "predecessor" }],
    [
      "a filter that does not fit",
      new InvalidQueryError({ message: "no day", remedy: "Write days." }),
      { rule: "filter" },
    ],
    ["an artifact that is gone", new ArtifactLostError("0".repeat(64), "is gone"), { rule: "artifact" }],
  ];
  it.each(final)("is the problem of the version: %s", async (_, failure, problem) => {
    expect(await problemOf(failure, never)).toMatchObject(problem);
  });

  const passing: readonly (readonly [string, Error])[] = [
    ["another service that is away", new ArtifactsUnavailableError("does not answer")],
    ["a cache that is full", new CacheFullError()],
    ["anything unknown", new Error("unknown")],
  ];
  it.each(passing)("is tried again: %s", async (_, failure) => {
    expect(await problemOf(failure, never)).toBeUndefined();
  });

  it("is tried again when a process stops, and is final when one stops again and again", async () => {
    expect(await problemOf(new EngineStoppedError("SIGKILL"), stops(maxStops - 1))).toBeUndefined();
    expect(await problemOf(new EngineStoppedError("SIGKILL"), stops(maxStops))).toMatchObject({ rule: "stopped" });
  });
});
