/** Where a bucket is, and how to be let in. */
export interface BucketLocation {
  endpoint: string;
  /** Where clients of the platform reach the same server; absent: nowhere. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /** What the keys of our objects begin with; ends with a slash unless it is empty. */
  prefix: string;
  /** Absent: whatever the surroundings give a process, such as the role of its machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export interface BucketSettings {
  ARTIFACTS_S3_PUBLIC_URL?: string | undefined;
  ARTIFACTS_S3_REGION: string;
  ARTIFACTS_S3_ACCESS_KEY_ID?: string | undefined;
  ARTIFACTS_S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** @throws unless it is `https://server/bucket`, with or without a folder; the message completes "ARTIFACTS_S3_URL …" */
export function assertBucketUrl({ protocol, pathname, search, hash, username, password }: URL): void {
  if (protocol !== "https:" && protocol !== "http:") throw new Error("must be an http or https URL");
  if (!/^\/[^/]+(\/[^/]+)*\/?$/.test(pathname)) throw new Error("must have a bucket as its path, such as /artifacts");
  if (search || hash) throw new Error("must end with its path");
  if (username || password) throw new Error("must hold no credentials; they have settings of their own");
}

/** @throws unless it is `https://server`; the message completes "ARTIFACTS_S3_PUBLIC_URL …" */
export function assertServerUrl({ protocol, pathname, search, hash, username, password }: URL): void {
  if (protocol !== "https:" && protocol !== "http:") throw new Error("must be an http or https URL");
  if (pathname !== "/" || search || hash)
    throw new Error("must be the server alone; its path is that of ARTIFACTS_S3_URL");
  if (username || password) throw new Error("must hold no credentials");
}

/** Reads `https://server/bucket/folder`. */
export function bucketLocation(url: string, settings: BucketSettings): BucketLocation {
  const { origin, pathname } = new URL(url);
  const [bucket = "", ...folders] = decodeURIComponent(pathname).split("/").filter(Boolean);
  const { ARTIFACTS_S3_ACCESS_KEY_ID: accessKeyId, ARTIFACTS_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  const prefix = folders.map((folder) => `${folder}/`).join("");
  const publicEndpoint = settings.ARTIFACTS_S3_PUBLIC_URL && new URL(settings.ARTIFACTS_S3_PUBLIC_URL).origin;
  return { endpoint: origin, publicEndpoint, region: settings.ARTIFACTS_S3_REGION, bucket, prefix, credentials };
}
