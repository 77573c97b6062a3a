import type { DeploymentsConfig } from "../config.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { DirectoryStore } from "./directory-store.ts";
import { DirectoryUploads } from "./directory-uploads.ts";
import type { UploadSpace } from "./upload-space.ts";

/** What artifacts are kept with. */
export interface Artifacts {
  artifacts: ArtifactStore;
  uploads: UploadSpace;
  /** Bytes of an artifact at most. */
  mostArtifactBytes: number;
}

/** Opens the directory that the settings name. */
export function openArtifacts(config: DeploymentsConfig): Artifacts {
  const { ARTIFACTS_DIRECTORY: directory = "", MAX_ARTIFACT_BYTES: mostBytes } = config;
  return {
    artifacts: new DirectoryStore(directory, { mostBytes }),
    uploads: new DirectoryUploads(directory),
    mostArtifactBytes: mostBytes,
  };
}
