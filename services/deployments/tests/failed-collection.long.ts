import { randomUUID } from "node:crypto";
import { ArtifactService } from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { eventually, failureOf } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { DeploymentsRig } from "./deployments-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

describe("a collection of artifacts while training is away", () => {
  it("is refused, and the service goes on", async () => {
    await using rig = await DeploymentsRig.start({ settings: { TRAINING_ADDRESS: "127.0.0.1:1" } });
    const caller = rig.as();
    const { artifactSha256 } = await caller
      .client(ModelService)
      .uploadArtifact(uploadPieces(Buffer.from(randomUUID())));
    // The upload has brought about a pass, which has to be over.
    const reason = await eventually(async () => {
      const failure = await failureOf(caller.client(ArtifactService).collectArtifacts({}));
      return failure.reason !== "COLLECTION_UNDER_WAY" && failure.reason;
    });
    expect(reason).toBe("TRAINING_UNAVAILABLE");
    expect(await caller.client(ArtifactService).getUpload({ artifactSha256 })).toMatchObject({ complete: true });
  });
});
