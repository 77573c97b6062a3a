import { ArtifactReferenceService } from "@aiplatform/contract/aiplatform/training/v1/artifact_references";
import type { TrainingCalls } from "../training-calls.ts";
import type { ArtifactReferences } from "./artifact-references.ts";

/** Time that training has for its answer, ms. */
const timeoutMs = 10_000;

/** What training refers to. @throws TrainingUnavailableError, from what it returns */
export function referencesOfTraining(training: Pick<TrainingCalls, "ask">): ArtifactReferences {
  return async (organisationId, digests) => {
    const request = { organisationId, artifactSha256s: [...digests] };
    const answer = await training.ask(ArtifactReferenceService, (client) =>
      client.findReferencedArtifacts(request, { timeoutMs }),
    );
    return answer.artifactSha256s;
  };
}
