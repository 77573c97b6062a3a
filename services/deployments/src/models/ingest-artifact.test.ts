import { QuotaExceededError } from "@aiplatform/quotas";
import { describe, expect, it } from "vitest";
import { SourceRefusedError, SourceUnreadableError } from "../artifacts/artifact-source.ts";
import { ArtifactsUnavailableError, ArtifactTooLargeError } from "../artifacts/artifact-store.ts";
import { maxAttempts, resolutionOf } from "./ingest-artifact.ts";

const full = new QuotaExceededError({ name: "artifact_bytes", limit: 1_000, used: 900 }, 200);

describe("an artifact of a run's result that could not be stored", () => {
  it.each([
    ["does not fit into the organisation's quota", full, "The organisation has 900 of 1000 bytes of artifacts"],
    ["is too large", new ArtifactTooLargeError(1_000), "larger than 1000 bytes"],
    ["lies where none is taken from", new SourceRefusedError("elsewhere"), "elsewhere"],
  ])("because it %s fails its version at once, and says why", (_title, failure, statusDetail) => {
    expect(resolutionOf(failure, 1)).toEqual({ status: "failed", statusDetail: expect.stringContaining(statusDetail) });
  });

  it("because it cannot be read fails its version after some attempts", () => {
    const failure = new SourceUnreadableError("unreadable");
    expect(resolutionOf(failure, maxAttempts - 1)).toBeUndefined();
    expect(resolutionOf(failure, maxAttempts)).toEqual({ status: "failed", statusDetail: "unreadable" });
  });

  it("because the store is away is tried for ever", () => {
    expect(resolutionOf(new ArtifactsUnavailableError(), 1_000)).toBeUndefined();
  });
});
