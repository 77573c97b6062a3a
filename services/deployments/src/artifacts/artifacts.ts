import type { DeploymentsConfig } from "../config.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { Bucket } from "./bucket.ts";
import { bucketPlace } from "./bucket-place.ts";
import { BucketStore } from "./bucket-store.ts";
import { BucketUploads } from "./bucket-uploads.ts";
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

/** Opens the bucket or the directory that the settings name. */
export function openArtifacts(config: DeploymentsConfig): Artifacts {
  const { ARTIFACTS_S3_URL: url, ARTIFACTS_DIRECTORY: directory = "", MAX_ARTIFACT_BYTES: mostBytes } = config;
  const mostArtifactBytes = mostBytes;
  if (url !== undefined) {
    const bucket = new Bucket(bucketPlace(url, config));
    return { artifacts: new BucketStore(bucket, { mostBytes }), uploads: new BucketUploads(bucket), mostArtifactBytes };
  }
  const artifacts = new DirectoryStore(directory, { mostBytes });
  return { artifacts, uploads: new DirectoryUploads(directory), mostArtifactBytes };
}
