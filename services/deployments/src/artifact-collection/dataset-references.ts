import { DatasetReferenceService } from "@aiplatform/contract/aiplatform/data/v1/dataset_references";
import type { DataCalls } from "../data-calls.ts";
import type { ArtifactReferences } from "./artifact-references.ts";

/** Time that the data service has for its answer, ms. */
const timeoutMs = 10_000;

/** What versions of datasets refer to. @throws DatasetsUnavailableError, from what it returns */
export function referencesOfDatasets(data: Pick<DataCalls, "ask">): ArtifactReferences {
  return async (organisationId, digests) => {
    const request = { organisationId, artifactSha256s: [...digests] };
    const answer = await data.ask(DatasetReferenceService, (client) =>
      client.findArtifactsOfDatasets(request, { timeoutMs }),
    );
    return answer.artifactSha256s;
  };
}
