import type { TrainerOptions } from "../agent/run-trainer.ts";
import { storeArtifact } from "./artifact-upload.ts";
import { datasetDownload } from "./dataset-download.ts";
import { createRestTransport } from "./rest-transport.ts";

export interface PlatformAddress {
  /** Of the gateway, such as `https://platform.example.com`. */
  url: string;
  /** Needs `metrics:report`, and `models:write` to store the result. */
  apiKey: string;
  pipelineId: string;
}

/** Options of a trainer that reaches the platform from anywhere, by one address and one key. Its result is stored in the platform. */
export function connectOverHttps({
  url,
  apiKey,
  pipelineId,
}: PlatformAddress): Pick<TrainerOptions, "transport" | "apiKey" | "store" | "download"> {
  return {
    transport: createRestTransport({ url, pipelineId }),
    apiKey,
    download: datasetDownload({ url, apiKey, pipelineId }),
    store: (artifact, signal) => storeArtifact({ url, apiKey }, artifact, signal),
  };
}
