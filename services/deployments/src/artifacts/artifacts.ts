import { type ArtifactStore, pathOfArtifact } from "./artifact-store.ts";
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
  /** A URL of the store's own at which an artifact is read for so many seconds; undefined where the store has none. */
  signedUrl(organisationId: string, sha256: string, seconds: number): Promise<string | undefined>;
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
    const artifacts = new BucketStore(bucket, { maxBytes });
    const signedUrl: OpenedArtifacts["signedUrl"] = (organisationId, sha256, seconds) =>
      bucket.urlOf(pathOfArtifact(organisationId, sha256), { fileName: sha256, seconds });
    return { artifacts, uploads: new BucketUploads(bucket), maxArtifactBytes, signedUrl };
  }
  const artifacts = new DirectoryStore(directory, { maxBytes });
  return { artifacts, uploads: new DirectoryUploads(directory), maxArtifactBytes, signedUrl: async () => undefined };
}
