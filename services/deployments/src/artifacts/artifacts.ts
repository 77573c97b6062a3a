import type { ArtifactStore } from "./artifact-store.ts";
import { Bucket } from "./bucket.ts";
import { type BucketSettings, bucketLocation } from "./bucket-location.ts";
import { BucketStore } from "./bucket-store.ts";
import { BucketUploads } from "./bucket-uploads.ts";
import type { CountedArtifacts } from "./counted-artifacts.ts";
import { DirectoryStore } from "./directory-store.ts";
import { DirectoryUploads } from "./directory-uploads.ts";
import type { UploadStore } from "./upload-store.ts";

/** The settings of the artifacts: either a bucket or a directory. */
export interface ArtifactsConfig extends BucketSettings {
  ARTIFACTS_S3_URL?: string | undefined;
  ARTIFACTS_DIRECTORY?: string | undefined;
  MAX_ARTIFACT_BYTES: number;
}

/** Where artifacts lie. */
export interface OpenedArtifacts {
  artifacts: ArtifactStore;
  uploads: UploadStore;
  /** Bytes of an artifact at most. */
  maxArtifactBytes: number;
}

/** What artifacts are stored with. */
export interface Artifacts extends OpenedArtifacts {
  artifacts: CountedArtifacts;
}

export function openArtifacts(config: ArtifactsConfig): OpenedArtifacts {
  const { ARTIFACTS_S3_URL: url, ARTIFACTS_DIRECTORY: directory = "", MAX_ARTIFACT_BYTES: maxBytes } = config;
  const maxArtifactBytes = maxBytes;
  if (url !== undefined) {
    const bucket = new Bucket(bucketLocation(url, config));
    return { artifacts: new BucketStore(bucket, { maxBytes }), uploads: new BucketUploads(bucket), maxArtifactBytes };
  }
  const artifacts = new DirectoryStore(directory, { maxBytes });
  return { artifacts, uploads: new DirectoryUploads(directory), maxArtifactBytes };
}
